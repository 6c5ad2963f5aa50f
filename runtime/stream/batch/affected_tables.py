"""What do the counts of a batch's events show: which logical tables it touches, which events count for them yet, and
which tables' new rows may go in place while the batch is staged?

Runs in the driver; pure, but for a condition on Spark's frame of events.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.compiler.sql.batch_sql import inserts_packed
from shardwright.runtime.sources.event_counts import EventCounts
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import Sources
from shardwright.runtime.stream.apply.statements import what_it_does


def find_affected_tables(plan: Plan, counts: EventCounts, more: Collection[str] = ()) -> tuple[str, ...]:
    """The tables with events, and those of `more`, in the plan's order."""
    return tuple(
        table.logical
        for table in plan.tables
        if table.logical in more or any(str(name) in counts.by_table for name in table.sources)
    )


Begins = Sequence[tuple[StreamPosition, frozenset[str]]]
"""Positions, each with the source tables whose events count from there."""


def begins_of(
    plan: Plan, weights: Mapping[int, StreamPosition], read_at: Mapping[str, StreamPosition]
) -> tuple[tuple[StreamPosition, frozenset[str]], ...]:
    """`weights`: weight -> the position from which its tables count. `read_at`: source table -> its own position, where
    that is another. A weight without a position has not begun, and its tables are left out."""
    found = []
    for weight, position in weights.items():
        tables = {str(name) for table in plan.tables if table.weight == weight for name in table.sources}
        found.append((position, frozenset(tables - read_at.keys())))
    return (*found, *((position, frozenset({name})) for name, position in read_at.items()))


def counts_of_started_tables(counts: EventCounts, begins: Begins) -> EventCounts:
    """The counts without tables that have not begun."""
    return counts.of({name for _, tables in begins for name in tables})


def newest_times(sources: Sources, known: Mapping[str, int], counts: EventCounts) -> Mapping[str, int]:
    """The newest commit times by source; those of `counts` replace the `known` ones."""
    found = dict(known)
    for source in sources:
        times = [at for table, at in counts.committed_at.items() if table in source.tables]
        if times:
            found[source.name] = max(times)
    return found


def events_of_started_tables(
    changes: DataFrame, plan: Plan, sources: Sources, begins: Begins, *, start: StreamPosition
) -> DataFrame:
    """Of the events behind `start`, those at or behind the position where their table begins. Returns `changes` itself
    where all count."""
    begun = {name for _, tables in begins for name in tables}
    if all(str(name) in begun for table in plan.tables for name in table.sources) and _is_after_all(
        sources, begins, start
    ):
        return changes
    counting = reduce(lambda left, right: left | right, _conditions(sources, begins), F.lit(False))
    return changes.where(counting)


def _is_after_all(sources: Sources, begins: Begins, start: StreamPosition) -> bool:
    for source in sources:
        ours = start.parts[source.name]
        for position, tables in begins:
            if not tables & source.tables:
                continue
            if ours.may_bring_earlier or not ours.has_reached(position.parts[source.name]):
                return False
    return True


def _conditions(sources: Sources, begins: Begins) -> Iterator[Column]:
    for position, begun in begins:
        for source in sources:
            tables = sorted(begun & source.tables)
            if tables:
                yield F.col("table").isin(tables) & source.condition_from(position.parts[source.name])


_PLAIN = frozenset(
    {"forget_tombstones", "insert_new", "insert", "update"}
    # Of unique keys. The server refuses a new row whose value is not free yet, and all are staged then.
    | {"defer", "free_values", "delete_early", "yield_to_stream", "make_room", "collision", "collision_inside"}
    | {"written_columns", "stash_table", "stash", "remove_stashed", "update_stash", "restore", "drop_stash_table"}
)
"""Statements of an upsert that leave a new row which can be inserted as it is."""


def placeable(plan: Plan) -> Mapping[str, tuple[str, ...]]:
    """Tables of which new rows may go in place: logical table -> the suffixes of its physical tables."""
    collapsed = {step.table for step in plan.steps if step.name is StepName.COLLAPSE}
    return {
        table.logical: tuple(plan.parts(table))
        for table in plan.tables
        if table.logical not in collapsed and not table.writes.marks_columns and _is_plain(plan, table)
    }


def direct_insert_tables(plan: Plan, known: Collection[str], touched: Collection[str]) -> frozenset[str]:
    """The tables among `known`, which are placeable, of which new rows go in place in any batch of the tables
    `touched`: those whose sub-step comes first."""
    tables = [plan.table(name) for name in touched]
    if any(table.asks_shards for table in tables):
        return frozenset()
    lightest = min((table.weight for table in tables), default=0)
    return frozenset(table.logical for table in tables if table.weight == lightest and table.logical in known)


def all_new(plan: Plan, known: Collection[str], touched: Collection[str], counts: EventCounts) -> bool:
    """Whether every event of a batch of the tables `touched` inserts a row, and all of them go in place, their tables
    being among `known`. Then no two of them are of one row, and none are merged."""
    return (
        len({plan.table(logical).weight for logical in touched}) == 1
        and counts.by_table.keys() <= counts.only_inserts
        and all(logical in known and inserts_packed(plan, logical) for logical in touched)
    )


def _is_plain(plan: Plan, table: TablePlan) -> bool:
    statements = plan.step(table.logical, StepName.UPSERT).statements
    return {what_it_does(statement.name) for statement in statements} <= _PLAIN
