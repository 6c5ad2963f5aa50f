"""Which row changes a range of the log holds, as Arrow record batches of the event schema.

Runs in Spark tasks; reads the source server.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import pyarrow as pa

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.events import DELETES, INSERTS, LogEvent
from shardwright.runtime.sources.binlog.followed import FollowedTable, images_of
from shardwright.runtime.sources.binlog.log_range import Log
from shardwright.runtime.sources.binlog.position import FIRST_OFFSET, LogPosition
from shardwright.runtime.sources.binlog.prepared import PreparedTransactions
from shardwright.runtime.sources.binlog.row_decoder import Image
from shardwright.runtime.sources.binlog.update_chains import UpdateChains, UpdatedRow
from shardwright.runtime.sources.binlog.walk import walk
from shardwright.runtime.sources.binlog.xa import NONE_PENDING, Pending
from shardwright.runtime.sources.event import DELETE, EVENT_SCHEMA, INSERT, UPDATE

BATCH_ROWS = 4096
BATCH_BYTES = 16 << 20  # of the log; large values must not pile up 4,096 times


def read_changes(
    log: Log,
    start: LogPosition,
    end: LogPosition,
    *,
    chains: UpdateChains | None = None,
    pending: Pending = NONE_PENDING,
) -> Iterator[pa.RecordBatch]:
    """The changes of the log's tables in [start, end), in log order. In the images that updates replace, columns that
    `log.replaced` does not name may be NULL. Updates that `chains` takes are not among the changes unless it is full:
    the caller that gives it takes them out at the end. What runs of the migrations `log.own` have written is left out.
    `pending`: the XA transactions that are known to be prepared at the start.

    Both ends must be transaction boundaries. A failure may come after some batches. They count only when the iterator
    was read to its end.
    """
    batch = BatchBuilder(start.epoch)
    step = None
    for step in walk(log, start, end, PreparedTransactions(log, start, pending)):
        if step.table is not None:
            if chains is not None and chains.takes(step.event, step.table):
                for change in chains.add(step.event, step.table, start.epoch):
                    batch.add_change(change)
                if chains.full:
                    yield from taken_out(chains, batch)
            else:
                batch.add(step.event, step.table)
            if batch.full:
                yield batch.take()
    if step is not None and (step.inside or end < replace(step.after, epoch=end.epoch)):
        raise Refused("SW8110", f"{end} is not the end of a transaction: a range must end where a transaction does")
    if batch.rows:
        yield batch.take()


def taken_out(chains: UpdateChains, batch: BatchBuilder) -> Iterator[pa.RecordBatch]:
    """All updates that `chains` holds, behind the rows of `batch`."""
    for change in chains.take():
        batch.add_change(change)
        if batch.full:
            yield batch.take()
    if batch.rows:
        yield batch.take()


class BatchBuilder:
    """Collects rows column by column until `take`."""

    def __init__(self, epoch: int = 0) -> None:
        self._epoch = epoch
        self._clear()

    def _clear(self) -> None:
        self.rows = 0
        self._bytes = 0
        self._tables: list[str] = []
        self._ops: list[str] = []
        self._epochs: list[int] = []
        self._files: list[int] = []
        self._offsets: list[int] = []
        self._indexes: list[int] = []
        self._times: list[int] = []
        self._before: list[Image | None] = []
        self._after: list[Image | None] = []

    @property
    def full(self) -> bool:
        return self.rows >= BATCH_ROWS or self._bytes >= BATCH_BYTES

    def add(self, event: LogEvent, table: FollowedTable) -> None:
        images = images_of(event, table)
        before: Sequence[Image | None]
        after: Sequence[Image | None]
        if event.kind in INSERTS:
            op, before, after = INSERT, [None] * len(images), images
        elif event.kind in DELETES:
            op, before, after = DELETE, images, [None] * len(images)
        else:
            op, before, after = UPDATE, images[0::2], images[1::2]
        self._add_rows(event, table.name, op, epoch=self._epoch, rows=range(len(after)))
        self._before += before
        self._after += after
        self._bytes += len(event.data)

    def add_change(self, change: UpdatedRow) -> None:
        self._add_rows(change.event, change.table.name, UPDATE, epoch=change.epoch, rows=(change.row,))
        self._before.append(change.before)
        self._after.append(change.after)
        self._bytes += len(change.event.data) // change.rows

    def _add_rows(self, event: LogEvent, table: str, op: str, *, epoch: int, rows: Sequence[int]) -> None:
        """All of these rows but their images."""
        count = len(rows)
        self.rows += count
        self._tables += [table] * count
        self._ops += [op] * count
        self._epochs += [epoch] * count
        self._files += [_file_number(event.file)] * count
        self._offsets += [event.start] * count
        self._indexes += [event.line + row for row in rows] if event.line else rows
        self._times += [event.timestamp] * count

    def take(self) -> pa.RecordBatch:
        columns = [
            pa.array(self._tables, pa.string()),
            pa.array(self._ops, pa.string()),
            pa.array(self._epochs, pa.int64()),
            pa.array(self._files, pa.int64()),
            pa.array(self._offsets, pa.int64()),
            pa.array(self._indexes, pa.int32()),
            pa.array(self._times, pa.int64()),
            _images(self._before),
            _images(self._after),
        ]
        self._clear()
        return pa.RecordBatch.from_arrays(columns, schema=EVENT_SCHEMA)


@lru_cache(maxsize=16)
def _file_number(file: str) -> int:
    return LogPosition(file, FIRST_OFFSET).file_number


def _images(images: Sequence[Image | None]) -> pa.Array:
    return pa.array(images, EVENT_SCHEMA.field("before").type)
