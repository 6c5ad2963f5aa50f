"""An ALTER TABLE, read clause by clause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.ddl.alter.clause import Clause, Drop, Effect, Unread
from shardwright.compiler.ddl.alter.columns import AddColumn, AlterColumn, DropColumn, ModifyColumn, RenameColumn
from shardwright.compiler.ddl.alter.cost import Cost
from shardwright.compiler.ddl.alter.keys import (
    AlterIndex,
    DropCheck,
    DropForeignKey,
    DropIndex,
    DropPrimaryKey,
    RenameIndex,
    add_key,
)
from shardwright.compiler.ddl.alter.options import (
    Convert,
    DefaultSet,
    Manner,
    Option,
    Partitions,
    Rebuild,
    RoutedOption,
)
from shardwright.compiler.sql.character_sets import conversion_of, default_named
from shardwright.compiler.sql.mysql_parser import parse_sql

_OPTIONS: dict[type[exp.Expr], Cost] = {
    exp.SchemaCommentProperty: Cost.TABLE_COMMENT,
    exp.RowFormatProperty: Cost.BUILD_AGAIN,
    exp.EngineProperty: Cost.BUILD_AGAIN,
}
_NAMED = {
    "KEY_BLOCK_SIZE": Cost.BUILD_AGAIN,
    "STATS_PERSISTENT": Cost.STATISTICS,
    "STATS_AUTO_RECALC": Cost.STATISTICS,
    "STATS_SAMPLE_PAGES": Cost.STATISTICS,
}
_PLAIN: dict[type[exp.Expr], type[Clause]] = {
    exp.ColumnDef: AddColumn,
    exp.AlterIndex: AlterIndex,
    exp.ForceProperty: Rebuild,
    exp.Var: Partitions,
}
"""Those of which the node says all."""
_DROPS: dict[str, type[Drop]] = {
    "COLUMN": DropColumn,
    "INDEX": DropIndex,
    "CHECK": DropCheck,
    "CONSTRAINT": DropCheck,
    "FOREIGN KEY": DropForeignKey,
}


@dataclass(frozen=True, slots=True)
class AlterTable:
    """`clauses` are those of `tree`, its options last."""

    tree: exp.Alter
    clauses: tuple[Clause, ...]

    def effects(self) -> Iterator[Effect]:
        """Of each clause for itself, in their order: what is dropped and added again is there twice."""
        for clause in self.clauses:
            yield from clause.effects()

    def costs(self, used: Set[str] = frozenset()) -> tuple[Cost, ...]:
        """`used`: columns, in lower case, that an index, a check or a generated column may name."""
        return tuple(cost for clause in self.clauses for cost in clause.costs(used)) or (Cost.OTHER,)

    def columns_used(self, before: Set[str] = frozenset()) -> frozenset[str]:
        """The columns, in lower case, that an index, a check or a generated column may name after the statement, if
        `before` were those before it. A column that was used once counts for used."""
        names = set(before)
        for clause in self.clauses:
            names.update(list(clause.columns_used(names)))
        return frozenset(names)

    def unconditional(self) -> AlterTable:
        plain = exp.Alter(**{**self.tree.args, "exists": None})
        return AlterTable(plain, ()).with_clauses(clause.unconditional() for clause in self.clauses)

    def with_clauses(self, clauses: Iterable[Clause], *, table: exp.Table | None = None) -> AlterTable:
        """The same with other clauses, and of another table."""
        made = tuple(clauses)
        arguments = {
            "this": table or self.tree.this,
            "actions": [clause.node for clause in made if not clause.is_option],
            "options": [clause.node for clause in made if clause.is_option] or None,
        }
        return AlterTable(exp.Alter(**{**self.tree.args, **arguments}), made)


def read_alter(tree: exp.Expr | None) -> AlterTable | None:
    """None for any other statement."""
    if not isinstance(tree, exp.Alter) or tree.args.get("kind") != "TABLE" or not isinstance(tree.this, exp.Table):
        return None
    actions = (clause for action in tree.args.get("actions") or () for clause in _clauses(action))
    options = tree.args.get("options") or ()
    return AlterTable(tree, (*actions, *(_option(option, options) for option in options)))


def parse_alter(sql: str) -> AlterTable | None:
    """The statement `sql`; None where it is no ALTER TABLE."""
    return read_alter(parse_sql(sql))


def _clauses(action: exp.Expr) -> Iterator[Clause]:
    match action:
        case exp.ModifyColumn():
            new = action.this.this
            yield ModifyColumn(action, action.args.get("rename_from") or new, new)
        case exp.RenameColumn():
            yield RenameColumn(action, action.this, action.args["to"])
        case exp.RenameIndex():
            yield RenameIndex(action, action.this, action.args["to"])
        case exp.AlterColumn() if not action.args.get("dtype") and not action.args.get("using"):
            yield AlterColumn(action, action.this, action.this)
        case exp.Drop() if len(action.args["tables"]) == 1 and action.args.get("kind") in _DROPS:
            yield _DROPS[action.args["kind"]](action, action.args["tables"][0])
        case exp.DropPrimaryKey():
            yield DropPrimaryKey(action, exp.to_identifier("PRIMARY"))
        case exp.AddConstraint():
            for element in action.expressions:
                one = exp.AddConstraint(expressions=[element], exists=action.args.get("exists"))
                yield add_key(one) or Unread(one)
        case exp.Command() if (to := conversion_of(action)) is not None:
            yield Convert(action, to)
        case _:
            yield _PLAIN.get(type(action), Unread)(action)


def _option(option: exp.Expr, all_options: Iterable[exp.Expr]) -> Clause:
    match option:
        case exp.AlgorithmProperty() | exp.LockProperty():
            return Manner(option)
        case exp.CharacterSetProperty() | exp.CollateProperty():
            named = default_named(all_options)
            assert named is not None
            return DefaultSet(option, named)
        case exp.EngineProperty() if option.name.upper() != "INNODB":
            return Option(option)
        case exp.Property() if (cost := _cost_of(option)) is not None:
            return RoutedOption(option, cost)
        case _:
            return Option(option)


def _cost_of(option: exp.Property) -> Cost | None:
    """None for an option that is not routed."""
    named = _NAMED.get(option.name.upper()) if type(option) is exp.Property else None
    return named or _OPTIONS.get(type(option))
