"""What the stream asks of a queue as a source, whichever broker has it: what orders its changes, what is kept of its
position, and what is proved about it before it is read further.

Runs in the driver; reads the brokers and, for snapshots, the source server. Writes the consumer group's finished
offsets, to the brokers, and for a cutover markers, to the source server.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.raw_connection import RawConnection, raw_connection
from shardwright.runtime.sources.binlog.connection import server_identity
from shardwright.runtime.sources.binlog.read_locks import ReadLocks
from shardwright.runtime.sources.binlog.visible import snapshot_of_log
from shardwright.runtime.sources.logged_statement import LoggedStatement
from shardwright.runtime.sources.messages.outcome import Decoded
from shardwright.runtime.sources.positions.message_ref import Where
from shardwright.runtime.sources.positions.part import PositionPart
from shardwright.runtime.sources.positions.queue_offsets import Offsets, QueueOffsets
from shardwright.runtime.sources.queue import stops
from shardwright.runtime.sources.queue.broker_metadata import BrokerMetadata
from shardwright.runtime.sources.queue.lost_queue import require_kept
from shardwright.runtime.sources.queue.marker import TABLE as MARKER_TABLE
from shardwright.runtime.sources.queue.marker import drop_marker, write_marker
from shardwright.runtime.sources.queue.message_events import FRAME_DDL, Decoding, Judge, event_maker
from shardwright.runtime.sources.queue.order import RecentKeys, Window, in_order
from shardwright.runtime.sources.queue.queue_reading import QueueReading
from shardwright.runtime.sources.source import FetchedRange, StoppingMessage
from shardwright.runtime.spark.failures import as_failure
from shardwright.specs.environment.environment import BatchLimits

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


_ROWS_PER_PARTITION = 16
"""So many rows of a marker, so that a producer that hashes keys leaves hardly ever a partition without one."""
Metadata = TypeVar("Metadata", bound=BrokerMetadata)


@dataclass
class QueueSource(ABC, Generic[Metadata]):
    """A queue with the changes of one source server: all subscribed topics."""

    name: str
    """The source's name in positions."""
    endpoint: Endpoint
    """The source's server, whose snapshots are read."""
    database: str
    """A database of that server; connections begin in it."""
    decoding: Decoding
    """How its messages become events."""
    brokers: Metadata
    """The metadata of the queue's brokers."""
    limits: BatchLimits
    """How large a batch may be."""
    group: str
    """The consumer group whose offsets show operators what is finished; empty where there is none."""
    settle_seconds: float
    """The maximum delivery delay: a change is in the queue at most that long after its commit."""
    session: Callable[[], SparkSession]
    """Returns the Spark session; starts Spark when it is first needed."""
    _recent: RecentKeys | None = None
    _warned: set[str] = field(default_factory=set)
    _settled: dict[float, Offsets] = field(default_factory=dict)
    """Time of a mark -> where the queue ended at some moment after it and the maximum delivery delay."""

    @abstractmethod
    def messages(self, spark: SparkSession, start: Offsets, end: Offsets) -> DataFrame:
        """The messages of a range."""

    @property
    def tables(self) -> frozenset[str]:
        return frozenset(self.decoding.tables)

    @property
    def hides_values(self) -> bool:
        """Whether the plan masks or leaves out columns: then no message is kept as it came."""
        return any(self.decoding.hidden.values())

    @property
    def needs_server(self) -> bool:
        return False

    @property
    def producer_check(self) -> str:
        return f"see that the producer sends table {MARKER_TABLE}, into a topic that is read, and is caught up"

    def identity(self) -> str:
        """The queue and the server: changes are read from the queue, chunks from the server."""
        with raw_connection(self.endpoint, self.database) as connection:
            return f"{self.brokers.name()} of {server_identity(connection)}"

    @contextmanager
    def reader_after(self, part: QueueOffsets) -> Iterator[RawConnection]:
        with self.snapshot(exact=False) as (_, connection):
            yield connection

    @contextmanager
    def snapshot(self, *, exact: bool = True) -> Iterator[tuple[QueueOffsets, RawConnection]]:
        part = self.prove()  # first: what the queue holds by now is in the log that the snapshot shows
        locks = ReadLocks(self.endpoint, sorted(self.tables))
        with (
            raw_connection(self.endpoint, self.database) as connection,
            snapshot_of_log(connection, locks),
        ):
            yield part, connection

    @contextmanager
    def rows_now(self) -> Iterator[tuple[QueueOffsets, RawConnection]]:
        end = self.end()
        with self.snapshot() as (_, connection):
            yield end, connection

    def prove(self) -> QueueOffsets:
        topics = self.brokers.topics()
        ends = self.brokers.ends(topics.partitions)
        return QueueOffsets(offsets=ends, ids=topics.ids, committed_at=int(time.time()), since=ends)

    def head(self) -> QueueOffsets:
        return QueueOffsets(at=time.time(), source=self.name)

    def mark(self) -> QueueOffsets:
        rows = _ROWS_PER_PARTITION * len(self.brokers.topics().partitions)
        number = write_marker(self.endpoint, self.database, rows=rows)
        return QueueOffsets(at=time.time(), source=self.name, marker=number)

    def unmark(self) -> bool:
        return drop_marker(self.endpoint, self.database)

    def end(self) -> QueueOffsets:
        return QueueOffsets(offsets=self._ends())

    def end_after(self, recorded: PositionPart, *, identity: str) -> QueueOffsets:
        """The end of now: what is still on its way comes again, which changes nothing. It has what is known of the
        messages before it, as long as they are those of the same topics."""
        end = self.prove()
        if isinstance(recorded, QueueOffsets) and end.ids == recorded.ids:
            return replace(end, log=recorded.log, markers=recorded.markers)
        return end

    def at_position(self, part: PositionPart) -> Self:
        return self

    def has_reached(self, part: QueueOffsets, goal: QueueOffsets) -> bool:
        return part.has_reached(self.settle(goal) if part.awaits_end_at(goal) else goal)

    def settle(self, part: QueueOffsets) -> QueueOffsets:
        if part.at is None:
            return part
        if part.at not in self._settled:
            if time.time() < part.at + self.settle_seconds:
                return part
            self._settled[part.at] = self._ends()
        return part.settle(self._settled[part.at])

    def reading(self, spark: SparkSession, start: QueueOffsets) -> QueueReading:
        start = self._from(start)
        self._recent = self._recall_keys(spark, start)
        return QueueReading(self, spark)

    def share_after(self, start: QueueOffsets) -> Offsets:
        """Where a batch behind `start` ends: every partition gets the same share of what a batch may hold."""
        topics = self.brokers.topics()
        ends = self.brokers.readable(topics.partitions)
        # The start checks that deleted messages were read. Later the read itself notices.
        require_kept(start, topics.ids, beginnings=dict.fromkeys(ends, 0), ends=ends)
        share = max(1, self.limits.max_rows // max(1, len(ends)))
        first = {name: start.offsets.get(name, 0) for name in ends}
        return {name: max(first[name], min(end, first[name] + share)) for name, end in ends.items()}

    def _from(self, start: QueueOffsets) -> QueueOffsets:
        topics = self.brokers.topics()
        partitions = topics.partitions
        beginnings, ends = self.brokers.beginnings(partitions), self.brokers.ends(partitions)
        require_kept(start, topics.ids, beginnings=beginnings, ends=ends)
        offsets = {name: start.offsets.get(name, 0) for name in partitions}
        # Remembered messages may be deleted in the queue: then no unread message is that old either.
        since = {name: max(start.since.get(name, offsets[name]), beginnings[name]) for name in partitions}
        return QueueOffsets(offsets, topics.ids, start.log, start.committed_at, since, markers=start.markers)

    def _recall_keys(self, spark: SparkSession, start: QueueOffsets) -> RecentKeys | None:
        """The keys of recent messages. Those that an earlier run has read are read again for their keys. None where
        there is one partition, which needs no memory."""
        if len(start.offsets) < 2:
            return None
        recent = RecentKeys(self._ends, self.settle_seconds, start.since)
        if start.since != start.offsets:
            recent.note(Window(self.between(spark, start.since, start.offsets)).keys())
        return recent

    def between(self, spark: SparkSession, start: Offsets, end: Offsets) -> DataFrame:
        """The events of a range."""
        return self._decode(self.messages(spark, start, end))

    def decode_at(self, partition: str, offset: int) -> Decoded:
        """What one message says, decoded in the driver. Raises Refused when it cannot be read."""
        key, value, where = self.message_at(partition, offset)
        return Judge(self.decoding).read(key, value, where)

    def message_at(self, partition: str, offset: int) -> tuple[bytes | None, bytes | None, Where]:
        """Key, value and place of one message. Raises Refused when the queue does not have it."""
        topic, _, number = partition.rpartition("/")
        found = self.messages(self.session(), {partition: offset}, {partition: offset + 1})
        rows = found.select("key", "value").collect()
        where = Where(topic, int(number), offset)
        if len(rows) != 1:
            raise Refused("SW8462", f"{where}: there is no such message")
        key, value = rows[0]
        return None if key is None else bytes(key), None if value is None else bytes(value), where

    def statement_at(self, part: QueueOffsets, stopped: RuntimeFailure) -> LoggedStatement | None:
        return stops.statement_at(self, part, stopped)

    def range_before(self, spark: SparkSession, part: QueueOffsets, stopped: RuntimeFailure) -> FetchedRange | None:
        return stops.range_before(self, spark, part, stopped)

    def find_stopping_message(self, part: QueueOffsets, where: Where, code: str) -> StoppingMessage | None:
        return stops.find_stopping_message(self, part, where, code)

    def _decode(self, messages: DataFrame) -> DataFrame:
        fields = messages.select("key", "value", "topic", "partition", "offset")
        return fields.mapInArrow(event_maker(self.decoding), FRAME_DDL)

    def condition_from(self, part: QueueOffsets) -> Column:
        """By the queue's own offsets, since it is not known to which server's log the messages' coordinates belong."""
        from pyspark.sql import functions as F

        before = F.lit(False)
        for name, offset in part.offsets.items():
            before = before | ((F.col("origin") == name) & (F.col("origin_offset") < offset))
        return ~before

    def order_events(self, events: DataFrame, start: QueueOffsets, end: QueueOffsets) -> tuple[DataFrame, QueueOffsets]:
        """The batch's changes in a proved order, and its end with what the messages say about it. Events of other
        sources stay as they are."""
        from pyspark.sql import functions as F

        ids = start.ids if set(end.offsets) == set(start.offsets) else self.brokers.topics().ids
        require_kept(start, ids, beginnings={}, ends={})
        ours = F.col("source").eqNullSafe(self.name)
        window = Window(events.where(ours))
        again = in_order(window, self._recent, lambda: self._whole_window(events, end))
        log, committed_at = window.find_highest(start.log, start.committed_at)
        since = end.offsets
        if self._recent is not None:
            self._recent.forget_before(end.offsets)
            since = self._recent.since
        changes = events.where(~ours | F.col("table").isNotNull())
        if again is not None:
            changes = events.where(~ours).unionByName(again)
        markers = {**start.markers, **window.markers()}
        return changes, QueueOffsets(end.offsets, ids, log, committed_at, dict(since), markers=markers)

    def _whole_window(self, events: DataFrame, end: QueueOffsets) -> DataFrame:
        assert self._recent is not None
        return self.between(events.sparkSession, self._recent.since, end.offsets)

    def probe(self, part: QueueOffsets) -> None:
        """Check that unread messages exist, can be decoded and have an order, as far as one batch goes."""
        start = self._from(part)
        end = self.share_after(start)
        if end == start.offsets:
            return
        spark = self.session()
        events = self.between(spark, start.offsets, end).persist()
        try:
            recent = self._recall_keys(spark, start)
            window = Window(events)
            in_order(window, recent, lambda: self.between(spark, start.since, end))
            window.find_highest(start.log, start.committed_at)
        except Exception as error:
            raise as_failure(error) from error
        finally:
            events.unpersist()

    def finish(self, part: QueueOffsets) -> str | None:
        """Show operators' tools what every shard has. Only they read it, so a failure is a warning, which is
        returned."""
        try:
            self.brokers.commit(self.group, part.offsets)
        except RuntimeFailure as error:
            warning = f"consumer group {self.group} does not show the offsets: {error.message}"
            if warning not in self._warned:
                self._warned.add(warning)
                return warning
        return None

    def _ends(self) -> Offsets:
        return self.brokers.ends(self.brokers.topics().partitions)
