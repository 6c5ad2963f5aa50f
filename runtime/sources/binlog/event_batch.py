"""How rows of the log become an Arrow record batch of the event schema.

Runs in Spark tasks. Pure.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from shardwright.runtime.sources.binlog.events import LogEvent
from shardwright.runtime.sources.binlog.followed import FollowedTable
from shardwright.runtime.sources.binlog.packed_rows import BATCH_BYTES, BATCH_ROWS, PackedTables


class BatchBuilder:
    """Collects rows until `take`."""

    def __init__(self, epoch: int = 0) -> None:
        self._epoch = epoch
        self.rows = 0
        self._bytes = 0
        self._parts = PackedTables()

    @property
    def full(self) -> bool:
        return self.rows >= BATCH_ROWS or self._bytes >= BATCH_BYTES

    def add(self, event: LogEvent, table: FollowedTable) -> None:
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
