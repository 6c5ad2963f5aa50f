"""Where the stream is in a queue, offset by partition, and what the ledger keeps of it.

Runs in the driver. A mark asks the queue for its end; all else is pure.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

Offsets = Mapping[str, int]
"""Partition ("topic/number") -> the offset of the next message."""
Row = tuple[bytes | None, bytes | None, str, int, int]
"""A message as Spark's frames have it: key, value, topic, partition and offset."""


@dataclass(frozen=True, slots=True)
class QueueOffsets:
    """A place in a queue. A *mark* is a place that is known by its time only: everything committed at the source before
    `at` is before it. It has no offsets of its own. With a `marker` it is known by rows that were written then, too."""

    offsets: Offsets = field(default_factory=dict)
    """Partition ("topic/number") -> offset of the next message; empty in a mark."""
    ids: Mapping[str, str] = field(default_factory=dict)
    """Topic -> the queue's own identity of it: a topic that was deleted and made again has another."""
    log: str | None = None
    """The highest coordinate ("file:offset") in the source's log among the messages before this place; None where no
    message has one."""
    committed_at: int | None = None
    """Newest commit time among the messages before this place, in seconds since 1970; None where there is none."""
    since: Offsets = field(default_factory=dict)
    """Where the window of recently read messages begins (see `order.RecentKeys`)."""
    at: float | None = None
    """Time of a mark, in seconds since 1970; None for any other place."""
    source: str = ""
    """Name of the source to whose queue a mark belongs; empty for any other place."""
    markers: Mapping[str, int] = field(default_factory=dict)
    """Partition -> the newest marker before this place (see `marker`); without those that have none."""
    marker: int | None = None
    """The number of a mark's marker; None for any other place, and for marks without one."""

    def reached(self, other: QueueOffsets) -> bool:
        """A mark is reached when everything is read that the queue held once the maximum delivery delay after it was
        over. One with a marker is reached as soon as every partition has shown it, since each keeps the source's order.
        Where only some show it (the tables have topics of their own), the delay counts as well."""
        if other.marker is not None:
            shown = sum(self.markers.get(name, 0) >= other.marker for name in self.offsets)
            if shown in (0, len(self.offsets)):
                return shown > 0
        bounds = other.offsets if other.at is None else ends_after(other.source, other.at)
        return bounds is not None and all(self.offsets.get(name, 0) >= offset for name, offset in bounds.items())

    def settled(self) -> QueueOffsets:
        """For a mark, the offsets at which it is, once they are known in this process; else the same place."""
        bounds = None if self.at is None else ends_after(self.source, self.at)
        return self if bounds is None else QueueOffsets(offsets=bounds)

    def bytes_before(self, other: QueueOffsets) -> int | None:
        """Offsets count messages; their bytes are not known."""
        return None

    def __str__(self) -> str:
        if self.marker is not None:
            return f"marker {self.marker} in the queue of {self.source}"
        if self.at is not None:
            return f"the queue's end after {time.strftime('%H:%M:%S', time.gmtime(self.at))} UTC"
        return " ".join(f"{name}:{offset}" for name, offset in sorted(self.offsets.items())) or "the queue's beginning"

    def to_json(self) -> dict[str, Any]:
        more: dict[str, Any] = {"ids": dict(self.ids), "log": self.log}
        more |= {"committed_at": self.committed_at, "since": dict(self.since)}
        more |= {"at": self.at, "source": self.source, "markers": dict(self.markers), "marker": self.marker}
        kept = {name: value for name, value in more.items() if value}
        return {"queue": dict(self.offsets), **kept}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> QueueOffsets:
        return cls(
            offsets={name: int(offset) for name, offset in value["queue"].items()},
            ids=value.get("ids", {}),
            log=value.get("log"),
            committed_at=value.get("committed_at"),
            since={name: int(offset) for name, offset in value.get("since", {}).items()},
            at=value.get("at"),
            source=value.get("source", ""),
            markers={name: int(marker) for name, marker in value.get("markers", {}).items()},
            marker=value.get("marker"),
        )


@dataclass
class _Settling:
    """How this process finds where a queue ends. Marks outlive processes (the ledger keeps the snapshot's end), but
    `ask` does not: the code that opens the queue sets it. `seconds` is the maximum delivery delay; `known`: mark ->
    ends."""

    ask: Callable[[], Offsets]
    seconds: float
    known: dict[float, Offsets] = field(default_factory=dict)


_SETTLING: dict[str, _Settling] = {}
"""By the source's name."""


def settle_with(source: str, ask: Callable[[], Offsets], *, seconds: float) -> None:
    """From now on `ask` returns the ends of the source's queue. A change arrives in it within `seconds` after its
    commit."""
    _SETTLING[source] = _Settling(ask, seconds)


def ends_after(source: str, at: float) -> Offsets | None:
    """Where the queue ended at some moment after `at` and the maximum delivery delay; None before such a moment."""
    settling = _SETTLING.get(source)
    if settling is None:
        return None
    if at not in settling.known:
        if time.time() < at + settling.seconds:
            return None
        settling.known[at] = settling.ask()
    return settling.known[at]


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
