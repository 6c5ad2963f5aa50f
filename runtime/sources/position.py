"""Where the stream stands: one part for each source it reads, a log or a queue."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.queue.offsets import QueueOffsets


class PositionPart(Protocol):
    """A place in one source. `reached`: everything before `other` lies before this one, too."""

    def reached(self, other: Self) -> bool: ...

    def bytes_before(self, other: Self) -> int | None:
        """How much of the source lies between this place and `other`; None where that cannot be told."""
        ...

    def to_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class StreamPosition:
    """Source name -> where the stream stands in it. Ordered part by part: of two positions neither need have reached the
    other."""

    parts: Mapping[str, PositionPart] = field(default_factory=dict)

    def reached(self, other: StreamPosition) -> bool:
        """Whether every source that `other` names stands at or behind its place there."""
        return all(name in self.parts and self.parts[name].reached(part) for name, part in other.parts.items())

    def settled(self) -> StreamPosition:
        """With offsets in place of marks that are known by now."""
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
"""A member that only one kind of part has in its JSON form -> how that kind is read."""


def part_from_json(value: Mapping[str, Any]) -> PositionPart:
    """Raises ValueError for a part that no known kind of source has written."""
    for member, read in KINDS.items():
        if member in value:
            return read(value)
    raise ValueError(f"no source stands at {value}")
