"""In which ways is a story played? Pure.

On the way back each database of the shards counts as a log of its own, and nothing orders the logs. So beside the ways
in which events are cut in the order of time, the logs are read one after the other: everything that one of them has,
while the other ones are late.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.spec_tests.resolved_case import ResolvedCase
from shardwright.specs.spec_tests.spec_tests import Moment

Batch = tuple[tuple[str, Event], ...]
"""Events with their logical tables."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """One way to play a story: how its events are cut, when its given rows arrive."""

    resolved_case: ResolvedCase
    cut: tuple[int, ...]
    copied: Moment
    logs: tuple[str, ...] = ()
    """The databases of the shards in the order in which their logs are read; empty: in the order of time."""

    @property
    def batches(self) -> tuple[Batch, ...]:
        found: list[Batch] = []
        start = 0
        for size in self.cut:
            found.append(self.resolved_case.events[start : start + size])
            start += size
        if self.logs:
            found.sort(key=lambda batch: self.logs.index(_database(batch[0][1])))
        return tuple(found)

    def event_count(self, index: int) -> int:
        """How many events have happened when batch `index` is decided, at least. All, where logs are late."""
        return len(self.resolved_case.events) if self.logs else sum(self.cut[: index + 1])


def schedules_of(resolved_case: ResolvedCase) -> tuple[Schedule, ...]:
    in_time = (
        Schedule(resolved_case, cut, copied) for cut in resolved_case.cuts for copied in resolved_case.case.copied
    )
    return (*in_time, *_log_by_log(resolved_case))


def _log_by_log(resolved_case: ResolvedCase) -> Iterator[Schedule]:
    """Where every event is a batch of its own: the logs in the order in which they are first written, and from the last
    to the first."""
    logs = tuple(dict.fromkeys(_database(event) for _, event in resolved_case.events))
    if resolved_case.case.direction.reads_source or len(logs) == 1:
        return
    for sizes, cut in zip(resolved_case.case.batches, resolved_case.cuts, strict=True):
        if len(sizes) > 1 and set(sizes) == {1}:
            yield Schedule(resolved_case, cut, "first", logs)
            yield Schedule(resolved_case, cut, "first", logs[::-1])


def _database(event: Event) -> str:
    return event.source.split(".", 1)[0]
