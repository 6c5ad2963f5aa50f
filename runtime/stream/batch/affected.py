"""What the counts of a batch's events say: which logical tables it touches, what counts of it, how new it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.sources.event import EventCounts
from shardwright.runtime.sources.source import Sources


def touched_tables(plan: Plan, counts: EventCounts, more: Collection[str] = ()) -> tuple[str, ...]:
    """Those with events, and those of `more`, in the plan's order."""
    return tuple(
        table.logical
        for table in plan.tables
        if table.logical in more or any(str(name) in counts.by_table for name in table.sources)
    )


def of_begun(plan: Plan, counts: EventCounts, begun: Collection[int]) -> EventCounts:
    """Without tables whose weight is not one of `begun`."""
    return counts.of({str(name) for table in plan.tables if table.weight in begun for name in table.sources})


def newest_times(sources: Sources, known: Mapping[str, int], counts: EventCounts) -> Mapping[str, int]:
    """The newest commit times by source, those of `counts` over what is `known`."""
    found = dict(known)
    for source in sources:
        times = [at for table, at in counts.committed_at.items() if table in source.tables]
        if times:
            found[source.name] = max(times)
    return found
