"""What the clauses of a routed ALTER TABLE do, in the words by which the servers' manuals say how each is carried
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from enum import StrEnum

from sqlglot import exp

from shardwright.compiler.sql.character_sets import converted_to
from shardwright.compiler.sql.named_columns import columns_in


class Clause(StrEnum):
    """The value is what documents call it."""

    ADD_COLUMN = "ADD COLUMN"
    ADD_COLUMN_NOW = "ADD COLUMN … DEFAULT CURRENT_TIMESTAMP"
    ADD_COLUMN_COMPUTED = "ADD COLUMN … DEFAULT (expression)"
    ADD_VIRTUAL = "ADD COLUMN … VIRTUAL"
    ADD_STORED = "ADD COLUMN … STORED"
    DROP_COLUMN = "DROP COLUMN"
    DROP_USED_COLUMN = "DROP COLUMN of one that an earlier file has used for an index"
    RENAME_COLUMN = "RENAME COLUMN"
    RETYPE_COLUMN = "MODIFY COLUMN, CHANGE COLUMN"
    DEFAULT = "ALTER COLUMN … SET DEFAULT, DROP DEFAULT"
    COLUMN_VISIBILITY = "ALTER COLUMN … SET VISIBLE, INVISIBLE"
    ADD_INDEX = "ADD INDEX, ADD UNIQUE INDEX"
    ADD_FUNCTIONAL_INDEX = "ADD INDEX over an expression"
    ADD_FUNCTIONAL_UNIQUE = "ADD UNIQUE INDEX over an expression"
    ADD_FULLTEXT = "ADD FULLTEXT INDEX"
    ADD_SPATIAL = "ADD SPATIAL INDEX"
    DROP_INDEX = "DROP INDEX"
    RENAME_INDEX = "RENAME INDEX"
    INDEX_VISIBILITY = "ALTER INDEX … VISIBLE, INVISIBLE"
    PRIMARY_KEY = "ADD PRIMARY KEY, also with DROP PRIMARY KEY"
    ADD_CHECK = "ADD CHECK, also of a new column"
    DROP_CHECK = "DROP CHECK, DROP CONSTRAINT"
    CONVERT = "CONVERT TO CHARACTER SET"
    DEFAULT_SET = "CHARACTER SET, COLLATE of the table, for new columns"
    TABLE_COMMENT = "COMMENT of the table"
    BUILD_ANEW = "FORCE, ENGINE=InnoDB, ROW_FORMAT, KEY_BLOCK_SIZE"
    STATISTICS = "STATS_PERSISTENT, STATS_AUTO_RECALC, STATS_SAMPLE_PAGES"
    OTHER = "anything else"


_STATISTICS = frozenset({"STATS_PERSISTENT", "STATS_AUTO_RECALC", "STATS_SAMPLE_PAGES"})
_PLAIN_CONSTRAINTS = (
    exp.NotNullColumnConstraint,
    exp.CommentColumnConstraint,
    exp.CharacterSetColumnConstraint,
    exp.CollateColumnConstraint,
    exp.OnUpdateColumnConstraint,
    exp.InvisibleColumnConstraint,
    exp.UniqueColumnConstraint,
    exp.CheckColumnConstraint,
    exp.DefaultColumnConstraint,
    exp.ComputedColumnConstraint,
    exp.GeneratedAsIdentityColumnConstraint,
    exp.Var,  # UNSIGNED, where the type does not hold it
)


def clauses_of(tree: exp.Alter, *, used: frozenset[str] = frozenset()) -> tuple[Clause, ...]:
    """In the statement's order. `used`: columns, in lower case, that an index, a check or a generated column may
    name."""
    found: list[Clause] = []
    for action in tree.args.get("actions") or ():
        found += _of_action(action, used)
    for option in tree.args.get("options") or ():
        if not isinstance(option, (exp.AlgorithmProperty, exp.LockProperty)):
            found.append(_of_option(option))
    return tuple(found) or (Clause.OTHER,)


def is_unknown_option(option: exp.Expr) -> bool:
    """Whether it is none of the table options that are routed."""
    return _of_option(option) is Clause.OTHER


def _of_option(option: exp.Expr) -> Clause:
    match option:
        case exp.SchemaCommentProperty():
            return Clause.TABLE_COMMENT
        case exp.CharacterSetProperty() | exp.CollateProperty():
            return Clause.DEFAULT_SET
        case exp.EngineProperty() if option.name.upper() == "INNODB":
            return Clause.BUILD_ANEW
        case exp.RowFormatProperty():
            return Clause.BUILD_ANEW
        case exp.Property() if option.name.upper() == "KEY_BLOCK_SIZE":
            return Clause.BUILD_ANEW
        case exp.Property() if option.name.upper() in _STATISTICS:
            return Clause.STATISTICS
        case _:
            return Clause.OTHER


def columns_used(tree: exp.Alter, before: Set[str] = frozenset()) -> frozenset[str]:
    """The columns, in lower case, that an index, a check or a generated column may name after the statement, if
    `before` were those before it. A column that was used once counts for used."""
    names = set(before)
    for action in tree.args.get("actions") or ():
        match action:
            case exp.AddConstraint():
                names.update(name.name.lower() for name in columns_in(action))
            case exp.ColumnDef():
                parts = action.args.get("constraints") or ()
                names.update(name.name.lower() for part in parts for name in columns_in(part))
                if any(isinstance(part.kind, exp.UniqueColumnConstraint) for part in parts):
                    names.add(action.name.lower())
            case exp.ModifyColumn() if action.args.get("rename_from"):
                names.update(_renamed(action.args["rename_from"], action.this, names))
            case exp.RenameColumn():
                names.update(_renamed(action.this, action.args["to"], names))
    return frozenset(names)


def _renamed(old: exp.Expr, new: exp.Expr, names: Set[str]) -> tuple[str, ...]:
    return (new.name.lower(),) if old.name.lower() in names else ()


def _of_action(action: exp.Expr, used: frozenset[str]) -> Iterator[Clause]:
    match action:
        case exp.ColumnDef():
            yield from _of_new_column(action)
        case exp.ModifyColumn():
            yield Clause.RETYPE_COLUMN
        case exp.RenameColumn():
            yield Clause.RENAME_COLUMN
        case exp.AlterColumn():
            yield _of_altered_column(action)
        case exp.DropPrimaryKey():
            yield Clause.PRIMARY_KEY
        case exp.Drop():
            yield _of_drop(action, used)
        case exp.AddConstraint():
            for element in action.expressions:
                yield _of_key(element)
        case exp.RenameIndex():
            yield Clause.RENAME_INDEX
        case exp.AlterIndex():
            yield Clause.INDEX_VISIBILITY
        case exp.ForceProperty():
            yield Clause.BUILD_ANEW
        case exp.Command() if converted_to(action) is not None:
            yield Clause.CONVERT
        case _:
            yield Clause.OTHER


def _of_new_column(definition: exp.ColumnDef) -> Iterator[Clause]:
    kinds = [part.kind for part in definition.args.get("constraints") or ()]
    known = isinstance(definition.args.get("kind"), exp.DataType)
    if not known or not all(isinstance(kind, _PLAIN_CONSTRAINTS) for kind in kinds):
        yield Clause.OTHER
        return
    yield next(filter(None, map(_of_value, kinds)), Clause.ADD_COLUMN)
    if any(isinstance(kind, exp.UniqueColumnConstraint) for kind in kinds):
        yield Clause.ADD_INDEX
    if any(isinstance(kind, exp.CheckColumnConstraint) for kind in kinds):
        yield Clause.ADD_CHECK


def _of_value(kind: exp.Expr) -> Clause | None:
    """Where the value of a new column in rows that are there comes from, if it is not a constant."""
    match kind:
        case exp.ComputedColumnConstraint() if kind.args.get("persisted"):
            return Clause.ADD_STORED
        case exp.ComputedColumnConstraint():
            return Clause.ADD_VIRTUAL
        case exp.GeneratedAsIdentityColumnConstraint():
            return Clause.ADD_VIRTUAL if kind.args.get("expression") is not None else Clause.OTHER
        case exp.DefaultColumnConstraint() if _is_now(kind.this):
            return Clause.ADD_COLUMN_NOW
        case exp.DefaultColumnConstraint() if not _is_constant(kind.this):
            return Clause.ADD_COLUMN_COMPUTED
        case _:
            return None


def _is_now(value: exp.Expr) -> bool:
    """Both servers take the time of the statement for all rows that are there."""
    called = isinstance(value, exp.Anonymous) and value.name.upper() == "NOW"
    return called or isinstance(value, (exp.CurrentTimestamp, exp.Localtimestamp))


def _is_constant(value: exp.Expr) -> bool:
    plain = value.this if isinstance(value, exp.Neg) else value
    return isinstance(plain, (exp.Literal, exp.Null, exp.Boolean, exp.HexString, exp.BitString, exp.National))


def _of_altered_column(action: exp.AlterColumn) -> Clause:
    if action.args.get("visible"):
        return Clause.COLUMN_VISIBILITY
    default = action.args.get("default")
    return Clause.DEFAULT if action.args.get("drop") or (default and _is_constant(default)) else Clause.OTHER


def _of_drop(action: exp.Drop, used: frozenset[str]) -> Clause:
    match action.args.get("kind"):
        case "COLUMN":
            is_used = action.args["tables"][0].name.lower() in used
            return Clause.DROP_USED_COLUMN if is_used else Clause.DROP_COLUMN
        case "INDEX":
            is_primary = action.args["tables"][0].name.upper() == "PRIMARY"
            return Clause.PRIMARY_KEY if is_primary else Clause.DROP_INDEX
        case "CHECK" | "CONSTRAINT":
            return Clause.DROP_CHECK
        case _:
            return Clause.OTHER


def _of_key(element: exp.Expr) -> Clause:
    inner = element.expressions[0] if isinstance(element, exp.Constraint) else element
    match inner:
        case exp.PrimaryKey():
            return Clause.PRIMARY_KEY
        case exp.CheckColumnConstraint():
            return Clause.ADD_CHECK
        case exp.UniqueColumnConstraint() if isinstance(inner.this, exp.Schema):
            found = _of_parts(inner.this.expressions)
            return Clause.ADD_FUNCTIONAL_UNIQUE if found is Clause.ADD_FUNCTIONAL_INDEX else found
        case exp.IndexColumnConstraint():
            kinds = {"FULLTEXT": Clause.ADD_FULLTEXT, "SPATIAL": Clause.ADD_SPATIAL}
            return kinds.get(str(inner.args.get("kind") or "").upper()) or _of_parts(inner.expressions)
        case _:
            return Clause.OTHER


def _of_parts(parts: list[exp.Expr]) -> Clause:
    plain = [part.this if isinstance(part, exp.Ordered) else part for part in parts]
    named = all(isinstance(part, (exp.Column, exp.ColumnPrefix, exp.Identifier)) for part in plain)
    return Clause.ADD_INDEX if named else Clause.ADD_FUNCTIONAL_INDEX
