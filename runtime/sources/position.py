"""Where the stream is: one part for each source that it reads, a log or a queue.

Pure, except that a mark in a queue asks the queue for its end (see `queue.offsets`). Used in the driver; the ledger
keeps its text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.queue.offsets import QueueOffsets


class PositionPart(Protocol):
    """A place in one source. `reached`: everything before `other` is before this place, too."""

    def reached(self, other: Self) -> bool: ...

    def bytes_before(self, other: Self) -> int | None:
        """How many bytes of the source are between this place and `other`; None where that is not known."""
        ...

    def to_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class StreamPosition:
    """Source name -> where the stream is in it. Ordered part by part: it may be that neither of two positions has
    reached the other."""

    parts: Mapping[str, PositionPart] = field(default_factory=dict)

    def reached(self, other: StreamPosition) -> bool:
        """Whether the part of every source that `other` names is at or behind that of `other`."""
        return all(name in self.parts and self.parts[name].reached(part) for name, part in other.parts.items())

    def settled(self) -> StreamPosition:
        """This position with offsets in place of marks whose offsets are known by now."""
        parts = self.parts.items()
        return StreamPosition(
            {name: part.settled() if isinstance(part, QueueOffsets) else part for name, part in parts}
        )

    def advanced(self, other: StreamPosition) -> StreamPosition:
        """This position with the parts of `other` in place of its own."""
        return StreamPosition({**self.parts, **other.parts})

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
