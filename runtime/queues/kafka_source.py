"""Kafka as a source of the stream, through Spark's own Kafka source."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shardwright.runtime.binlog.identity import server_identity
from shardwright.runtime.connections import Address
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.queues.brokers import KafkaBrokers
from shardwright.runtime.queues.check_offsets import require_held
from shardwright.runtime.queues.message_events import FRAME_DDL, Decoding, event_maker
from shardwright.runtime.queues.offsets import Offsets, QueueOffsets, settle_with
from shardwright.runtime.queues.order import Window, in_order
from shardwright.runtime.queues.recent_keys import RecentKeys
from shardwright.runtime.raw_rows import RawConnection, raw_connection
from shardwright.runtime.source_state import proved_snapshot
from shardwright.specs.environment import BatchLimits

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

_ALWAYS = {
    # Nothing that an environment says can change these: a gap stops the stream (F6), aborted messages are none (F10).
    "failOnDataLoss": "true",
    "kafka.isolation.level": "read_committed",
}


@dataclass
class KafkaSource:
    """All subscribed topics. `address` and `database` are those of the source's server, whose snapshots are read."""

    name: str
    address: Address
    database: str
    decoding: Decoding
    brokers: KafkaBrokers
    limits: BatchLimits
    group: str
    _recent: RecentKeys | None = None
    _told: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        settle_with(self._ends, seconds=self.brokers.stream.settle_seconds)

    @property
    def tables(self) -> frozenset[str]:
        return frozenset(self.decoding.tables)

    def identity(self) -> str:
        """The cluster and the server: chunks are read from this, changes from that."""
        with raw_connection(self.address, self.database) as connection:
            return f"kafka {self.brokers.cluster()} of {server_identity(connection)}"

    @contextmanager
    def snapshot(self) -> Iterator[tuple[QueueOffsets, RawConnection]]:
        part = self.proved()  # asked first: what the queue holds by now was committed before
        with raw_connection(self.address, self.database) as connection, proved_snapshot(connection):
            yield part, connection

    def proved(self) -> QueueOffsets:
        topics = self.brokers.topics()
        ends = self.brokers.ends(topics.partitions)
        return QueueOffsets(offsets=ends, ids=topics.ids, committed_at=int(time.time()), since=ends)

    def head(self) -> QueueOffsets:
        return QueueOffsets(at=time.time())

    def events(self, spark: SparkSession, start: QueueOffsets, *, attempt: int) -> DataFrame:
        start = self._from(start)
        self._recent = self._remembered(spark, start)
        limit = {"maxOffsetsPerTrigger": str(self.limits.max_rows)}
        stream = spark.readStream.format("kafka").options(**self._options(start.offsets), **limit)
        return self._decoded(stream.load())

    def _from(self, start: QueueOffsets) -> QueueOffsets:
        topics = self.brokers.topics()
        partitions = topics.partitions
        beginnings, ends = self.brokers.beginnings(partitions), self.brokers.ends(partitions)
        require_held(start, topics.ids, beginnings=beginnings, ends=ends)
        offsets = {name: start.offsets.get(name, 0) for name in partitions}
        # What is remembered may have passed away in the queue: then nothing unread is that old either.
        since = {name: max(start.since.get(name, offsets[name]), beginnings[name]) for name in partitions}
        return QueueOffsets(offsets, topics.ids, start.log, start.committed_at, since)

    def _remembered(self, spark: SparkSession, start: QueueOffsets) -> RecentKeys | None:
        """What an earlier run had read lately is read again, to know its keys. One partition needs no memory."""
        if len(start.offsets) < 2:
            return None
        recent = RecentKeys(self._ends, self.brokers.stream.settle_seconds, start.since)
        if start.since != start.offsets:
            recent.note(Window(self.between(spark, start.since, start.offsets)).keys())
        return recent

    def between(self, spark: SparkSession, start: Offsets, end: Offsets) -> DataFrame:
        """The events of a range that was read already."""
        options = self._options({name: start.get(name, 0) for name in end})
        batch = spark.read.format("kafka").options(**options, endingOffsets=_spark_offsets(end))
        return self._decoded(batch.load())

    def _options(self, start: Offsets) -> dict[str, str]:
        stream = self.brokers.stream
        chosen = {"subscribe": ",".join(stream.topics)}
        if stream.topics_pattern is not None:
            chosen = {"subscribePattern": stream.topics_pattern}
        client = {f"kafka.{name}": value for name, value in self.brokers.settings.items()}
        return {**client, **chosen, **_ALWAYS, "startingOffsets": _spark_offsets(start)}

    def _decoded(self, messages: DataFrame) -> DataFrame:
        fields = messages.select("key", "value", "topic", "partition", "offset")
        return fields.mapInArrow(event_maker(self.decoding), FRAME_DDL)

    def end_of(self, offset: Mapping[str, Any]) -> QueueOffsets:
        offsets = {f"{topic}/{number}": end for topic, ends in offset.items() for number, end in ends.items()}
        return QueueOffsets(offsets=offsets)

    def behind(self, part: QueueOffsets) -> Column:
        """By the queue's own offsets: whose log the messages' coordinates are of is not known."""
        from pyspark.sql import functions as F

        before = F.lit(False)
        for name, offset in part.offsets.items():
            before = before | ((F.col("origin") == name) & (F.col("origin_offset") < offset))
        return ~before

    def observed(self, events: DataFrame, start: QueueOffsets, end: QueueOffsets) -> tuple[DataFrame, QueueOffsets]:
        """The batch's changes in an order that holds, and its end with what the messages told."""
        ids = start.ids if set(end.offsets) == set(start.offsets) else self.brokers.topics().ids
        require_held(start, ids, beginnings={}, ends={})
        window = Window(events)
        changes = in_order(window, self._recent, lambda: self._whole_window(events, end))
        log, committed_at = window.reached(start.log, start.committed_at)
        since = end.offsets
        if self._recent is not None:
            self._recent.passed(end.offsets)
            since = self._recent.since
        return changes, QueueOffsets(end.offsets, ids, log, committed_at, dict(since))

    def _whole_window(self, events: DataFrame, end: QueueOffsets) -> DataFrame:
        assert self._recent is not None
        return self.between(events.sparkSession, self._recent.since, end.offsets)

    def probe(self, part: QueueOffsets) -> None:
        self.head()

    def finished(self, part: QueueOffsets) -> str | None:
        """Show operators' tools what every shard has. Only they read it: failing is a warning, which is returned."""
        try:
            self.brokers.commit(self.group, part.offsets)
        except RuntimeFailure as error:
            warning = f"consumer group {self.group} does not show the offsets: {error.message}"
            if warning not in self._told:
                self._told.add(warning)
                return warning
        return None

    def _ends(self) -> Offsets:
        return self.brokers.ends(self.brokers.topics().partitions)


def _spark_offsets(offsets: Offsets) -> str:
    found: dict[str, dict[str, int]] = {}
    for name, offset in offsets.items():
        topic, _, number = name.rpartition("/")
        found.setdefault(topic, {})[number] = offset
    return json.dumps(found)
