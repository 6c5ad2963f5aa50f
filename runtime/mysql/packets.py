"""The packets that a server sends, taken from the socket many at a time. The driver asks the socket twice for each. An
event of the log is a packet, often of some hundred bytes only, so reading it took longer than understanding it.

Used in the driver and in Spark tasks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pymysql

from shardwright.runtime.mysql.errors import SERVER_LOST
from shardwright.runtime.mysql.packet_ceiling import LONGEST, require_bounded

HEADER: Final = 4
"""Three bytes of length and one that counts packets."""
_AT_ONCE: Final = 256 << 10
_ERROR_MARK: Final = 0xFF


def payloads(connection: pymysql.Connection[Any]) -> Iterator[bytes]:
    """The payload of each packet that the server sends from here on. One that continues in other packets comes whole.
    The connection is good for nothing else afterwards: bytes of later packets are taken already. Raises what PyMySQL
    raises, also where the server reports an error, and Refused (SW8152) where a payload does not end."""
    driver: Any = connection
    number, parts, long_bytes = int(driver._next_seq_id), list[bytes](), 0
    data, at, filled = b"", 0, 0
    while True:
        if filled - at < HEADER:
            data = data[at:] + read_some(connection)
            at, filled = 0, len(data)
            continue
        size = data[at] | data[at + 1] << 8 | data[at + 2] << 16
        if data[at + 3] != number:
            raise lost(connection, f"packet {data[at + 3]} came instead of {number}")
        number = (number + 1) & 0xFF
        if size == LONGEST or parts:
            long_bytes += size
            require_bounded(connection, long_bytes)
        at += HEADER
        payload = data[at : at + size]
        at += size
        if at > filled:
            payload += _read_all(connection, at - filled)
            at = filled
        if size == LONGEST:
            parts.append(payload)
            continue
        if parts:
            payload = b"".join((*parts, payload))
            parts, long_bytes = [], 0
        if payload and payload[0] == _ERROR_MARK:
            pymysql.err.raise_mysql_exception(payload)
        yield payload


def read_some(connection: pymysql.Connection[Any]) -> bytes:
    """What the server has sent by now; at least a byte."""
    driver: Any = connection
    try:
        driver._sock.settimeout(driver._read_timeout)
        found: bytes = driver._rfile.read1(_AT_ONCE)
    except OSError as error:
        raise lost(connection, error) from error
    if not found:
        raise lost(connection, "the server has closed it")
    return found


def _read_all(connection: pymysql.Connection[Any], size: int) -> bytes:
    driver: Any = connection
    try:
        found: bytes = driver._rfile.read(size)
    except OSError as error:
        raise lost(connection, error) from error
    if len(found) < size:
        raise lost(connection, "the server has closed it")
    return found


def lost(connection: pymysql.Connection[Any], why: object) -> pymysql.err.OperationalError:
    """Closes the connection, which cannot be used any more."""
    driver: Any = connection
    driver._force_close()
    return pymysql.err.OperationalError(SERVER_LOST, f"Lost connection to MySQL server during query ({why})")
