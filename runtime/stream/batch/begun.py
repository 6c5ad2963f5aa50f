"""Which events count already: those of a weight whose stream has begun (see `ledger.weights`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.position import StreamPosition
from shardwright.runtime.sources.source import Sources


def begun(
    changes: DataFrame, plan: Plan, sources: Sources, begins: Mapping[int, StreamPosition], *, start: StreamPosition
) -> DataFrame:
    """Of the events behind `start`, those at or behind the position where their table's weight begins; a weight without one has not
    begun. `changes` itself where all count."""
    if {table.weight for table in plan.tables} <= begins.keys() and _behind_all(sources, begins, start):
        return changes
    counting = reduce(lambda left, right: left | right, _conditions(plan, sources, begins), F.lit(False))
    return changes.where(counting)


def _behind_all(sources: Sources, begins: Mapping[int, StreamPosition], start: StreamPosition) -> bool:
    for source in sources:
        ours = start.parts[source.name]
        for position in begins.values():
            part = position.parts[source.name]
            # A queue's batch may be made of what was read before it, once more.
            if not (isinstance(ours, LogPosition) and isinstance(part, LogPosition) and ours.reached(part)):
                return False
    return True


def _conditions(plan: Plan, sources: Sources, begins: Mapping[int, StreamPosition]) -> Iterator[Column]:
    for weight, position in begins.items():
        weighing = {str(name) for table in plan.tables if table.weight == weight for name in table.sources}
        for source in sources:
            tables = sorted(weighing & source.tables)
            if tables:
                yield F.col("table").isin(tables) & source.behind(position.parts[source.name])
