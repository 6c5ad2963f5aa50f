"""Which shape a change event has, whatever log or queue it comes from; and counts of events by table.

Pure. Used in the driver and in Spark tasks.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

# As Spark SQL reads it. Images hold every column of the source table, in table order, as canonical text: what SELECT
# prints with time zone UTC; hexadecimal for binary, bit and spatial values; floats in full; NULL for NULL.
EVENT_DDL = (
    "table string, op string, epoch bigint, file bigint, offset bigint, row int, committed_at bigint, "
    "before array<string>, after array<string>"
)

_IMAGE = pa.list_(pa.field("element", pa.string(), nullable=True))

EVENT_SCHEMA = pa.schema(
    [
        pa.field("table", pa.string()),
        pa.field("op", pa.string()),
        pa.field("epoch", pa.int64()),
        pa.field("file", pa.int64()),
        pa.field("offset", pa.int64()),
        pa.field("row", pa.int32()),
        pa.field("committed_at", pa.int64()),
        pa.field("before", _IMAGE),
        pa.field("after", _IMAGE),
    ]
)

INSERT = "I"
UPDATE = "U"
DELETE = "D"


@dataclass(frozen=True, slots=True)
class EventCounts:
    """By source table: events, and the newest commit time among them (seconds since 1970)."""

    by_table: Mapping[str, int] = field(default_factory=dict)
    committed_at: Mapping[str, int] = field(default_factory=dict)

    @property
    def events(self) -> int:
        return sum(self.by_table.values())

    def of(self, tables: Container[str]) -> EventCounts:
        """The counts of `tables` alone."""
        return EventCounts(
            {table: events for table, events in self.by_table.items() if table in tables},
            {table: at for table, at in self.committed_at.items() if table in tables},
        )


def together(parts: Iterable[EventCounts]) -> EventCounts:
    """The counts of several sources together. Every table has its changes in one of them."""
    by_table: dict[str, int] = {}
    committed_at: dict[str, int] = {}
    for part in parts:
        by_table.update(part.by_table)
        committed_at.update(part.committed_at)
    return EventCounts(by_table, committed_at)
