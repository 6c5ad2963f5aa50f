"""The rows of dead letters as their source has them now, and from where on the stream's events of them count again.

A log is read in a snapshot whose position is proved. What a queue holds when its end is asked was committed before, so a snapshot taken
then has it; what arrives later may be in it as well, is applied once more, and leads to the same row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.ledger.dead_letters import Letter, Until
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.event import INSERT
from shardwright.runtime.sources.position import PositionPart
from shardwright.runtime.sources.queue.message_events import BY_QUEUE
from shardwright.runtime.sources.queue.offsets import QueueOffsets
from shardwright.runtime.sources.rows_by_key import Image, images_by_key
from shardwright.runtime.sources.source import StreamSource


@dataclass(frozen=True, slots=True)
class Reread:
    """A letter with the row's image at the source (None: it is gone), and where in the stream that is."""

    letter: Letter
    image: Image | None
    at: PositionPart

    @property
    def until(self) -> Until:
        return dict(self.at.offsets) if isinstance(self.at, QueueOffsets) else self.place

    @property
    def place(self) -> tuple[int, int, int]:
        """As events have it: epoch, file and offset."""
        if isinstance(self.at, LogPosition):
            return self.at.epoch, self.at.file_number, self.at.offset
        return BY_QUEUE, 0, 0  # alone in its batch: nothing is to be ordered

    def event(self) -> tuple[Any, ...]:
        """In the one shape of events."""
        return (self.letter.held.source_table, INSERT, *self.place, -1, None, None, self.image)


def read_rows(source: StreamSource, plan: Plan, letters: Collection[Letter]) -> list[Reread]:
    """All in one snapshot."""
    by_table: dict[str, list[Letter]] = defaultdict(list)
    for letter in letters:
        by_table[letter.held.logical].append(letter)
    found: list[Reread] = []
    end = source.end()
    with source.snapshot() as (part, reader):
        at = end if isinstance(end, QueueOffsets) else part
        for logical, some in by_table.items():
            for letter in some:
                images = images_by_key(reader, plan, logical, source=letter.held.source_table, keys=[letter.held.key])
                found.append(Reread(letter, images[0] if images else None, at))
    return found
