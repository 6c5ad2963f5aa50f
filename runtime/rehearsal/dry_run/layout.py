"""A table as the dry run sees it: its plan, its place in the spec, and where the rule puts a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.columns.row_mapping import RowMapping, plain_mapping
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.sharding.build import ShardFunction, route
from shardwright.specs.findings.span import Span
from shardwright.specs.spec.model import Spec

Row = Sequence[str | None]
"""A row of the source table: every column, in table order, as canonical text."""


@dataclass(frozen=True, slots=True)
class Place:
    shard: int
    part: int


@dataclass(frozen=True, slots=True)
class Layout:
    """`span` is the table's entry in the spec. `function` is the Python form of the sharding rule (None: not sharded),
    `mapping` that of the columns and the row filter. `groups` are the spec's field groups."""

    table: TablePlan
    shards: int
    span: Span
    function: ShardFunction | None
    mapping: RowMapping
    groups: tuple[tuple[str, ...], ...] = ()

    def texts(self, row: Row) -> dict[str, str | None]:
        """What is read of a row, by name."""
        return {column.name: row[column.position] for column in self.table.reads}

    def place(self, row: Row) -> Place:
        """Where the row stands; for a broadcast table, the first of its places."""
        if self.function is None:
            return Place(self.table.database or 0, 0)
        columns = self.table.source_columns
        values = {
            column.name: _value(text, column.type)
            for column, text in zip(columns, row, strict=True)
            if column.name in self.table.shard_key
        }
        return Place(*route(self.function, values))

    def places(self, row: Row) -> tuple[Place, ...]:
        if self.table.distribution == "broadcast":
            return tuple(Place(shard, 0) for shard in range(self.shards))
        return (self.place(row),)


def layout(
    spec: Spec,
    plan: Plan,
    table: TablePlan,
    functions: Mapping[str, ShardFunction],
    mapping: RowMapping | None = None,
) -> Layout:
    """`functions` are the compiler's, by logical table. `mapping` None: every column as it is."""
    entry = next(entry for entry in spec.tables if (entry.to or entry.table) == table.logical)
    span = spec.span_of((*entry.path, "table"))
    function = functions.get(table.logical)
    groups = tuple(group.columns for group in entry.groups)
    return Layout(table, len(plan.databases), span, function, mapping or plain_mapping(table), groups)


def _value(text: str | None, kind: ColumnType) -> object:
    if text is None:
        return None
    if kind.is_integer:
        return int(text)
    return bytes.fromhex(text) if kind.is_bytes else text
