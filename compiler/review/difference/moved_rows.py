"""How many rows would stand elsewhere: both versions' sharding functions, evaluated over the same keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.review.difference.changes import Flow, RowsMove
from shardwright.compiler.sharding.function import ShardFunction, route_each
from shardwright.compiler.sharding.key_samples import sample_rows

KEYS = 20_000
FLOWS_SHOWN = 6


@dataclass(frozen=True, slots=True)
class ShardLayout:
    """One version's way to place the rows of a table: physical table names by database and part number."""

    function: ShardFunction
    databases: tuple[str, ...]
    tables: tuple[str, ...]

    def places(self, rows: Sequence[Mapping[str, object]]) -> list[tuple[str, str]]:
        return [(self.databases[database], self.tables[part]) for database, part in route_each(self.function, rows)]


def make_layout(plan: Plan, table: TablePlan, function: ShardFunction) -> ShardLayout:
    return ShardLayout(function, plan.databases, tuple(table.logical + suffix for suffix in plan.parts(table)))


def estimate_moves(
    logical: str,
    before: ShardLayout,
    after: ShardLayout,
    *,
    columns: Mapping[str, Column],
    sample: Iterable[Mapping[str, object]] | None,
) -> RowsMove | None:
    """The share of rows that change place; None when no key of the sample does. `columns` are those of the table by
    name; `sample` holds rows with the columns of both functions, None stands for the made-up key space."""
    names = sorted(before.function.columns() | after.function.columns())
    rows = list(sample if sample is not None else sample_rows([columns[name] for name in names], KEYS))
    moved = [(old, new) for old, new in zip(before.places(rows), after.places(rows), strict=True) if old != new]
    if not moved:
        return None
    total, elsewhere = len(rows), len(moved)
    flows = Counter((old, new) for (old, _), (new, _) in moved if old != new)
    largest = tuple(Flow(source, target, count / total) for (source, target), count in _largest(flows))
    what = "the key space" if sample is None else "the sample"
    return RowsMove(logical, elsewhere / total, flows.total() / total, total, what, largest)


def _largest(flows: Counter[tuple[str, str]]) -> list[tuple[tuple[str, str], int]]:
    return sorted(flows.items(), key=lambda item: (-item[1], item[0]))[:FLOWS_SHOWN]
