"""What is asked of a queue beside its messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from shardwright.runtime.sources.queue.offsets import Offsets


@dataclass(frozen=True, slots=True)
class Topics:
    """`ids`: topic -> the queue's identity of it; `partitions`: every partition as "topic/number"."""

    ids: Mapping[str, str]
    partitions: tuple[str, ...]


class QueueBooks(Protocol):
    """Raises Unreachable when it does not answer."""

    def name(self) -> str:
        """Which queue it is, as the recorded source is named."""
        ...

    def topics(self) -> Topics: ...

    def beginnings(self, partitions: tuple[str, ...]) -> Offsets:
        """The first offset that each partition still holds."""
        ...

    def ends(self, partitions: tuple[str, ...]) -> Offsets:
        """The offset behind the last message of each partition."""
        ...

    def readable(self, partitions: tuple[str, ...]) -> Offsets:
        """Up to which offset each partition can be read now: before transactions that are still open, where there are any."""
        ...

    def commit(self, group: str, offsets: Offsets) -> None:
        """Show finished offsets to operators' tools."""
        ...
