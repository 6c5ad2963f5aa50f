"""Where the stream is in a queue, offset by partition, and what the ledger keeps of it.

Pure. Used in the driver. Where a mark is, only the queue's source can say (`QueueSource.settle`).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from shardwright.runtime.sources.positions.part import KeptPlace, PositionPart

Offsets = Mapping[str, int]
"""Partition ("topic/number") -> the offset of the next message."""
BY_QUEUE: Final = -1
"""The epoch of events that only the queue's own order tells apart."""
UNORDERED: Final = (BY_QUEUE, 0, 0)
"""The place (epoch, file, offset) of events that are alone in their batch, so that there is nothing to order."""


@dataclass(frozen=True, slots=True)
class QueueOffsets:
    """A place in a queue. A *mark* is a place that is known by its time only: everything committed at the source before
    `at` is before it. It has no offsets until it is settled. With a `marker` it is known by rows that were written
    then, too."""

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
    """Time of a mark, in seconds since 1970; None for any other place, a settled mark included."""
    source: str = ""
    """Name of the source to whose queue a mark belongs; empty for any other place."""
    markers: Mapping[str, int] = field(default_factory=dict)
    """Partition -> the newest marker before this place (see `marker`); without those that have none."""
    marker: int | None = None
    """The number of a mark's marker; None for any other place, and for marks without one."""

    @property
    def epoch(self) -> int:
        return 0

    @property
    def partitions(self) -> int:
        return len(self.offsets)

    @property
    def may_bring_earlier(self) -> bool:
        return True

    @property
    def may_repeat(self) -> bool:
        return False

    @property
    def repair_from_batch(self) -> int | None:
        return None

    @property
    def event_place(self) -> tuple[int, int, int]:
        return UNORDERED

    @property
    def short(self) -> KeptPlace:
        return dict(self.offsets)

    def is_past(self, kept: KeptPlace) -> bool:
        return not isinstance(kept, tuple) and self.has_reached(QueueOffsets(offsets=kept))

    def has_reached(self, other: PositionPart) -> bool:
        """A mark is reached when everything is read that the queue held once the maximum delivery delay after it was
        over. One with a marker is reached as soon as every partition has shown it, since each keeps the source's order.
        Where only some show it (the tables have topics of their own), the delay counts as well. Where the queue ended
        then is not known before the mark is settled."""
        if not isinstance(other, QueueOffsets):
            return False
        shown = self._shows(other)
        return self._holds(other) if shown is None else shown

    def awaits_end_at(self, other: QueueOffsets) -> bool:
        """Whether only the queue's end after the delay shows that the mark `other` is reached."""
        return other.at is not None and self._shows(other) is None

    def _shows(self, other: QueueOffsets) -> bool | None:
        """Whether the partitions have shown the marker of `other`; None where only some have, or it has none."""
        if other.marker is None:
            return None
        shown = sum(self.markers.get(name, 0) >= other.marker for name in self.offsets)
        return shown > 0 if shown in (0, len(self.offsets)) else None

    def _holds(self, other: QueueOffsets) -> bool:
        return other.at is None and all(self.offsets.get(name, 0) >= offset for name, offset in other.offsets.items())

    def settle(self, ends: Offsets) -> QueueOffsets:
        """The same mark, now that it is known where the queue ended after it and the maximum delivery delay."""
        return QueueOffsets(ends) if self.marker is None else replace(self, offsets=ends, at=None)

    def must_replay(self, *, until: QueueOffsets) -> QueueOffsets:
        """A queue's batch need not end where another one did."""
        return self

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
