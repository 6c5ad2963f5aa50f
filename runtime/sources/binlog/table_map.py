"""Which table the row events after a TABLE_MAP event change, and how its columns are packed.

Pure. Used in the driver and in Spark tasks.
"""

from __future__ import annotations

from dataclasses import dataclass

from shardwright.runtime.sources.binlog.damage import refuse_damage
from shardwright.runtime.sources.binlog.events import HEADER_SIZE, LogEvent, read_packed_integer

TABLE_ID_SIZE = 6
# Bytes of metadata by type code; codes not named here have none.
_METADATA_SIZE = {
    4: 1, 5: 1, 15: 2, 16: 2, 17: 1, 18: 1, 19: 1, 242: 1, 245: 1, 246: 2, 247: 2, 248: 2,
    249: 1, 250: 1, 251: 1, 252: 1, 253: 2, 254: 2, 255: 1, 140: 1, 141: 2,
}  # fmt: skip
_COLUMN_NAMES = 4


@dataclass(frozen=True, slots=True)
class TableMap:
    """`codes` and `metadata` by column. `names` is empty unless the server runs with binlog_row_metadata=FULL."""

    database: str
    table: str
    codes: bytes
    metadata: tuple[bytes, ...]
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.database}.{self.table}"


def table_id_of(data: bytes) -> int:
    """The number that ties row events to their TABLE_MAP, in either kind of event."""
    return int.from_bytes(data[HEADER_SIZE : HEADER_SIZE + TABLE_ID_SIZE], "little")


@refuse_damage
def name_of(event: LogEvent) -> str:
    """Only the "database.table" of a TABLE_MAP. Raises Refused (SW8116) when they do not fit into the event."""
    data = event.data
    at = HEADER_SIZE + TABLE_ID_SIZE + 2
    database, at = _short_text(data, at)
    table, _ = _short_text(data, at)
    return f"{database}.{table}"


@refuse_damage
def parse_table_map(event: LogEvent) -> TableMap:
    """All of a TABLE_MAP. Raises Refused (SW8116) when its parts do not fit into the event."""
    data = event.data
    database, at = _short_text(data, HEADER_SIZE + TABLE_ID_SIZE + 2)
    table, at = _short_text(data, at)
    count, at = read_packed_integer(data, at)
    codes = data[at : at + count]
    if len(codes) != count:
        raise ValueError(f"it ends within the types of its {count} columns")
    size, at = read_packed_integer(data, at + count)
    metadata = _split_metadata(codes, data[at : at + size])
    optional = at + size + (count + 7) // 8  # past the nullability bits
    return TableMap(database, table, codes, metadata, _column_names(data, optional))


def _short_text(data: bytes, at: int) -> tuple[str, int]:
    end = at + 1 + data[at]
    if data[end]:
        raise ValueError("no zero byte behind a name")
    return data[at + 1 : end].decode(), end + 1


def _split_metadata(codes: bytes, block: bytes) -> tuple[bytes, ...]:
    parts, at = [], 0
    for code in codes:
        size = _METADATA_SIZE.get(code, 0)
        parts.append(block[at : at + size])
        at += size
    if at > len(block):
        raise ValueError("it ends within what it says of its columns' types")
    return tuple(parts)


def _column_names(data: bytes, at: int) -> tuple[str, ...]:
    while at < len(data):
        kind = data[at]
        size, at = read_packed_integer(data, at + 1)
        if kind == _COLUMN_NAMES:
            return _read_packed_names(data[at : at + size])
        at += size
    return ()


def _read_packed_names(block: bytes) -> tuple[str, ...]:
    names, at = [], 0
    while at < len(block):
        size, at = read_packed_integer(block, at)
        names.append(block[at : at + size].decode())
        at += size
    return tuple(names)
