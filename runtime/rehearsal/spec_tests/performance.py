"""In which ways is a story played? Pure.

On the way back each database of the shards counts as a log of its own, and nothing orders the logs. So beside the ways
in which events are cut in the order of time, the logs are read one after the other: everything that one of them has,
while the other ones are late.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.spec_tests.story import Story
from shardwright.specs.spec_tests.spec_tests import Moment

Batch = tuple[tuple[str, Event], ...]
"""Events with their logical tables."""


@dataclass(frozen=True, slots=True)
class Performance:
    """One way to play a story: how its events are cut, when its given rows arrive."""

    story: Story
    cut: tuple[int, ...]
    copied: Moment
    logs: tuple[str, ...] = ()
    """The databases of the shards in the order in which their logs are read; empty: in the order of time."""

    @property
    def batches(self) -> tuple[Batch, ...]:
        found: list[Batch] = []
        start = 0
        for size in self.cut:
            found.append(self.story.events[start : start + size])
            start += size
        if self.logs:
            found.sort(key=lambda batch: self.logs.index(_database(batch[0][1])))
        return tuple(found)

    def happened(self, index: int) -> int:
        """How many events have happened when batch `index` is decided, at least. All, where logs are late."""
        return len(self.story.events) if self.logs else sum(self.cut[: index + 1])


def performances(story: Story) -> tuple[Performance, ...]:
    in_time = (Performance(story, cut, copied) for cut in story.cuts for copied in story.case.copied)
    return (*in_time, *_log_by_log(story))


def _log_by_log(story: Story) -> Iterator[Performance]:
    """Where every event is a batch of its own: the logs in the order in which they are first written, and from the last
    to the first."""
    logs = tuple(dict.fromkeys(_database(event) for _, event in story.events))
    if story.case.direction.reads_source or len(logs) == 1:
        return
    for sizes, cut in zip(story.case.batches, story.cuts, strict=True):
        if len(sizes) > 1 and set(sizes) == {1}:
            yield Performance(story, cut, "first", logs)
            yield Performance(story, cut, "first", logs[::-1])


def _database(event: Event) -> str:
    return event.source.split(".", 1)[0]
