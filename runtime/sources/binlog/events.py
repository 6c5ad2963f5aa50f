"""What kinds of events a binary log has, with their numbers, and the few fields that are read outside row images.

Pure. Used in the driver and in Spark tasks.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import NamedTuple

from shardwright.runtime.sources.binlog.damage import refuse_damage

HEADER_SIZE = 19
CHECKSUM_SIZE = 4
HEADER = struct.Struct("<IBIIIH")  # timestamp, type, server id, size, end position, flags


class Kind(IntEnum):
    QUERY = 2
    STOP = 3
    ROTATE = 4
    INTVAR = 5
    LOAD = 6
    CREATE_FILE = 8
    APPEND_BLOCK = 9
    EXEC_LOAD = 10
    DELETE_FILE = 11
    NEW_LOAD = 12
    RAND = 13
    USER_VAR = 14
    FORMAT_DESCRIPTION = 15
    XID = 16
    BEGIN_LOAD_QUERY = 17
    EXECUTE_LOAD_QUERY = 18
    TABLE_MAP = 19
    WRITE_ROWS_V1 = 23
    UPDATE_ROWS_V1 = 24
    DELETE_ROWS_V1 = 25
    INCIDENT = 26
    HEARTBEAT = 27
    IGNORABLE = 28
    ROWS_QUERY = 29
    WRITE_ROWS = 30
    UPDATE_ROWS = 31
    DELETE_ROWS = 32
    GTID = 33
    ANONYMOUS_GTID = 34
    PREVIOUS_GTIDS = 35
    TRANSACTION_CONTEXT = 36
    VIEW_CHANGE = 37
    XA_PREPARE = 38
    PARTIAL_UPDATE_ROWS = 39
    TRANSACTION_PAYLOAD = 40
    HEARTBEAT_V2 = 41
    GTID_TAGGED = 42
    ANNOTATE_ROWS = 160  # this one and all above: MariaDB
    BINLOG_CHECKPOINT = 161
    MARIADB_GTID = 162
    GTID_LIST = 163
    START_ENCRYPTION = 164
    QUERY_COMPRESSED = 165
    WRITE_ROWS_COMPRESSED_V1 = 166
    UPDATE_ROWS_COMPRESSED_V1 = 167
    DELETE_ROWS_COMPRESSED_V1 = 168
    WRITE_ROWS_COMPRESSED = 169
    UPDATE_ROWS_COMPRESSED = 170
    DELETE_ROWS_COMPRESSED = 171


# Plain integers: every event's number is compared with them first.
INSERTS = frozenset({int(Kind.WRITE_ROWS_V1), int(Kind.WRITE_ROWS)})
UPDATES = frozenset({int(Kind.UPDATE_ROWS_V1), int(Kind.UPDATE_ROWS)})
DELETES = frozenset({int(Kind.DELETE_ROWS_V1), int(Kind.DELETE_ROWS)})
ROWS = INSERTS | UPDATES | DELETES
COMPRESSED = frozenset(range(Kind.QUERY_COMPRESSED, Kind.DELETE_ROWS_COMPRESSED + 1)) | {int(Kind.TRANSACTION_PAYLOAD)}
ROWS_WITH_EXTRA = frozenset({int(Kind.WRITE_ROWS), int(Kind.UPDATE_ROWS), int(Kind.DELETE_ROWS)})

_OPTIONS, _SQL_MODE = 0, 1  # status variables of a statement: 4 and 8 bytes behind their number
_STRICT = 0x600000  # STRICT_TRANS_TABLES, STRICT_ALL_TABLES
THREAD_SPECIFIC_FLAG = 0x04  # the statement uses temporary tables of its session
ARTIFICIAL_FLAG = 0x20
IGNORABLE_FLAG = 0x80
STATEMENT_END_FLAG = 0x01  # in the row event's own flags
MARIADB_STANDALONE_FLAG = 0x01  # in the GTID event: one event follows, and no COMMIT
MARIADB_PREPARED_FLAG = 0x40  # in the GTID event: the transaction is prepared only (XA)
_MARIADB_NUMBERED, _MARIADB_XA = 0x02, 0xC0  # in the GTID event: a number, the name of an XA transaction come next
_MARIADB_FLAGS_AT = HEADER_SIZE + 12
_START_ALTER, _ROLLBACK_ALTER = 0x02, 0x08  # in the GTID event's further flags


class LogEvent(NamedTuple):
    """One event of the log: bytes [start, end) of `file`. `timestamp` is in seconds since 1970; `data` is header and
    body without checksum. `line` numbers the first row among all rows at `start`: events of a compressed transaction
    have one place."""

    kind: int
    timestamp: int
    flags: int
    file: str
    start: int
    end: int
    data: bytes
    line: int = 0

    @property
    def place(self) -> str:
        return f"{self.file}:{self.start}"


class RotateTo(NamedTuple):
    file: str
    offset: int


def rotate_to(data: bytes) -> RotateTo:
    """The next file and the offset in it, from a ROTATE event without checksum."""
    return RotateTo(data[HEADER_SIZE + 8 :].decode(), int.from_bytes(data[HEADER_SIZE : HEADER_SIZE + 8], "little"))


class Statement(NamedTuple):
    """A QUERY event: the session's default database and the statement's bytes."""

    database: str
    text: bytes


@refuse_damage
def statement_of(event: LogEvent) -> Statement:
    """The statement of a QUERY or EXECUTE_LOAD_QUERY event. Refused (SW8116) when its parts do not fit into it."""
    data, at = event.data, statement_at(event)
    database = data[at - 1 - data[HEADER_SIZE + 8] : at - 1].decode("utf-8", "replace")
    if data[at - 1]:
        raise ValueError("no zero byte behind the name of its database")
    return Statement(database, data[at:])


def statement_at(event: LogEvent) -> int:
    """Where the text of a statement begins: behind the status variables, the database's name and a zero byte. Raises
    IndexError for an event that is too short."""
    data = event.data
    status_size = int.from_bytes(data[HEADER_SIZE + 11 : HEADER_SIZE + 13], "little")
    extra = 13 if event.kind == Kind.EXECUTE_LOAD_QUERY else 0
    return HEADER_SIZE + 13 + extra + status_size + data[HEADER_SIZE + 8] + 1


@refuse_damage
def is_strict(event: LogEvent) -> bool:
    """Whether the session of a QUERY event was in strict mode: otherwise values that do not fit are cut. The status
    variables begin with the session's options and its sql_mode; True where that is not said."""
    data, at = event.data, HEADER_SIZE + 13
    end = at + int.from_bytes(data[HEADER_SIZE + 11 : HEADER_SIZE + 13], "little")
    if at < end and data[at] == _OPTIONS:
        at += 5
    if at + 9 > end or data[at] != _SQL_MODE:
        return True
    return bool(int.from_bytes(data[at + 1 : at + 9], "little") & _STRICT)


