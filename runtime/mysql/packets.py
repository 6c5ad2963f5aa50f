"""The packets that a server sends, taken from the socket many at a time. The driver asks the socket twice for each. An
event of the log is a packet, often of some hundred bytes only, so reading it took longer than understanding it.

Used in the driver and in Spark tasks.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any, Final

import pymysql

from shardwright.runtime.mysql.errors import SERVER_LOST
from shardwright.runtime.mysql.packet_ceiling import LONGEST, require_bounded

HEADER: Final = 4
"""Three bytes of length and one that counts packets."""
HEADER_WORD: Final = struct.Struct("<I")
"""The same as one number, which Python reads faster than its bytes."""
_AT_ONCE: Final = 256 << 10
_END_MARK, _ERROR_MARK = 0xFE, 0xFF
_END_BELOW: Final = 9
"""A longer payload that begins with the end mark is a row."""


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
        (word,) = HEADER_WORD.unpack_from(data, at)
        size = word & LONGEST
        if word >> 24 != number:
            raise _loss_error(connection, f"packet {word >> 24} came instead of {number}")
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
        if is_error(payload):
            pymysql.err.raise_mysql_exception(payload)
        yield payload


def read_some(connection: pymysql.Connection[Any]) -> bytes:
    """What the server has sent by now; at least a byte."""
    driver: Any = connection
    return _receive(connection, driver._rfile.read1, _AT_ONCE, least=1)


def _read_all(connection: pymysql.Connection[Any], size: int) -> bytes:
    driver: Any = connection
    return _receive(connection, driver._rfile.read, size, least=size)


def _receive(connection: pymysql.Connection[Any], read: Callable[[int], bytes], size: int, *, least: int) -> bytes:
    driver: Any = connection
    try:
        driver._sock.settimeout(driver._read_timeout)
        found = read(size)
    except OSError as error:
        raise _loss_error(connection, error) from error
    if len(found) < least:
        raise _loss_error(connection, "the server has closed it")
    return found


def _loss_error(connection: pymysql.Connection[Any], why: object) -> pymysql.err.OperationalError:
    """Closes the connection, which cannot be used any more."""
    driver: Any = connection
    driver._force_close()
    return pymysql.err.OperationalError(SERVER_LOST, f"Lost connection to MySQL server during query ({why})")


def is_last(payload: bytes | memoryview) -> bool:
    """Whether nothing follows of what the server sends: an end mark or an error."""
    return is_error(payload) or (len(payload) > 0 and payload[0] == _END_MARK and len(payload) < _END_BELOW)


def is_error(payload: bytes | memoryview) -> bool:
    return len(payload) > 0 and payload[0] == _ERROR_MARK
