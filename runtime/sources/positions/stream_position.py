"""Where the stream is: one part for each source that it reads, a log or a queue.

Pure. Used in the driver; the ledger keeps its text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.part import PositionPart
from shardwright.runtime.sources.positions.queue_offsets import QueueOffsets


@dataclass(frozen=True, slots=True)
class StreamPosition:
    """Source name -> where the stream is in it. Ordered part by part: it may be that neither of two positions has
    reached the other."""

    parts: Mapping[str, PositionPart] = field(default_factory=dict)

    def has_reached(self, other: StreamPosition) -> bool:
        """Whether the part of every source that `other` names is at or behind that of `other`. A mark of a queue that
        is not settled counts as reached only by its marker (`sources.source.has_reached` settles it)."""
        return all(name in self.parts and self.parts[name].has_reached(part) for name, part in other.parts.items())

    def advance(self, other: StreamPosition) -> StreamPosition:
        """This position with the parts of `other` in place of its own."""
        return StreamPosition({**self.parts, **other.parts})

    @property
    def logs(self) -> Mapping[str, LogPosition]:
        """The parts that are in logs, which have files, and a server that has them."""
        parts = {name: in_log(part) for name, part in self.parts.items()}
        return {name: part for name, part in parts.items() if part is not None}

    def __str__(self) -> str:
        if len(self.parts) == 1:
            return str(next(iter(self.parts.values())))
        return ", ".join(f"{name} {part}" for name, part in self.parts.items())

    def to_text(self) -> str:
        """The form the ledgers keep."""
        return json.dumps({name: part.to_json() for name, part in self.parts.items()})

    @classmethod
    def from_text(cls, text: str) -> StreamPosition:
        return cls({name: part_from_json(value) for name, value in json.loads(text).items()})


def in_log(part: PositionPart) -> LogPosition | None:
    """The same position, where it is one in a log; None in a queue."""
    return part if isinstance(part, LogPosition) else None


KINDS: dict[str, Callable[[Mapping[str, Any]], PositionPart]] = {
    "file": LogPosition.from_json,
    "queue": QueueOffsets.from_json,
}
"""A member that only one kind of part has in its JSON form -> the function that reads that kind."""


def part_from_json(value: Mapping[str, Any]) -> PositionPart:
    """Raises ValueError for a part that no known kind of source has written."""
    for member, read in KINDS.items():
        if member in value:
            return read(value)
    raise ValueError(f"no source is at {value}")
