"""What does the dry run know of a table: its plan, its entry in the spec, and where the rule puts a row? Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.columns.mapping import SOURCE
from shardwright.compiler.columns.row_mapping import RowMapping, plain_mapping
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.sharding.build import ShardFunction, route
from shardwright.specs.findings.diagnostics import Span
from shardwright.specs.spec.model import Spec

Row = Sequence[str | None]
"""A row of the source table: every column, in table order, as canonical text."""


@dataclass(frozen=True, slots=True)
class Place:
    shard: int
    part: int


@dataclass(frozen=True, slots=True)
class Layout:
    """One table, with the Python forms of its rule and its columns."""

    table: TablePlan
    """The compiled plan of the table."""
    shards: int
    """The number of target databases."""
    span: Span
    """The table's entry in the spec, for findings."""
    function: ShardFunction | None
    """The Python form of the sharding rule; None: not sharded."""
    mapping: RowMapping
    """The Python form of the columns and the row filter."""
    groups: tuple[tuple[str, ...], ...] = ()
    """The spec's field groups, by source column names."""
    keeps_decisions: bool = False
    """Whether decisions come with their reasons (`flight_recorder`)."""

    def texts(self, row: Row) -> dict[str, str | None]:
        """The columns of a row that the plan reads, by name."""
        return {column.name: row[column.position] for column in self.table.source.reads}

    def copy(self, row: Row, source: str) -> list[str | None]:
        """The row of that source table ("database.table"), as the target has it."""
        return self.mapping.python(self.texts(row) | {SOURCE: source})

    def place(self, row: Row) -> Place:
        """The row's place; for a broadcast table, the first of its places."""
        if self.function is None:
            return Place(self.table.placement.only_database or 0, 0)
        columns = self.table.source.columns
        values = {
            column.name: _value(text, column.type)
            for column, text in zip(columns, row, strict=True)
            if column.name in self.table.placement.shard_key
        }
        return Place(*route(self.function, values))

    def places(self, row: Row) -> tuple[Place, ...]:
        if self.table.placement.has_copies:
            return tuple(Place(shard, 0) for shard in range(self.shards))
        return (self.place(row),)


def layout(
    spec: Spec,
    plan: Plan,
    table: TablePlan,
    functions: Mapping[str, ShardFunction],
    mapping: RowMapping | None = None,
) -> Layout:
    """`functions` are the compiler's, by logical table. `mapping` None: every column unchanged."""
    entry = next(entry for entry in spec.tables if (entry.to or entry.table) == table.logical)
    span = spec.span_of((*entry.path, "table"))
    function = functions.get(table.logical)
    groups = tuple(group.columns for group in entry.groups)
    own = mapping or plain_mapping(table)
    return Layout(table, len(plan.databases), span, function, own, groups, plan.flight_recorder > 0)


def _value(text: str | None, kind: ColumnType) -> object:
    if text is None:
        return None
    if kind.is_integer:
        return int(text)
    return bytes.fromhex(text) if kind.is_bytes else text
