"""Rows of a SELECT as the bytes of the text protocol: without conversion, so nothing is lost and little time is spent.

Used in Spark tasks and in the driver; reads only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pymysql

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.errors import RESULT_CUT_SHORT
from shardwright.runtime.mysql.packet_ceiling import LONGEST, require_bounded
from shardwright.runtime.mysql.packet_lines import PlacedLines, split_by_place
from shardwright.runtime.mysql.packets import HEADER, HEADER_WORD, is_error, is_last, read_some
from shardwright.runtime.mysql.raw_connection import RawConnection
from shardwright.runtime.mysql.row_packets import Bytes, Places, numbers_of, values_of, walk
from shardwright.runtime.mysql.transactions import as_any, query

PIECE_BYTES = 4 << 20
"""In bytes. How much of a result is taken at a time."""
_Piece = TypeVar("_Piece")


def stream_rows(connection: RawConnection, sql: str, *, columns: int) -> Iterator[pa.ListArray]:
    """Run a SELECT of `columns` text columns: one list of strings per row, some megabytes of rows at a time. The
    connection may do nothing else before the last of them. Raises what PyMySQL raises, and Refused (SW8143) when the
    server had no room for a value and returned NULL instead."""
    yield from _begin(connection, sql).pieces(lambda data, starts: _lists(values_of(data, starts, columns), columns))


def stream_rows_by_place(connection: RawConnection, sql: str, *, columns: int) -> Iterator[tuple[Places, pa.ListArray]]:
    """The same of a SELECT that has two integers before the `columns`: these integers, a pair per row, beside the
    rows."""

    def piece(data: Bytes, starts: Places) -> tuple[Places, pa.ListArray]:
        numbers, begins = numbers_of(data, starts, 2)
        return numbers, _lists(values_of(data, starts, columns, begins=begins), columns)

    yield from _begin(connection, sql).pieces(piece)


def stream_lines_by_place(connection: RawConnection, sql: str, *, columns: int) -> Iterator[list[PlacedLines]]:
    """The same as lines for LOAD DATA: some megabytes of rows at a time, by place (`split_by_place`)."""
    yield from _begin(connection, sql).pieces(lambda data, starts: list(split_by_place(data, starts, columns)))


def _begin(connection: RawConnection, sql: str) -> _Incoming:
    connection.raw = True
    try:
        connection.query(sql)
    finally:
        connection.raw = False
    return _Incoming(connection)


def fetch_rows(connection: RawConnection, sql: str, *, columns: int) -> pa.ListArray:
    """`stream_rows`, all of it."""
    found = list(stream_rows(connection, sql, columns=columns))
    return pa.concat_arrays(found) if found else pa.array([], pa.list_(pa.string()))


def _lists(values: pa.Array, columns: int) -> pa.ListArray:
    offsets = pa.array(np.arange(0, len(values) + 1, columns, dtype=np.int32))
    return pa.ListArray.from_arrays(offsets, values)


class _Incoming:
    """What the server sends after the columns' definitions. Packets are in `_buffer[:_filled]`,
    whole ones up to `_at`."""

    def __init__(self, connection: RawConnection) -> None:
        self._connection = connection
        self._driver: Any = connection  # the driver's own protocol methods carry no types
        self._buffer = bytearray(PIECE_BYTES)
        self._filled = 0
        self._at = 0
        self._starts: list[int] = []

    def pieces(self, read: Callable[[Bytes, Places], _Piece]) -> Iterator[_Piece]:
        """What `read` makes of the packets of some rows, and of where the payloads begin there. It may overwrite the
        packets, and keeps none of them."""
        while True:
            last = self._gather()
            if self._starts:
                end = self._at if last is None else self._at - HEADER - len(last)
                data = np.frombuffer(self._buffer, dtype=np.uint8, count=end)
                yield read(data, np.array(self._starts, dtype=np.int64))
                del data
            if last is not None:
                self._end(last)
                return
            self._forget(self._at)
            if self._continues():
                payload = self._long_row()
                yield read(np.frombuffer(payload, dtype=np.uint8), np.array([HEADER], dtype=np.int64))

    def _gather(self) -> bytes | None:
        """Read until a piece is full, a row of several packets comes, or the result ends: then the payload that ended
        it."""
        while True:
            with memoryview(self._buffer) as view:
                self._at = walk(view, self._at, self._filled, self._starts)
                if self._starts and self._at == self._filled and is_last(view[self._starts[-1] : self._at]):
                    return bytes(view[self._starts.pop() : self._at])
            if self._at >= PIECE_BYTES // 2 or self._continues():
                return None
            self._read_more()

    def _continues(self) -> bool:
        return self._filled - self._at >= HEADER and self._size(self._at) == LONGEST

    def _size(self, at: int) -> int:
        return int(HEADER_WORD.unpack_from(self._buffer, at)[0]) & LONGEST

    def _read_more(self) -> None:
        """Read at least a byte."""
        read = read_some(self._connection)
        if self._filled + len(read) > len(self._buffer):
            self._buffer.extend(bytes(len(self._buffer)))
        self._buffer[self._filled : self._filled + len(read)] = read
        self._filled += len(read)

    def _forget(self, end: int) -> None:
        """Drop what is before `end`."""
        self._buffer[: self._filled - end] = self._buffer[end : self._filled]
        self._filled -= end
        self._at = 0
        self._starts = []

    def _long_row(self) -> bytearray:
        """A row of several packets, made one, behind a header. Raises Refused (SW8152) for one that does not end."""
        payload = bytearray(HEADER)
        size = LONGEST
        while size == LONGEST:
            while self._filled < HEADER or self._filled < HEADER + self._size(0):
                self._read_more()
            size = self._size(0)
            require_bounded(self._connection, len(payload) + size)
            payload += self._buffer[HEADER : HEADER + size]
            self._forget(HEADER + size)
        return payload

    def _end(self, payload: bytes) -> None:
        if is_error(payload):
            pymysql.err.raise_mysql_exception(payload)
        warnings, status = (int.from_bytes(payload[at : at + 2], "little") for at in (1, 3))
        self._driver.server_status = status
        if warnings:
            _require_whole_values(self._connection)


def _require_whole_values(connection: RawConnection) -> None:
    numbers = {warning[1] for warning in as_any(connection).show_warnings()}
    if RESULT_CUT_SHORT in numbers:
        ((limit,),) = query(connection, "SELECT @@max_allowed_packet")
        where = f"{connection.host}:{connection.port}"
        raise Refused(
            "SW8143",
            f"{where} cannot show a value whose hexadecimal form is longer than its max_allowed_packet, {limit} bytes: "
            "SET GLOBAL max_allowed_packet to more than twice the longest value, then run again",
        )
