"""What comes next in all sources of the stream: one range, which becomes one batch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from shardwright.runtime.binlog.log_frame import LogFrame
from shardwright.runtime.event_counts import EventCounts, together
from shardwright.runtime.stream.ahead import Ahead
from shardwright.runtime.stream.log_stream import LogStream
from shardwright.runtime.stream.position import StreamPosition
from shardwright.runtime.stream.sources import Sources

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, slots=True)
class NextRange:
    """`counts` are None where only reading the events tells them. `lasting`: later ranges come in the same frame."""

    changes: DataFrame
    end: StreamPosition
    counts: EventCounts | None
    lasting: bool


class NextRanges:
    """Reads `sources` from `start` on. Belongs to the thread that asks, which then makes a batch of each range before it asks
    again."""

    def __init__(self, spark: SparkSession, sources: Sources, start: StreamPosition) -> None:
        self._readings = {source.name: source.reading(spark, start.parts[source.name]) for source in sources}
        self._logs = LogFrame(spark, {source.name: source.log() for source in sources if isinstance(source, LogStream)})

    def after(self, position: StreamPosition) -> NextRange | None:
        """None when no source has anything new."""
        found = {name: reading.ahead(position.parts[name]) for name, reading in self._readings.items()}
        new = {name: ahead for name, ahead in found.items() if ahead is not None}
        if not new:
            return None
        end = position.advanced(StreamPosition({name: ahead.end for name, ahead in new.items()}))
        counts = [ahead.counts for ahead in new.values() if ahead.counts is not None]
        lasting = all(ahead.events is None for ahead in new.values())
        known = together(counts) if len(counts) == len(new) else None
        return NextRange(self._events(list(new.values())), end, known, lasting)

    def _events(self, new: list[Ahead]) -> DataFrame:
        frames = [ahead.events() for ahead in new if ahead.events is not None]
        ranges = [item for ahead in new for item in ahead.ranges]
        if ranges or not frames:
            frames.append(self._logs.events(ranges))
        # Events of queues say more than those of logs.
        return reduce(lambda left, right: left.unionByName(right, allowMissingColumns=True), frames)

    def close(self) -> None:
        for reading in self._readings.values():
            reading.close()
