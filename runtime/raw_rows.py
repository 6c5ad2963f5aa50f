"""Reading rows as the bytes of the text protocol: no conversion, so nothing is lost and little time is spent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
from pymysql.connections import MySQLResult

from shardwright.runtime.connections import Address, connect
from shardwright.runtime.failures import Refused
from shardwright.runtime.tls import TlsConnection
from shardwright.runtime.transactions import query, untyped

_NULL = 0xFB
_CUT_SHORT = 1301
"""The result of a function was larger than max_allowed_packet: NULL stands in its place."""


class _RawResult(MySQLResult):
    """Result rows are kept as one flat list of values: rows x columns."""

    flat: list[bytes | None]

    def _read_rowdata_packet(self) -> None:
        flat: list[bytes | None] = []
        count = 0
        driver: Any = self  # the driver's own protocol methods carry no types
        read_packet = driver.connection._read_packet
        while True:
            packet = read_packet()
            if driver._check_packet_is_eof(packet):
                self.connection = None  # the reference cycle PyMySQL breaks here too
                break
            _split(packet.get_all_data(), flat)
            count += 1
        self.flat = flat
        self.affected_rows = count
        self.rows = ()


@contextmanager
def raw_connection(address: Address, database: str) -> Iterator[RawConnection]:
    """Within, a connection in `database` with our session settings. Raises what `connect` does."""
    connection = connect(address, database, kind=RawConnection)
    assert isinstance(connection, RawConnection)
    try:
        yield connection
    finally:
        connection.close()


def _split(data: bytes, flat: list[bytes | None]) -> None:
    """Append the length-encoded strings of one row packet."""
    at, end = 0, len(data)
    append = flat.append
    while at < end:
        size = data[at]
        at += 1
        if size == _NULL:
            append(None)
            continue
        if size > _NULL:
            width = {0xFC: 2, 0xFD: 3, 0xFE: 8}[size]
            size = int.from_bytes(data[at : at + width], "little")
            at += width
        append(data[at : at + size])
        at += size


class RawConnection(TlsConnection):
    """A connection on which `fetch_rows` may be used; ordinary queries work as usual."""

    raw: bool = False

    def _read_query_result(self, unbuffered: bool = False) -> int:
        if not self.raw:
            ordinary: Any = super()
            return int(ordinary._read_query_result(unbuffered) or 0)
        self._result = None
        result = _RawResult(self)
        result.read()
        self._result = result
        return int(result.affected_rows or 0)


def fetch_rows(connection: RawConnection, sql: str, *, columns: int) -> pa.ListArray:
    """Run a SELECT of `columns` text columns: one list of strings per row. Raises pa.ArrowInvalid on invalid UTF-8, and
    Refused (SW8143) when the server had no room for a value and gave NULL instead."""
    connection.raw = True
    try:
        connection.query(sql)
        result = connection._result
    finally:
        connection.raw = False
    assert isinstance(result, _RawResult)
    if result.warning_count:
        _require_whole_values(connection)
    values = pa.array(result.flat, pa.binary()).cast(pa.string())
    offsets = pa.array(range(0, len(values) + 1, columns), pa.int32())
    return pa.ListArray.from_arrays(offsets, values)


def _require_whole_values(connection: RawConnection) -> None:
    numbers = {warning[1] for warning in untyped(connection).show_warnings()}
    if _CUT_SHORT in numbers:
        ((limit,),) = query(connection, "SELECT @@max_allowed_packet")
        where = f"{connection.host}:{connection.port}"
        raise Refused(
            "SW8143",
            f"{where} cannot show a value whose hexadecimal form is longer than its max_allowed_packet, {limit} bytes: "
            "SET GLOBAL max_allowed_packet to more than twice the longest value, then run again",
        )
