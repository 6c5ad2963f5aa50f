"""Which row changes a range of the log holds, as Arrow record batches of the event schema.

Runs in Spark tasks; reads the source server.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyarrow as pa

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.captured_tables import CapturedTable
from shardwright.runtime.sources.binlog.events import LogEvent
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.packed_rows import BATCH_BYTES, BATCH_ROWS, PackedTables
from shardwright.runtime.sources.binlog.prepared_transactions import PreparedTransactions
from shardwright.runtime.sources.binlog.update_chains import UpdateChains
from shardwright.runtime.sources.binlog.walk import walk
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.pending import NONE_PENDING, Pending


class BatchBuilder:
    """Collects rows of the log until `take`."""

    def __init__(self, epoch: int = 0) -> None:
        self._epoch = epoch
        self.rows = 0
        self._bytes = 0
        self._parts = PackedTables()

    @property
    def full(self) -> bool:
        return self.rows >= BATCH_ROWS or self._bytes >= BATCH_BYTES

    def add(self, event: LogEvent, table: CapturedTable) -> None:
        """Raises Refused when rows of the event cannot be read; a value that is none is found in `take`."""
        self.rows += self._parts.of(event, table).add(event, epoch=self._epoch, first=self.rows)
        self._bytes += len(event.data)

    def take(self) -> pa.RecordBatch:
        """The rows in the order in which they came."""
        parts = [part for part in self._parts.take() if len(part)]
        self.rows = self._bytes = 0
        batches = [part.batch() for part in parts]
        if len(batches) == 1:
            return batches[0]
        order = np.argsort(np.concatenate([part.order() for part in parts]))
        (taken,) = pa.Table.from_batches(batches).take(pa.array(order)).combine_chunks().to_batches()
        return taken


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
    the caller that gives it takes them out at the end. What our own runs (`log.own`) have written is left out.
    `pending`: the XA transactions that are known to be prepared at the start.

    Both ends must be transaction boundaries. A failure may come after some batches. They count only when the iterator
    was read to its end.
    """
    batch = BatchBuilder(start.epoch)
    step = None
    for step in walk(log, start, end, PreparedTransactions(log, start, pending)):
        if step.table is not None:
            if chains is not None and chains.takes(step.event, step.table):
                chains.add(step.event, step.table, start.epoch)
                if chains.full:
                    yield from chains.take()
            else:
                batch.add(step.event, step.table)
            if batch.full:
                yield batch.take()
    if step is not None and (step.inside or end < replace(step.after, epoch=end.epoch)):
        raise Refused("SW8110", f"{end} is not the end of a transaction: a range must end where a transaction does")
    if batch.rows:
        yield batch.take()
