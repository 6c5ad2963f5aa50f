"""The clauses about one column."""

from __future__ import annotations

from collections.abc import Iterator, Set

from sqlglot import exp

from shardwright.compiler.ddl.alter.clause import Change, Clause, Drop, Effect
from shardwright.compiler.ddl.alter.cost import Cost
from shardwright.compiler.ddl.alter.routing import Routing
from shardwright.compiler.ddl.shape.table_edit import (
    NotCalculable,
    drop_column,
    find_column,
    part_of,
    parts_of,
    place_column,
    rename_column,
    replace_column,
    set_default,
    without_place,
)
from shardwright.compiler.ddl.source.source_side import SourceSide
from shardwright.compiler.sql.named_columns import columns_in
from shardwright.compiler.sql.printer import generator_class

_PLAIN_PARTS = (
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


class AddColumn(Clause):
    node: exp.ColumnDef

    def print_sql(self) -> str:
        printer = generator_class("mysql")(dialect="mysql", identify=True)
        return str(printer.add_column_sql(self.node))

    def effects(self) -> Iterator[Effect]:
        yield Effect("column", self.node.name, True)

    def columns_used(self, before: Set[str]) -> Iterator[str]:
        yield from (name.name.lower() for part in parts_of(self.node) for name in columns_in(part))
        if part_of(self.node, exp.UniqueColumnConstraint):
            yield self.node.name.lower()

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        parts = parts_of(self.node)
        if not isinstance(self.node.kind, exp.DataType) or not all(isinstance(part, _PLAIN_PARTS) for part in parts):
            yield Cost.OTHER
            return
        yield next(filter(None, map(_cost_of_value, parts)), Cost.ADD_COLUMN)
        if part_of(self.node, exp.UniqueColumnConstraint):
            yield Cost.ADD_INDEX
        if part_of(self.node, exp.CheckColumnConstraint):
            yield Cost.ADD_CHECK

    def check(self, routing: Routing) -> None:
        if routing.is_free:
            return
        routing.refuse_taken(self.node.this)
        routing.refuse_foreign(self.node)
        parts = parts_of(self.node)
        if part_of(self.node, exp.PrimaryKeyColumnConstraint):
            routing.error("SW4212", "rows are found by their key: it cannot become another column", at=self.node)
        if part_of(self.node, exp.UniqueColumnConstraint):
            routing.warn_unique()
        required = any(isinstance(p, exp.NotNullColumnConstraint) and not p.args.get("allow_null") for p in parts)
        filled = any(isinstance(p, (exp.DefaultColumnConstraint, exp.ComputedColumnConstraint)) for p in parts)
        if required and not filled:
            message = f"copied rows bring no value for the new column '{self.node.name}'"
            routing.error("SW4213", message, "allow NULL, or give it a DEFAULT", at=self.node)

    def apply(self, table: exp.Create) -> None:
        table.this.append("expressions", without_place(self.node))
        place_column(table, self.node)

    def restate(self, table: exp.Create) -> None:
        replace_column(table, self.node)

    def follow(self, source: SourceSide) -> None:
        source.add(self.node)


def _cost_of_value(part: exp.Expr) -> Cost | None:
    """Where the value of a new column in rows that are there comes from, if it is not a constant."""
    match part:
        case exp.ComputedColumnConstraint():
            return Cost.ADD_STORED if part.args.get("persisted") else Cost.ADD_VIRTUAL
        case exp.GeneratedAsIdentityColumnConstraint():
            return Cost.ADD_VIRTUAL if part.args.get("expression") is not None else Cost.OTHER
        case exp.DefaultColumnConstraint() if _is_now(part.this):
            return Cost.ADD_COLUMN_NOW
        case exp.DefaultColumnConstraint() if not _is_constant(part.this):
            return Cost.ADD_COLUMN_COMPUTED
        case _:
            return None


def _is_now(value: exp.Expr) -> bool:
    """Both servers take the time of the statement for all rows that are there."""
    called = isinstance(value, exp.Anonymous) and value.name.upper() == "NOW"
    return called or isinstance(value, (exp.CurrentTimestamp, exp.Localtimestamp))


def _is_constant(value: exp.Expr) -> bool:
    plain = value.this if isinstance(value, exp.Neg) else value
    return isinstance(plain, (exp.Literal, exp.Null, exp.Boolean, exp.HexString, exp.BitString, exp.National))


class _ChangeColumn(Change):
    destructive = True

    def columns_used(self, before: Set[str]) -> Iterator[str]:
        if self.old.name.lower() in before:
            yield self.new.name.lower()

    def why_no_tool(self) -> str:
        if self.renames:
            return "it renames a column, which the tools guess from the text: rename it in a statement of its own"
        return Clause.why_no_tool(self)

    def check(self, routing: Routing) -> None:
        routing.refuse_copied(self.old, self.verb)
        if self.renames:
            routing.refuse_taken(self.new)


class ModifyColumn(_ChangeColumn):
    """MODIFY, CHANGE."""

    node: exp.ModifyColumn
    verb = "change"
    cost = Cost.RETYPE_COLUMN

    def prerequisites(self) -> Iterator[exp.Expr]:
        yield from Clause.prerequisites(self)
        if not self.node.args.get("rename_from"):
            yield self.new

    def check(self, routing: Routing) -> None:
        _ChangeColumn.check(self, routing)
        if not routing.is_free:
            routing.refuse_foreign(self.node.this)

    def apply(self, table: exp.Create) -> None:
        rename_column(table, self.old.name, self.new.name)
        replace_column(table, self.node.this)
        place_column(table, self.node.this)

    def restate(self, table: exp.Create) -> None:
        replace_column(table, self.node.this)

    def follow(self, source: SourceSide) -> None:
        if self.renames:
            source.rename(self.old.name, self.new.name)
        moved = self.node.this.args.get("position") or self.node.args.get("position")
        source.modify(self.node.this, moved=bool(moved))


class RenameColumn(_ChangeColumn):
    verb = "rename"
    cost = Cost.RENAME_COLUMN

    def apply(self, table: exp.Create) -> None:
        rename_column(table, self.old.name, self.new.name)

    def restate(self, table: exp.Create) -> None:
        if not self.renames:
            raise NotCalculable
        find_column(table, self.new.name)

    def follow(self, source: SourceSide) -> None:
        source.rename(self.old.name, self.new.name)


class AlterColumn(Change):
    """SET DEFAULT, DROP DEFAULT, and MySQL's SET VISIBLE, SET INVISIBLE."""

    node: exp.AlterColumn
    verb = "change"

    def prerequisites(self) -> Iterator[exp.Expr]:
        yield self.old

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        default = self.node.args.get("default")
        is_plain = self.node.args.get("drop") or (default and _is_constant(default))
        shown = Cost.COLUMN_VISIBILITY if self.node.args.get("visible") else None
        yield shown or (Cost.DEFAULT if is_plain else Cost.OTHER)

    def apply(self, table: exp.Create) -> None:
        if "visible" in self.node.args:
            raise NotCalculable
        column = find_column(table, self.old.name)
        set_default(column, self.node.args.get("default"))

    def follow(self, source: SourceSide) -> None:
        source.set_default(self.node)


class DropColumn(Drop):
    kind = "column"

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        yield Cost.DROP_USED_COLUMN if self.target.name.lower() in used else Cost.DROP_COLUMN

    def check(self, routing: Routing) -> None:
        routing.refuse_copied(self.target, self.verb)

    def apply(self, table: exp.Create) -> None:
        drop_column(table, self.target.name)

    def follow(self, source: SourceSide) -> None:
        source.drop(self.target.name)