@refuse_damage
def columns_at(event: LogEvent) -> tuple[int, int]:
    """How many columns a row of a row event has, and the place behind that number."""
    at = HEADER_SIZE + 8
    if event.kind in ROWS_WITH_EXTRA:
        at += int.from_bytes(event.data[at : at + 2], "little")
    return read_packed_integer(event.data, at)


def images_at(event: LogEvent) -> int:
    """Where the images of a row event begin: behind the bitmaps of its columns."""
    count, at = columns_at(event)
    return at + (count + 7) // 8 * (2 if event.kind in UPDATES else 1)


def mariadb_gtid_flags(event: LogEvent) -> int:
    return event.data[_MARIADB_FLAGS_AT]


def is_alter_without_effect(event: LogEvent) -> bool:
    """Whether the statement behind a GTID event of MariaDB is an ALTER that only starts, or is taken back. With
    `binlog_alter_two_phase` the log has its text up to twice, and it counts where the second one commits."""
    data, at = event.data, _MARIADB_FLAGS_AT + 1
    flags = data[_MARIADB_FLAGS_AT]
    if flags & _MARIADB_NUMBERED:
        at += 8
    if flags & _MARIADB_XA:
        at += 6 + sum(data[at + 4 : at + 6])
    return at < len(data) and bool(data[at] & (_START_ALTER | _ROLLBACK_ALTER))


def with_effect(events: Iterable[LogEvent]) -> Iterator[LogEvent]:
    """The events without the statements of such ALTERs."""
    skipped = False
    for event in events:
        if event.kind == Kind.MARIADB_GTID:
            skipped = is_alter_without_effect(event)
        if not (skipped and event.kind == Kind.QUERY):
            yield event


@refuse_damage
def error_of(event: LogEvent) -> int:
    """The number of the error with which a statement ended at the source; 0 where it did not fail."""
    return int.from_bytes(event.data[HEADER_SIZE + 9 : HEADER_SIZE + 11], "little")


def read_packed_integer(data: bytes, at: int) -> tuple[int, int]:
    """A length-encoded integer and the place after it. Raises IndexError or KeyError for bytes that are none."""
    first = data[at]
    if first < 251:
        return first, at + 1
    size = {252: 2, 253: 3, 254: 8}[first]
    return int.from_bytes(data[at + 1 : at + 1 + size], "little"), at + 1 + size
