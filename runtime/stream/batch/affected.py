"""What do the counts of a batch's events show: which logical tables it touches, which events count for them yet, and
which tables' new rows may go in place while the batch is staged?

Runs in the driver; pure, but for a condition on Spark's frame of events.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.event_counts import EventCounts
from shardwright.runtime.sources.position import StreamPosition
from shardwright.runtime.sources.source import Sources
from shardwright.runtime.stream.stage.lookup import asks_shards


def affected_tables(plan: Plan, counts: EventCounts, more: Collection[str] = ()) -> tuple[str, ...]:
    """The tables with events, and those of `more`, in the plan's order."""
    return tuple(
        table.logical
        for table in plan.tables
        if table.logical in more or any(str(name) in counts.by_table for name in table.sources)
    )


def counts_of_started_tables(plan: Plan, counts: EventCounts, begun: Collection[int]) -> EventCounts:
    """The counts without tables whose weight is not one of `begun`."""
    return counts.of({str(name) for table in plan.tables if table.weight in begun for name in table.sources})


def newest_times(sources: Sources, known: Mapping[str, int], counts: EventCounts) -> Mapping[str, int]:
    """The newest commit times by source; those of `counts` replace the `known` ones."""
    found = dict(known)
    for source in sources:
        times = [at for table, at in counts.committed_at.items() if table in source.tables]
        if times:
            found[source.name] = max(times)
    return found


def events_of_started_tables(
    changes: DataFrame, plan: Plan, sources: Sources, begins: Mapping[int, StreamPosition], *, start: StreamPosition
) -> DataFrame:
    """Of the events behind `start`, those at or behind the position where their table's weight begins; a weight without
    one has not begun. Returns `changes` itself where all count."""
    if {table.weight for table in plan.tables} <= begins.keys() and _behind_all(sources, begins, start):
        return changes
    counting = reduce(lambda left, right: left | right, _conditions(plan, sources, begins), F.lit(False))
    return changes.where(counting)


def _behind_all(sources: Sources, begins: Mapping[int, StreamPosition], start: StreamPosition) -> bool:
    for source in sources:
        ours = start.parts[source.name]
        for position in begins.values():
            part = position.parts[source.name]
            # A queue's batch may be made, once more, of messages that were read before.
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


_PLAIN = frozenset({"forget_tombstones", "insert_new", "insert", "update"})


def placeable(plan: Plan) -> Mapping[str, tuple[str, ...]]:
    """Logical table -> the suffixes of its physical tables."""
    collapsed = {step.table for step in plan.steps if step.name is StepName.COLLAPSE}
    return {
        table.logical: tuple(plan.parts(table))
        for table in plan.tables
        if table.logical not in collapsed and table.write == "rows" and _is_plain(plan, table)
    }


def placed_now(plan: Plan, known: Collection[str], touched: Collection[str]) -> frozenset[str]:
    """The tables among `known`, which are placeable, whose sub-step comes first in a batch of the tables `touched`."""
    tables = [plan.table(name) for name in touched]
    if any(asks_shards(table) for table in tables):
        return frozenset()
    lightest = min((table.weight for table in tables), default=0)
    return frozenset(table.logical for table in tables if table.weight == lightest and table.logical in known)


def _is_plain(plan: Plan, table: TablePlan) -> bool:
    return {statement.name for statement in plan.step(table.logical, StepName.UPSERT).statements} <= _PLAIN
