"""What the stream asks of a server's binary log as a source: its identity, proved positions, its ranges, and where it
continues.

Runs in the driver; reads the source server.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from shardwright.compiler.ddl.logged.new_tables import NOTHING_MEANT, MeantTables
from shardwright.compiler.plan.catalogue import Column as SourceColumn
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.raw_connection import RawConnection, raw_connection
from shardwright.runtime.sources.binlog.before_columns import EVERYTHING, BeforeColumns
from shardwright.runtime.sources.binlog.connection import server_identity
from shardwright.runtime.sources.binlog.ddl_statements import statement_at
from shardwright.runtime.sources.binlog.failover import Resumption, resume
from shardwright.runtime.sources.binlog.instead_of_queue import resume_from_log
from shardwright.runtime.sources.binlog.log import Log, Orders, Own
from shardwright.runtime.sources.binlog.place import creation_time
from shardwright.runtime.sources.binlog.read_locks import ReadLocks
from shardwright.runtime.sources.binlog.reading import LogReading
from shardwright.runtime.sources.binlog.same_server import begin_of_oldest_file, require_same_log
from shardwright.runtime.sources.binlog.scan import next_boundary
from shardwright.runtime.sources.binlog.server_log import look_at
from shardwright.runtime.sources.binlog.snapshot_position import prove_position, prove_snapshot
from shardwright.runtime.sources.binlog.table_changed import CODE as TABLE_CHANGED
from shardwright.runtime.sources.binlog.visible import snapshot_after
from shardwright.runtime.sources.binlog.walk import walk
from shardwright.runtime.sources.positions.earlier_place import EarlierPlace
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.part import PositionPart
from shardwright.runtime.sources.positions.queue_offsets import QueueOffsets
from shardwright.runtime.sources.positions.stream_position import StreamPosition, in_log
from shardwright.runtime.sources.source import Sources
from shardwright.specs.environment.environment import BatchLimits, FailoverSettings

_NO_LIMIT: Final = 1 << 62

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

    from shardwright.runtime.sources.logged_statement import LoggedStatement
    from shardwright.runtime.sources.positions.message_ref import Where


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
    replaced: Mapping[str, BeforeColumns]
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
            prove_snapshot(connection, self._locks, exact=exact) as position,
        ):
            created = creation_time(self.endpoint, position.file)
            yield replace(position, epoch=self.epoch, created=created), connection

    @contextmanager
    def reader_after(self, part: PositionPart) -> Iterator[RawConnection]:
        place = in_log(part)
        with raw_connection(self.endpoint, self.database) as connection:
            if place is None:  # begun while a queue was read that is lost
                yield connection
                return
            with snapshot_after(connection, place, self._locks):
                yield connection

    def rows_now(self) -> AbstractContextManager[tuple[LogPosition, RawConnection]]:
        return self.snapshot()

    def prove(self) -> LogPosition:
        with raw_connection(self.endpoint, self.database) as connection:
            return replace(prove_position(connection, self._locks), epoch=self.epoch)

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

    @property
    def needs_server(self) -> bool:
        return True

    @property
    def producer_check(self) -> None:
        return None

    def has_reached(self, part: PositionPart, goal: PositionPart) -> bool:
        return part.has_reached(goal)

    def settle(self, part: PositionPart) -> PositionPart:
        return part

    def mark(self) -> LogPosition:
        return self.head()

    def unmark(self) -> bool:
        return False

    def end(self) -> LogPosition:
        return self.head()

    def find_resumption(
        self,
        recorded: Any,
        copied: Sequence[Any],
        earlier: Sequence[EarlierPlace],
        *,
        without: Collection[str] = (),
    ) -> Resumption:
        """Where the stream continues, if the server is another one now. `copied`: positions behind `recorded` up to
        which rows have been copied. `earlier`: places that the stream has passed and may go back to, newest first.
        `without`: codes of questions about transactions that the present server lacks, which an operator has
        answered."""
        endpoint, tables = self.endpoint, sorted(self.columns)
        if isinstance(recorded, QueueOffsets):
            return resume_from_log(endpoint, recorded, tables=tables, margin=self.failover.margin_seconds)
        return resume(
            endpoint,
            recorded,
            copied=copied,
            tables=tables,
            settled=self.failover,
            earlier=earlier,
            without=without,
        )

    def at_position(self, part: PositionPart) -> LogStream:
        """Where the stream reads a queue, the log beside it has one epoch."""
        return replace(self, epoch=part.epoch)

    def end_after(self, recorded: PositionPart, *, identity: str) -> LogPosition:
        """A log of another server, or one that was reset, begins a new epoch."""
        place, head = in_log(recorded), self.at_position(recorded).head()
        if place is None:  # a queue was read before
            return head
        same = head.server == identity and head.log_name == place.log_name and head >= place
        return head if same else replace(head, epoch=place.epoch + 1)

    def reading(self, spark: SparkSession, start: LogPosition) -> LogReading:
        tasks = spark.sparkContext.defaultParallelism
        return LogReading(self.name, self.log(), self.limits, min(tasks, self.connections or tasks), self.keys)

    def log(self) -> Log:
        """What tasks need to read the log."""
        return Log(self.endpoint, self.columns, self.replaced, self.own, self.orders, self.meant)

    def own_log(self) -> Log:
        """The same for what our own runs have written."""
        return replace(self.log(), only_own=True)

    def in_rounds(self) -> LogStream:
        """As rounds of both directions read it: every change with both of its images, and a range never ends before
        what our last batch has written."""
        limits = replace(self.limits, max_rows=_NO_LIMIT, max_bytes=_NO_LIMIT)
        return replace(self, replaced=EVERYTHING, limits=limits)

    def condition_from(self, part: PositionPart) -> Column:
        from pyspark.sql import functions as F

        place = in_log(part)
        if place is None:
            return F.lit(True)  # begun while a queue was read that is lost: the log is read from before the loss
        epoch, file, offset = F.col("epoch"), F.col("file"), F.col("offset")
        behind = (file > place.file_number) | ((file == place.file_number) & (offset >= place.offset))
        return (epoch > place.epoch) | ((epoch == place.epoch) & behind)

    def probe(self, part: PositionPart) -> None:
        log, place = look_at(self.endpoint), in_log(part)
        if place is None or place.server not in (None, log.identity):
            return  # another server is checked at the start
        if begin_of_oldest_file(log, place) is None:
            require_same_log(log, place, sorted(self.columns))
            next_boundary(self.log(), place, limits=self.limits)

    def statement_at(self, part: PositionPart, stopped: RuntimeFailure) -> LoggedStatement | None:
        place = in_log(part) if stopped.code == TABLE_CHANGED else None
        return None if place is None else statement_at(self.log(), place)

    def range_before(self, spark: SparkSession, part: PositionPart, stopped: RuntimeFailure) -> None:
        return None  # its ranges end before such statements

    def find_stopping_message(self, part: PositionPart, where: Where, code: str) -> None:
        return None

    def row_events_since(self, part: PositionPart) -> tuple[Mapping[str, int], LogPosition]:
        """Table -> how many events of its rows, which are not of our own, the log has since `part`, up to its end; and
        that end. Raises Refused where the log does not reach back that far, or has an event that cannot be followed."""
        start = self.find_resumption(part, (), ()).position
        end = self.at_position(start).head()
        found = Counter(step.table.name for step in walk(self.log(), start, end) if step.table is not None)
        return found, end

    def order_events(self, events: DataFrame, start: LogPosition, end: LogPosition) -> tuple[DataFrame, LogPosition]:
        return events, end

    def finish(self, part: LogPosition) -> None:
        return None


def log_streams(sources: Sources) -> list[LogStream]:
    """Those of the sources that are servers' logs."""
    return [source for source in sources if isinstance(source, LogStream)]


def logs_at(sources: Sources, position: StreamPosition) -> Iterator[tuple[LogStream, LogPosition]]:
    """The logs among the sources, each with the stream's place in it."""
    places = position.logs
    for log in log_streams(sources):
        if log.name in places:
            yield log, places[log.name]
