"""Which shape a change event has, whatever log or queue it comes from.

Pure. Used in the driver and in Spark tasks.
"""

from __future__ import annotations

import pyarrow as pa

# As Spark SQL reads it. Images hold every column of the source table, in table order, as canonical text: what SELECT
# prints with time zone UTC; hexadecimal for binary, bit and spatial values; floats in full; NULL for NULL.
EVENT_DDL = (
    "table string, op string, epoch bigint, file bigint, offset bigint, row int, committed_at bigint, "
    "before array<string>, after array<string>"
)

IMAGE = pa.list_(pa.field("element", pa.string(), nullable=True))

EVENT_SCHEMA = pa.schema(
    [
        pa.field("table", pa.string()),
        pa.field("op", pa.string()),
        pa.field("epoch", pa.int64()),
        pa.field("file", pa.int64()),
        pa.field("offset", pa.int64()),
        pa.field("row", pa.int32()),
        pa.field("committed_at", pa.int64()),
        pa.field("before", IMAGE),
        pa.field("after", IMAGE),
    ]
)

INSERT = "I"
UPDATE = "U"
DELETE = "D"
