"""Which rows did a lost server's transactions change? They are read again by key, before the stream continues from the
new server's log.

Runs in the driver, while the stream does not run; reads the new source server and the remembered keys on the shards,
and writes what a batch writes.

All of it is one batch, like any other in the ledger: the new log's events from the position where both servers had the
same, up to a snapshot, and on top of them, as events at the snapshot's position, the rows of all keys that were changed
since that position. So the targets go from what the old server had to what the new one has in one step: unique values
change hands within the batch, no row travels back, and the batch's end is a position like any other. Until the batch is
closed, the recorded position says that it is owed, and the next run begins it anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from shardwright.runtime.events.stream import LostRowsApplied, LostRowsRead
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.dead_letters import QuarantinedKey
from shardwright.runtime.ledger.recent_keys import ChangedRow, read_changed_rows
from shardwright.runtime.mysql.raw_connection import RawConnection
from shardwright.runtime.sources.binlog.log_frame import LogFrame
from shardwright.runtime.sources.binlog.scan import next_boundary
from shardwright.runtime.sources.binlog.source import LogStream, log_streams
from shardwright.runtime.sources.event import EVENT_SCHEMA, INSERT
from shardwright.runtime.sources.events import Events
from shardwright.runtime.sources.positions.log_position import LogPosition, LogRange
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.rows_by_key import images_by_key
from shardwright.runtime.stream.batch.changed_rows import with_their_places
from shardwright.runtime.stream.batch.run import BatchInput, BatchRunner
from shardwright.specs.environment.environment import BatchLimits
from shardwright.specs.findings.remedies import START_OVER

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_UNLIMITED = BatchLimits(max_rows=1 << 62, max_bytes=1 << 62)


def repair_lost_rows(spark: SparkSession, batches: BatchRunner) -> None:
    """For every source that owes it; otherwise there is nothing to do. The stream does not run meanwhile."""
    with batches.lock:
        for log in log_streams(batches.sources):
            start = batches.state.position.logs.get(log.name)
            if start is not None and start.repair_from_batch is not None:
                _Repair(spark, batches, log, start).run()


@dataclass(frozen=True)
class _Repair:
    """The batch of one source. `start` is in the new server's log, at a position where it had nothing that was not
    applied."""

    spark: SparkSession
    batches: BatchRunner
    source: LogStream
    start: LogPosition

    def run(self) -> None:
        assert self.start.owed.repair_from_batch is not None
        rows = self._drop_quarantined(
            read_changed_rows(
                self.batches.context.servers, self.batches.context.migration, self.start.owed.repair_from_batch
            )
        )
        with self.source.snapshot() as (at, reader):
            images = self._images(rows, reader)
        end = self._end(at)
        self._record(rows, images, end)
        events = self._events(images, end)
        plan = self.batches.context.plan
        report = self.batches.run(
            BatchInput(
                events,
                self.batches.state.position.advance(StreamPosition({self.source.name: end})),
                also=partial(with_their_places, rows=rows, plan=plan, at=end, last=self.batches.state.batch),
                logicals=frozenset(row.logical for row in rows),
            )
        )
        self.batches.context.emit(LostRowsApplied(report.batch, str(end.server), str(end)))

    def _drop_quarantined(self, rows: Sequence[ChangedRow]) -> list[ChangedRow]:
        """Rows of this source; quarantined rows are read again when an operator retries their dead letters."""
        dead_letters = self.batches.dead_letters.by_key
        held = {key for key, dead_letter in dead_letters.items() if dead_letter.state != "answered"}
        return [
            row
            for row in rows
            if row.source_table in self.source.tables
            and QuarantinedKey(row.logical, row.source_table, row.key) not in held
        ]

    def _images(self, rows: Sequence[ChangedRow], reader: RawConnection) -> dict[str, list[list[str | None]]]:
        """Source table -> whole rows, of those that the source has now."""
        wanted: dict[tuple[str, str], list[tuple[str, ...]]] = {}
        for row in rows:
            wanted.setdefault((row.logical, row.source_table), []).append(row.key)
        return {
            source: images_by_key(reader, self.batches.context.plan, logical, source=source, keys=sorted(set(keys)))
            for (logical, source), keys in wanted.items()
        }

    def _end(self, at: LogPosition) -> LogPosition:
        """The snapshot's position with all that a stream records. Raises Refused when the log cannot be followed up to
        there."""
        if (self.start.file, self.start.offset) == (at.file, at.offset):
            return self.start.fulfil()
        endpoint = self.source.endpoint
        found = next_boundary(self.source.log(), self.start, limits=_UNLIMITED, until=at)
        if found.end != at:
            raise Refused(
                "SW8137",
                f"{endpoint}: rows that changed are to be read again as of {at}, but its log can only be followed from "
                f"{self.start} to {found.end}: a followed table changes there. Rows of "
                f"{', '.join(sorted(self.source.tables))} stay wrong: {START_OVER}",
            )
        return found.end

    def _events(self, images: dict[str, list[list[str | None]]], end: LogPosition) -> Events:
        """The log's events up to the end, and behind them the rows as they were read."""
        events = [
            (source, INSERT, end.epoch, end.file_number, end.offset, -1, None, None, image)
            for source, found in images.items()
            for image in found
        ]
        columns = zip(*events, strict=True) if events else ([] for _ in EVENT_SCHEMA)
        read = pa.Table.from_arrays(
            [pa.array(list(values), kind.type) for values, kind in zip(columns, EVENT_SCHEMA, strict=True)],
            schema=EVENT_SCHEMA,
        )
        frame: DataFrame = self.spark.createDataFrame(read)
        if (self.start.file, self.start.offset) == (end.file, end.offset):
            return Events(frame)
        log = LogFrame(self.spark, {self.source.name: self.source.log()})
        logged = log.events([LogRange(self.source.name, self.start, end)])
        return Events(logged.frame.unionByName(frame), logged.properties)

    def _record(self, rows: Sequence[ChangedRow], images: dict[str, list[list[str | None]]], end: LogPosition) -> None:
        keys = len({(row.logical, row.source_table, row.key) for row in rows})
        found = sum(map(len, images.values()))
        batches, begin = self.batches, self.start.owed.repair_from_batch or 0
        read = LostRowsRead(self.source.name, begin, keys, found, str(end.server), str(end))
        detail = read.sentence
        batches.context.transaction(lambda c: audit(c, batches.context.migration, "rows read again", detail=detail))
        failpoint("after-lost-rows-read")
        batches.context.emit(read)
