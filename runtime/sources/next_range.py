"""What comes next in all sources of the stream: one range, which becomes one batch.

Runs in the driver; reads source servers and brokers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from shardwright.runtime.sources.binlog.log_frame import LogFrame
from shardwright.runtime.sources.binlog.source import log_streams
from shardwright.runtime.sources.event_counts import EventCounts, combine
from shardwright.runtime.sources.events import Events
from shardwright.runtime.sources.left_out import NOTHING, LeftOutRange, all_left_out
from shardwright.runtime.sources.positions.log_position import LogRange
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import FetchedRange, Sources

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class NextRange:
    """The next range of all sources. `new` has the sources with new events. `counts` is None where only reading the
    events shows them. `left_out`: what our own transactions have changed in it. `lasting`: later ranges come in the
    same frame."""

    new: Sequence[FetchedRange]
    end: StreamPosition
    counts: EventCounts | None
    left_out: LeftOutRange = NOTHING

    @property
    def ranges(self) -> Sequence[LogRange]:
        """Those of logs."""
        return [item for fetched in self.new for item in fetched.ranges]

    @property
    def is_lasting(self) -> bool:
        return all(fetched.events is None for fetched in self.new)


class NextRanges:
    """Reads `sources` from `start` on. Only one thread at a time may use it."""

    def __init__(self, spark: SparkSession, sources: Sources, start: StreamPosition) -> None:
        self._readings = {source.name: source.reading(spark, start.parts[source.name]) for source in sources}
        logs = {log.name: log.log() for log in log_streams(sources)}
        self._logs = LogFrame(spark, logs)
        self.only_logs = len(logs) == len(self._readings)

    def after(self, position: StreamPosition, until: StreamPosition | None = None) -> NextRange | None:
        """None when no source has anything new. `until`: where the range ends, of logs alone."""
        ends = {} if until is None else until.parts
        found = {name: one.fetch(position.parts[name], ends.get(name)) for name, one in self._readings.items()}
        new = {name: fetched for name, fetched in found.items() if fetched is not None}
        if not new:
            return None
        end = position.advance(StreamPosition({name: fetched.end for name, fetched in new.items()}))
        counts = [fetched.counts for fetched in new.values() if fetched.counts is not None]
        known = combine(counts) if len(counts) == len(new) else None
        return NextRange(list(new.values()), end, known, all_left_out(fetched.left_out for fetched in new.values()))

    def events(self, found: NextRange) -> Events:
        frames = [fetched.events() for fetched in found.new if fetched.events is not None]
        if not frames:
            return self._logs.events(found.ranges)
        logged = self._logs.events(found.ranges) if found.ranges else None
        if logged is not None:
            frames.append(logged.frame)
        # Events of queues have more columns than those of logs.
        frame = reduce(lambda left, right: left.unionByName(right, allowMissingColumns=True), frames)
        return Events(frame, {} if logged is None else logged.properties)

    def close(self) -> None:
        for reading in self._readings.values():
            reading.close()
        self._logs.close()
