"""Whether a queue keeps the order of changes: keys of each partition's recent messages show when two partitions carry
changes of one row (hazard F3).

Runs in the driver, which collects keys by Spark jobs; touches no server but the queue, for its ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.queue_offsets import BY_QUEUE, Offsets
from shardwright.runtime.sources.queue.message_events import MIXED, STRETCH
from shardwright.specs.findings.remedies import START_OVER

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


MOST = 4_000_000
"""The most rows that are remembered; one takes about a hundred bytes. Beyond it the oldest are forgotten."""


@dataclass
class _Span:
    """Keys that were read from `start` on, up to the time `sealed_at` (seconds of the clock). They are needed until the
    stream has passed `ends`."""

    start: Offsets
    begun_at: float
    keys: dict[int, str] = field(default_factory=dict)
    sealed_at: float | None = None
    ends: Offsets | None = None


@dataclass
class RecentKeys:
    """The keys of recent messages, by partition. `ends` asks the queue where it ends. `settle` is the maximum delivery
    delay in seconds."""

    ends: Callable[[], Offsets]
    settle: float
    start: Offsets
    clock: Callable[[], float] = time.monotonic
    _spans: list[_Span] = field(init=False)

    def __post_init__(self) -> None:
        self._spans = [_Span(self.start, self.clock())]

    @property
    def since(self) -> Offsets:
        """All remembered keys were read from here on."""
        return self._spans[0].start

    def note(self, keys: Iterable[tuple[int, str]]) -> int | None:
        """Remember (hash of a key, partition) pairs. Returns a hash that was seen in two partitions, if there is
        one."""
        twice = None
        current = self._spans[-1].keys
        for key, origin in keys:
            for span in self._spans:
                if span.keys.get(key, origin) != origin:
                    twice = key
            current[key] = origin
        return twice

    def forget_before(self, position: Offsets) -> None:
        """The stream is at `position`: forget keys for which no change can be late any more."""
        now = self.clock()
        for span in self._spans[:-1]:
            assert span.sealed_at is not None
            if span.ends is None and now >= span.sealed_at + self.settle:
                span.ends = self.ends()
        while len(self._spans) > 1 and self._is_done(self._spans[0], position):
            del self._spans[0]
        while len(self._spans) > 1 and sum(len(span.keys) for span in self._spans) > MOST:
            del self._spans[0]
        current = self._spans[-1]
        if now >= current.begun_at + self.settle:
            current.sealed_at = now
            self._spans.append(_Span(dict(position), now))

    def _is_done(self, span: _Span, position: Offsets) -> bool:
        return span.ends is not None and all(position.get(name, 0) >= end for name, end in span.ends.items())


_BY_LOG_ONLY = 2


@dataclass
class Window:
    """Events of a range of the queue; `stretches` are collected when they are first needed."""

    events: DataFrame
    _stretches: list[Any] | None = field(default=None)

    @property
    def changes(self) -> DataFrame:
        return self.events.where("table IS NOT NULL")

    def keys(self) -> Iterator[tuple[int, str]]:
        """Hash of a key and the partition that changed its row, for every such pair."""
        from pyspark.sql import functions as F

        both = F.explode(F.array("key_before", "key_after")).alias("key")
        pairs = self.changes.select("origin", both).where("key IS NOT NULL").distinct()
        return ((row["key"], row["origin"]) for row in pairs.collect())

    def stretches(self) -> list[Any]:
        if self._stretches is None:
            fields = ("op", "origin", "origin_offset", "file", "offset", "row", "log", "committed_at", "key_after")
            self._stretches = self.events.where("table IS NULL").select(*fields).collect()
        return self._stretches

    def markers(self) -> dict[str, int]:
        """Partition -> the newest marker; without those that show none."""
        found: dict[str, int] = {}
        for row in self.stretches():
            if row["key_after"] is not None:
                found[row["origin"]] = max(row["key_after"], found.get(row["origin"], 0))
        return found

    def orders(self) -> int:
        """Bits: 1 where the queue orders changes, 2 where the log does."""
        return reduce(or_, (row["row"] for row in self.stretches()), 0)

    def require_one_order(self) -> None:
        if self.orders() == MIXED:
            row = self.stretches()[-1]
            raise Refused(
                "SW8458",
                f"among the messages up to {row['origin']} offset {row['origin_offset']} some hold their place in the "
                "source's log and others do not: they have no common order. Set the producer's options to the same "
                f"values for all messages, and {START_OVER}, or continue from the source's own log",
            )

    def find_highest(self, log: str | None, committed_at: int | None) -> tuple[str | None, int | None]:
        """The highest place in the source's log and the newest commit time, of these messages and what was known
        before. Raises Refused when the messages have begun to come from another log."""
        highest = None if log is None else LogPosition(log.rpartition(":")[0], int(log.rpartition(":")[2]))
        for row in self.stretches():
            if row["op"] != STRETCH:
                raise _another_log(row["origin"], row["origin_offset"], "its places go back while its times advance")
            if row["log"] is not None:
                place = LogPosition(row["log"], row["offset"])
                if highest is not None and highest.log_name != place.log_name:
                    raise _another_log(row["origin"], row["origin_offset"], f"it was {highest}, it is {place}")
                highest = place if highest is None else max(highest, place)
        times = [row["committed_at"] for row in self.stretches() if row["committed_at"] is not None]
        newest = max([*times, committed_at or 0]) or None
        return None if highest is None else str(highest), newest


def in_order(window: Window, recent: RecentKeys | None, whole: Callable[[], DataFrame]) -> DataFrame | None:
    """The changes to apply in place of the window's; None: the window's have an order as they are. `recent` is None
    when there is one partition. `whole` reads all remembered messages again."""
    window.require_one_order()
    if recent is None:
        return None
    twice = recent.note(window.keys())
    if twice is None:
        return None
    everything = Window(whole())
    if everything.orders() != _BY_LOG_ONLY:
        raise _no_order(everything, twice)
    return everything.changes


def _no_order(window: Window, key: int) -> Refused:
    found = window.changes.where(f"(key_before = {key} OR key_after = {key}) AND epoch = {BY_QUEUE}")
    rows = found.select("table", "origin", "origin_offset").orderBy("origin_offset").collect()
    places = {row["origin"]: row["origin_offset"] for row in rows}
    where = " and ".join(f"{name} offset {offset}" for name, offset in sorted(places.items()))
    table = rows[0]["table"] if rows else "a table"
    return Refused(
        "SW8453",
        f"{table}: changes of one row are in several partitions ({where}), and the messages do not hold their place "
        "in the source's log: their order is not known. Have the producer choose the partition by the primary key "
        "(an update of the primary key then needs one partition for the whole table), or let its messages carry "
        "file, position and row",
    )


def _another_log(origin: str, offset: int, how: str) -> Refused:
    topic, _, number = origin.rpartition("/")
    return Refused(
        "SW8456",
        f"topic {topic}, partition {number}, up to offset {offset}: the messages come from another log than before "
        f"({how}): the producer reads another server, or the server's log was reset. Verify the tables, then "
        f"{START_OVER}, or continue from the source's own log",
    )
