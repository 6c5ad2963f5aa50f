"""Updates of a row that leave its identity and place as they are become one event, the last of them, before they are
decoded: the image that the first of them replaced has the same values as that of the last, as far as they matter.

Runs in Spark tasks. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pyarrow as pa

from shardwright.runtime.sources.binlog.events import UPDATES, LogEvent
from shardwright.runtime.sources.binlog.followed import FollowedTable
from shardwright.runtime.sources.binlog.packed_rows import PackedRows
from shardwright.runtime.sources.event import UPDATE

MOST_BYTES = 32 << 20
"""Of log events that are held."""


@dataclass
class UpdateChains:
    """Holds updates until they are taken out."""

    _held: dict[tuple[str, int], PackedRows] = field(default_factory=dict)
    """By table and the identity of its decoder (another one once the table was changed)."""
    _bytes: int = 0

    @staticmethod
    def takes(event: LogEvent, table: FollowedTable) -> bool:
        replaced = table.decoder.replaced
        return event.kind in UPDATES and replaced is not None and replaced.row is not None

    @property
    def full(self) -> bool:
        return self._bytes >= MOST_BYTES

    def add(self, event: LogEvent, table: FollowedTable, epoch: int) -> None:
        """Raises Refused when rows of the event cannot be read; a value that is none is found in `take`."""
        key = (table.name, id(table.decoder))
        held = self._held.get(key)
        if held is None:
            held = self._held[key] = PackedRows(table, UPDATE)
        held.add(event, epoch=epoch, first=0)
        self._bytes += len(event.data)

    def take(self) -> Iterator[pa.RecordBatch]:
        """Of each chain the last update, in any order. None is held afterwards."""
        held, self._held, self._bytes = self._held, {}, 0
        for rows in held.values():
            yield from rows.last_updates()
