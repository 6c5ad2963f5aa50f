"""What does a run ask of a queue's brokers, whichever queue it is?

Used in the driver. Implementations ask the brokers; only `commit` writes to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from shardwright.runtime.sources.positions.queue_offsets import Offsets

Row = tuple[bytes | None, bytes | None, str, int, int]
"""A message as Spark's frames have it: key, value, topic, partition and offset."""


@dataclass(frozen=True, slots=True)
class Topics:
    """`ids`: topic -> the queue's identity of it; `partitions`: every partition as "topic/number"."""

    ids: Mapping[str, str]
    partitions: tuple[str, ...]


class BrokerMetadata(Protocol):
    """The metadata of a queue's brokers. Its methods raise Unreachable when the queue does not answer."""

    def name(self) -> str:
        """Which queue it is, in the form of a recorded source's name."""
        ...

    def topics(self) -> Topics: ...

    def beginnings(self, partitions: tuple[str, ...]) -> Offsets:
        """The first offset that each partition still holds."""
        ...

    def ends(self, partitions: tuple[str, ...]) -> Offsets:
        """The offset behind the last message of each partition."""
        ...

    def readable(self, partitions: tuple[str, ...]) -> Offsets:
        """Up to which offset each partition can be read now: before transactions that are still open, where there are
        any."""
        ...

    def commit(self, group: str, offsets: Offsets) -> None:
        """Show finished offsets to operators' tools."""
        ...
