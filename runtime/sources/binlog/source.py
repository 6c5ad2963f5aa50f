"""What the stream asks of a server's binary log as a source: its identity, proved positions, its ranges, and where it
continues.

Runs in the driver; reads the source server.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from shardwright.compiler.ddl.logged.new_tables import NOTHING_MEANT, MeantTables
from shardwright.compiler.plan.catalogue import Column as SourceColumn
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.raw_connection import RawConnection, raw_connection
from shardwright.runtime.sources.binlog.connection import server_identity
from shardwright.runtime.sources.binlog.failover import resume
from shardwright.runtime.sources.binlog.log_range import Log, Orders, Own
from shardwright.runtime.sources.binlog.place import created_of
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.binlog.read_locks import ReadLocks
from shardwright.runtime.sources.binlog.reading import LogReading
from shardwright.runtime.sources.binlog.replaced import Replaced
from shardwright.runtime.sources.binlog.rewind import EarlierPlace
from shardwright.runtime.sources.binlog.same_server import behind_purged_files, require_same_log
from shardwright.runtime.sources.binlog.scan import next_boundary
from shardwright.runtime.sources.binlog.server_log import look_at
from shardwright.runtime.sources.binlog.snapshot_position import proved_position, proved_snapshot
from shardwright.runtime.sources.binlog.visible import snapshot_behind
from shardwright.runtime.sources.queue.lost_queue import resume_from_log
from shardwright.runtime.sources.queue.offsets import QueueOffsets
from shardwright.runtime.sources.resumable import Resumed
from shardwright.specs.environment.environment import BatchLimits, FailoverSettings

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


@dataclass(frozen=True, slots=True)
class LogStream:
    """The binary log of one source server."""

    name: str
    """The source's name in positions."""
    endpoint: Endpoint
    """The server."""
    database: str
    """A database that exists on the server; connections begin in it."""
    columns: Mapping[str, tuple[SourceColumn, ...]]
    """Table ("database.table") -> all its columns, for every table that the source carries."""
    replaced: Mapping[str, Replaced]
    """Table ("database.table") -> the columns that matter of the images that updates replace; all columns where a table
    is absent."""
    limits: BatchLimits
    """How large a batch may be."""
    orders: Orders = field(default_factory=dict)
    """Table ("database.table") -> which of its columns make an image; all where a table is absent."""
    own: Own = frozenset()
    """The ledgers on this server of the other direction, and of migrations that the spec names."""
    meant: MeantTables = NOTHING_MEANT
    """Names that new tables must not get unseen."""
    epoch: int = 0
    """How many times the stream has gone over to another server; positions of this source carry it."""
    failover: FailoverSettings = field(default_factory=FailoverSettings)
    """How far back the stream may go, and how long to wait, after a change of servers."""
    keys: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Table ("database.table") -> which columns of an image are its key."""
    connections: int | None = None
    """How many tasks read the log at a time, at most; None: as many as Spark runs."""

    @property
    def tables(self) -> frozenset[str]:
        return frozenset(self.columns)

    def identity(self) -> str:
        with raw_connection(self.endpoint, self.database) as connection:
            return server_identity(connection)

    @contextmanager
    def snapshot(self, *, exact: bool = True) -> Iterator[tuple[LogPosition, RawConnection]]:
        with (
            raw_connection(self.endpoint, self.database) as connection,
            proved_snapshot(connection, self._locks, exact=exact) as position,
        ):
            created = created_of(self.endpoint, position.file)
            yield replace(position, epoch=self.epoch, created=created), connection

    @contextmanager
    def reader_behind(self, part: LogPosition | QueueOffsets) -> Iterator[RawConnection]:
        with raw_connection(self.endpoint, self.database) as connection:
            if isinstance(part, QueueOffsets):  # begun while a queue was read that is lost
                yield connection
                return
            with snapshot_behind(connection, part, self._locks):
                yield connection

    def proved(self) -> LogPosition:
        with raw_connection(self.endpoint, self.database) as connection:
            return replace(proved_position(connection, self._locks), epoch=self.epoch)

    @property
    def _locks(self) -> ReadLocks:
        return ReadLocks(self.endpoint, sorted(self.columns))

    def head(self) -> LogPosition:
        """The end of the log, with all that the server has executed by then, or a little more: what a copy that is read
        now may hold."""
        log = look_at(self.endpoint)
        gtids = None if log.executed is None else str(log.executed)
        return replace(log.head, epoch=self.epoch, server=log.identity, gtids=gtids)

    @property
    def settle_seconds(self) -> float:
        return 0.0

    def marked(self) -> LogPosition:
        return self.head()

    def unmark(self) -> bool:
        return False

    def end(self) -> LogPosition:
        return self.head()

    def resumed(
        self,
        recorded: LogPosition | QueueOffsets,
        copied: Sequence[LogPosition],
        earlier: Sequence[EarlierPlace],
        *,
        without: Collection[str] = (),
    ) -> Resumed:
        endpoint, tables = self.endpoint, sorted(self.columns)
        if isinstance(recorded, QueueOffsets):
            return resume_from_log(endpoint, recorded, tables=tables, margin=self.failover.margin_seconds)
        found = resume(
            endpoint,
            recorded,
            copied=copied,
            tables=tables,
            settled=self.failover,
            earlier=earlier,
            without=without,
        )
        return Resumed(found.position, found.copied_until, found.decisions)

    def at_position(self, part: LogPosition | QueueOffsets) -> LogStream:
        """Where the stream reads a queue, the log beside it has one epoch."""
        return replace(self, epoch=part.epoch) if isinstance(part, LogPosition) else self

    def reading(self, spark: SparkSession, start: LogPosition) -> LogReading:
        tasks = spark.sparkContext.defaultParallelism
        return LogReading(self.name, self.log(), self.limits, min(tasks, self.connections or tasks), self.keys)

    def log(self) -> Log:
        """What tasks need to read the log."""
        return Log(self.endpoint, self.columns, self.replaced, self.own, self.orders, self.meant)

    def behind(self, part: LogPosition | QueueOffsets) -> Column:
        from pyspark.sql import functions as F

        if isinstance(part, QueueOffsets):
            return F.lit(True)  # begun while a queue was read that is lost: the log is read from before the loss
        epoch, file, offset = F.col("epoch"), F.col("file"), F.col("offset")
        behind = (file > part.file_number) | ((file == part.file_number) & (offset >= part.offset))
        return (epoch > part.epoch) | ((epoch == part.epoch) & behind)

    def probe(self, part: LogPosition | QueueOffsets) -> None:
        log = look_at(self.endpoint)
        if not isinstance(part, LogPosition) or part.server not in (None, log.identity):
            return  # another server is checked at the start
        if behind_purged_files(log, part) is None:
            require_same_log(log, part, sorted(self.columns))
            next_boundary(self.log(), part, limits=self.limits)

    def order_events(self, events: DataFrame, start: LogPosition, end: LogPosition) -> tuple[DataFrame, LogPosition]:
        return events, end

    def finished(self, part: LogPosition) -> None:
        return None
