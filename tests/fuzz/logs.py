"""A binary log written by hand, of every kind of event and type that the reader knows, and what may happen to its
bytes."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.sources.binlog.dump import EventStream
from shardwright.runtime.sources.binlog.events import HEADER, HEADER_SIZE, Kind
from shardwright.runtime.sources.positions.log_position import LogPosition
from tests.fuzz.documents import Json, Opaque, pack_document

START = LogPosition("binlog.000007", 4)
_END_OF_LOG = b"\xfe\0\0\0\0"


_DOCUMENT: Json = {
    "": [1, -70_000, 2**64 - 1, 1.5, True, None, "é" * 70, [], {}],
    "a": {"b": Opaque(246, b"\x03\x02\x81\x0a"), "c": Opaque(12, bytes(8)), "d": Opaque(252, b"x")},
}


class Made(NamedTuple):
    """A column as the log packs it: type code, metadata, the catalogue's type, and the bytes of one value."""

    code: int
    metadata: bytes
    type: ColumnType
    value: bytes


def _short(text: bytes) -> bytes:
    return bytes([len(text)]) + text


def with_length(raw: bytes) -> bytes:
    return len(raw).to_bytes(4, "little") + raw


def pack_datetime(year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0) -> bytes:
    day_of_months = (year * 13 + month) << 5 | day
    return ((day_of_months << 17 | hour << 12 | minute << 6 | second) + (1 << 39)).to_bytes(5, "big")


def pack_time(hours: int, minutes: int = 0, seconds: int = 0) -> bytes:
    return (0x800000 + (hours << 12 | minutes << 6 | seconds)).to_bytes(3, "big")


def pack_date(year: int, month: int, day: int) -> bytes:
    return (year << 9 | month << 5 | day).to_bytes(3, "little")


COLUMNS = (
    Made(8, b"", ColumnType("bigint"), (7).to_bytes(8, "little")),
    Made(3, b"", ColumnType("int", unsigned=True), (9).to_bytes(4, "little")),
    Made(9, b"", ColumnType("mediumint"), b"\x01\x02\x03"),
    Made(246, b"\x0a\x02", ColumnType("decimal", precision=10, scale=2), b"\x80\x00\x00\x07\x32"),
    Made(246, b"\x1e\x0a", ColumnType("decimal", precision=30, scale=10), b"\x80" + bytes(12) + b"\x05"),
    Made(18, b"\x00", ColumnType("datetime", precision=0), pack_datetime(2026, 5, 7, 23, 59, 59)),
    Made(18, b"\x06", ColumnType("datetime", precision=6), pack_datetime(2026, 0, 0) + b"\0\1\2"),
    Made(17, b"\x03", ColumnType("timestamp", precision=3), bytes.fromhex("65000000") + b"\x03\xe8"),
    Made(19, b"\x00", ColumnType("time", precision=0), pack_time(838, 59, 59)),
    Made(10, b"", ColumnType("date"), pack_date(2020, 5, 7)),
    Made(13, b"", ColumnType("year"), b"\x7d"),
    Made(15, (80).to_bytes(2, "little"), ColumnType("varchar", length=20, charset="utf8mb4"), _short(b"hello")),
    Made(254, b"\xfe\x0a", ColumnType("char", length=10, charset="latin1"), _short(b"caf\xe9")),
    Made(252, b"\x02", ColumnType("blob"), b"\x03\x00abc"),
    Made(254, b"\xf7\x01", ColumnType("enum", labels=("a", "b")), b"\x02"),
    Made(254, b"\xf8\x01", ColumnType("set", labels=("x", "y")), b"\x03"),
    Made(16, b"\x02\x01", ColumnType("bit", length=10), b"\x02\x01"),
    Made(4, b"\x04", ColumnType("float"), struct.pack("<f", 1.5)),
    Made(5, b"\x08", ColumnType("double"), struct.pack("<d", -2.25)),
    Made(245, b"\x04", ColumnType("json"), with_length(pack_document(_DOCUMENT))),
)
TABLES = {"shop.orders": tuple(Column(f"c{number}", made.type, True) for number, made in enumerate(COLUMNS))}
_WIDTH = (len(COLUMNS) + 7) // 8
_IMAGE = bytes(_WIDTH) + b"".join(made.value for made in COLUMNS)
_TABLE_ID = (77).to_bytes(6, "little")


def _table_map(database: bytes = b"shop", table: bytes = b"orders") -> bytes:
    metadata = b"".join(made.metadata for made in COLUMNS)
    types = bytes(made.code for made in COLUMNS)
    names = b"".join(_short(f"c{number}".encode()) for number in range(len(COLUMNS)))
    return (
        _TABLE_ID + b"\0\0" + _short(database) + b"\0" + _short(table) + b"\0" + bytes([len(COLUMNS)]) + types
        + _short(metadata) + b"\xff" * _WIDTH + b"\x04" + _short(names)
    )  # fmt: skip


