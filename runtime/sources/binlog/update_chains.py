"""Updates of a row that leave its identity and place as they are become one event, the last of them, before they are
decoded: the image that the first of them replaced has the same values as that of the last, as far as they matter.

Runs in Spark tasks. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pyarrow as pa

from shardwright.runtime.sources.binlog.captured_tables import CapturedTable
from shardwright.runtime.sources.binlog.events import UPDATES, LogEvent
from shardwright.runtime.sources.binlog.packed_rows import PackedTables

MOST_BYTES = 32 << 20
"""Of log events that are held."""


@dataclass
class UpdateChains:
    """Holds updates until they are taken out."""

    _held: PackedTables = field(default_factory=PackedTables)
    _bytes: int = 0

    @staticmethod
    def takes(event: LogEvent, table: CapturedTable) -> bool:
        replaced = table.decoder.replaced
        return event.kind in UPDATES and replaced is not None and replaced.row is not None

    @property
    def full(self) -> bool:
        return self._bytes >= MOST_BYTES

    def add(self, event: LogEvent, table: CapturedTable, epoch: int) -> None:
        """Raises Refused when rows of the event cannot be read; a value that is none is found in `take`."""
        self._held.of(event, table).add(event, epoch=epoch, first=0)
        self._bytes += len(event.data)

    def take(self) -> Iterator[pa.RecordBatch]:
        """Of each chain the last update, in any order. None is held afterwards."""
        self._bytes = 0
        for rows in self._held.take():
            yield from rows.last_updates()
