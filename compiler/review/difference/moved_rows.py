"""How many rows would stand elsewhere: both versions' sharding functions, evaluated over the same keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.review.difference.changes import Flow, RowsMove
from shardwright.compiler.sharding.function import ShardFunction, route
from shardwright.compiler.sharding.key_samples import sample_rows

KEYS = 20_000
FLOWS_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Placing:
    """One version's way to place the rows of a table: physical table names by database and part number."""

    function: ShardFunction
    databases: tuple[str, ...]
    tables: tuple[str, ...]

    def place(self, row: Mapping[str, object]) -> tuple[str, str]:
        database, part = route(self.function, row)
        return self.databases[database], self.tables[part]


def placing(plan: Plan, table: TablePlan, function: ShardFunction) -> Placing:
    return Placing(function, plan.databases, tuple(table.logical + suffix for suffix in plan.parts(table)))


def moved_rows(
    logical: str,
    before: Placing,
    after: Placing,
    *,
    columns: Mapping[str, Column],
    sample: Iterable[Mapping[str, object]] | None,
) -> RowsMove | None:
    """The share of rows that change place; None when no key of the sample does. `columns` are those of the table by
    name; `sample` holds rows with the columns of both functions, None stands for the made-up key space."""
    names = sorted(before.function.columns() | after.function.columns())
    rows = sample if sample is not None else sample_rows([columns[name] for name in names], KEYS)
    total, elsewhere, flows = 0, 0, Counter[tuple[str, str]]()
    for row in rows:
        old, new = before.place(row), after.place(row)
        total += 1
        elsewhere += old != new
        if old[0] != new[0]:
            flows[old[0], new[0]] += 1
    if not elsewhere:
        return None
    largest = tuple(Flow(source, target, count / total) for (source, target), count in _largest(flows))
    what = "the key space" if sample is None else "the sample"
    return RowsMove(logical, elsewhere / total, flows.total() / total, total, what, largest)


def _largest(flows: Counter[tuple[str, str]]) -> list[tuple[tuple[str, str], int]]:
    return sorted(flows.items(), key=lambda item: (-item[1], item[0]))[:FLOWS_SHOWN]