def _rows(images: int, *, extra: bool, update: bool = False) -> bytes:
    present = b"\xff" * _WIDTH * (2 if update else 1)
    head = _TABLE_ID + b"\x01\0" + (b"\x02\0" if extra else b"")
    return head + bytes([len(COLUMNS)]) + present + _IMAGE * images


def _query(text: bytes, database: bytes = b"shop") -> bytes:
    return bytes(8) + bytes([len(database)]) + b"\0\0" + b"\x02\0" + b"\0\0" + database + b"\0" + text


Event = tuple[int, bytes]
"""Type and body."""
_BEGIN = (int(Kind.QUERY), _query(b"BEGIN"))
_XID = (int(Kind.XID), bytes(8))
_GTID = (
    int(Kind.GTID),
    b"\x01" + bytes(range(16)) + (5).to_bytes(8, "little") + bytes(17) + (10**15).to_bytes(7, "little"),
)
_TAGGED = (
    int(Kind.GTID_TAGGED),
    b"\x02\x50\x08" + b"\x00\x00" + b"\x02" + bytes(2 * number for number in range(16)) + b"\x04\x14" + b"\x06\x04ab" + b"\x0c\x02",
)  # fmt: skip
_MARIADB = (int(Kind.MARIADB_GTID), (3).to_bytes(8, "little") + bytes(4) + b"\x00" + bytes(6))
_LOAD = _query(b"LOAD DATA x", b"a")
_MAP = (int(Kind.TABLE_MAP), _table_map())
LOG: tuple[Event, ...] = (
    *(_GTID, _BEGIN, _MAP, (int(Kind.WRITE_ROWS), _rows(3, extra=True)), _XID),
    *(_MARIADB, _MAP, (int(Kind.UPDATE_ROWS_V1), _rows(4, extra=False, update=True)), _XID),
    *(_TAGGED, _BEGIN, _MAP, (int(Kind.DELETE_ROWS), _rows(1, extra=True)), _XID),
    *(_GTID, (int(Kind.QUERY), _query(b"CREATE TABLE other (a int)", b"elsewhere"))),
    (int(Kind.ROTATE), struct.pack("<Q", 4) + b"binlog.000008"),
    *(_GTID, _BEGIN, (int(Kind.TABLE_MAP), _table_map(table=b"other")), (int(Kind.WRITE_ROWS), _rows(1, extra=True)), _XID),
    *(_GTID, _BEGIN, (int(Kind.EXECUTE_LOAD_QUERY), _LOAD[:13] + bytes(13) + _LOAD[13:]), _XID),
)  # fmt: skip


def _packets(events: Sequence[Event]) -> list[bytes]:
    """The log's events as packets, whose lengths and checksums are right whatever they hold."""
    made, place = [], START.offset
    for kind, body in events:
        size = HEADER_SIZE + len(body) + 4
        place += size
        packet = HEADER.pack(1_700_000_000, kind, 1, size, place & 0xFFFF_FFFF, 0) + body
        made.append(b"\0" + packet + struct.pack("<I", zlib.crc32(packet)))
        if kind == Kind.ROTATE:
            place = START.offset
    return made


def _end(events: Sequence[Event]) -> LogPosition:
    second = [body for kind, body in events][[kind for kind, _ in events].index(int(Kind.ROTATE)) + 1 :]
    return LogPosition("binlog.000008", START.offset + sum(HEADER_SIZE + len(body) + 4 for body in second))


END = _end(LOG)


def fake_dump(events: Sequence[Event]) -> Any:
    """What stands in for `dump`."""
    packets = iter([*_packets(events), _END_OF_LOG])
    return lambda _settings, start, end: EventStream(start, "the server").until(packets, end)


@st.composite
def spoil_logs(draw: st.DrawFn) -> list[Event]:
    """One to four things happen: bytes of an event are others, gone or more, an event is of another type, is gone, or
    comes twice."""
    events = list(LOG)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(events) - 1))
        kind, body = events[at]
        match draw(st.integers(0, 6)):
            case 0:
                events[at] = (draw(st.sampled_from([*map(int, Kind), 200])), body)
            case 1:
                del events[at]
            case 2:
                events.insert(at, draw(st.sampled_from(LOG)))
            case _:
                events[at] = (kind, draw(spoil_bytes(body)))
        if not events:
            return list(LOG)
    return events


@st.composite
def spoil_bytes(draw: st.DrawFn, body: bytes) -> bytes:
    start = draw(st.integers(0, len(body)))
    gone = draw(st.sampled_from((0, 0, 1, 1, 2, 8, len(body))))
    put = draw(
        st.one_of(st.binary(max_size=9), st.sampled_from((b"\xff" * 4, b"\xfb", b"\xfe" + b"\xff" * 8, bytes(8))))
    )
    return body[:start] + put + body[start + gone :]
