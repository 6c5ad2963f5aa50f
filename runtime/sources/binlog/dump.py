"""What events a server's log holds in a range: read by the dump protocol, in order, each with its checksum verified
(hazard E13).

Used in the driver and in Spark tasks; reads the source server, over a connection of its own.
"""

from __future__ import annotations

import secrets
import struct
import time
import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import pymysql
from pymysql.constants import COMMAND

from shardwright.runtime.failures import Refused, RuntimeFailure, StoppedPartWay, Unreachable
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.errors import DENIED, LOG_READ_ERROR
from shardwright.runtime.mysql.packets import is_last, payloads
from shardwright.runtime.mysql.servers import mariadb_version
from shardwright.runtime.mysql.transactions import set_variables
from shardwright.runtime.sources.binlog.connection import (
    READ_TIMEOUT,
    answer_seconds,
    connect_dump,
    reason,
    require_server,
)
from shardwright.runtime.sources.binlog.damage import DISK_OR_NETWORK, UNREADABLE
from shardwright.runtime.sources.binlog.decompress import plain_events
from shardwright.runtime.sources.binlog.events import (
    ARTIFICIAL_FLAG,
    CHECKSUM_SIZE,
    COMPRESSED,
    HEADER,
    HEADER_SIZE,
    Kind,
    LogEvent,
    RotateTo,
    rotate_to,
)
from shardwright.runtime.sources.binlog.server_log import look_at
from shardwright.runtime.sources.positions.log_position import FIRST_OFFSET, LARGEST_OFFSET, LogPosition
from shardwright.specs.findings.remedies import START_OVER

PURGED: Final = "SW8496"
"""The code of a place in a file that the server has purged."""
NON_BLOCKING, WITH_ANNOTATIONS = 1, 2
_LEAVES_POSITIONS_OUT = (11, 0)
"""MariaDB that may write 0 for the position of an event within a transaction: since 11.4 it makes the checksum before
it knows where the event goes (MDEV-31273)."""
HEARTBEAT_SECONDS = 5
RECONNECT_SECONDS = 30
"""How long after the last event a broken connection is made again: a server that restarts needs some seconds."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 2.0
_SYNC_SECONDS = 30
"""How long MySQL may take to sync the end of its log, which it reports before it hands it to a reader."""
_SYNC_PAUSE = 0.02
SEND_SECONDS = 3600  # how long the server waits for a reader that is kept busy (hazard B9)
IN_USE_FLAG = 0x01  # set in the open file's first event after the checksum was computed
_ROTATE = int(Kind.ROTATE)  # plain integers: compared with every event's number
_ABOUT_THE_LOG = frozenset(map(int, (Kind.FORMAT_DESCRIPTION, Kind.ROTATE, Kind.HEARTBEAT, Kind.HEARTBEAT_V2)))


class _EndsBefore(Refused):
    """The server has sent all that it hands to readers."""


def dump(endpoint: Endpoint, start: LogPosition, end: LogPosition) -> Iterator[LogEvent]:
    """The events from `start` until the log position reaches `end`, in order and without the server's artificial ones.
    For a compressed event come those that it stands for.

    A connection that breaks after events came is made again, and continues behind the last one: no event comes twice
    (hazard A8). Raises Refused when `start` is no place of the log, when the log ends before `end`, when an event is
    damaged, or when the log is not that of `start`; StoppedPartWay when another server answers, or when the file of
    `start` was purged (SW8496).
    """
    # The epoch distinguishes logs of different servers; here there is only one.
    start, end = replace(start, epoch=0), replace(end, epoch=0)
    if start >= end:
        return
    stream = EventStream(start, endpoint)
    received: float | None = None  # when the last event came
    short: float | None = None  # when the server first had no more than what came
    pause = _FIRST_PAUSE
    while True:
        try:
            for event in _dump_once(endpoint, stream, end):
                if event.kind in COMPRESSED:
                    yield from plain_events(event)
                else:
                    yield event
                received, pause, short = time.monotonic(), _FIRST_PAUSE, None
            return
        except _EndsBefore:
            short = time.monotonic() if short is None else short
            if look_at(endpoint).head < end or time.monotonic() - short > _SYNC_SECONDS:
                raise
            pause = _SYNC_PAUSE
        except Unreachable:
            if received is None or time.monotonic() - received > RECONNECT_SECONDS:
                raise
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def _dump_once(endpoint: Endpoint, stream: EventStream, end: LogPosition) -> Iterator[LogEvent]:
    start = stream.place
    if start.offset > LARGEST_OFFSET:
        raise Refused("SW8110", f"{start} lies beyond 4 GiB: a server cannot be asked for it: {START_OVER}")
    with connect_dump(endpoint) as connection:
        try:
            stream.require_server(connection)
            _announce(connection)
            _request(connection, start)
            yield from stream.until(payloads(connection), end)
        except pymysql.err.MySQLError as error:
            if error.args and error.args[0] == LOG_READ_ERROR:
                raise _cannot_give(endpoint, start, reason(error)) from None
            if error.args and error.args[0] in DENIED:
                needed = "reading the log needs the REPLICATION SLAVE privilege"
                raise Refused("SW8102", f"{endpoint} refuses to give its log: {needed} ({reason(error)})") from None
            raise


def _cannot_give(endpoint: Endpoint, start: LogPosition, why: str) -> RuntimeFailure:
    """A purged file may hold nothing that was not applied: the next attempt asks the ledgers (`same_server`)."""
    oldest = look_at(endpoint)
    if oldest.has_purged(start):
        found = f"{endpoint} has purged its log from {start} to {oldest.oldest} before this run has read it there"
        return StoppedPartWay(PURGED, f"{found}: the next attempt asks the ledgers whether anything is lost")
    return Refused(
        "SW8110",
        f"{endpoint} cannot give its log from {start} ({why}), which is not a place of this log: changes since then "
        f"are lost to us: {START_OVER}",
    )


def _announce(connection: pymysql.Connection[Any]) -> None:
    # Both names: MySQL 8.4 knows the new one, MariaDB and older servers the old one. Unread variables do no harm.
    set_variables(connection, source_binlog_checksum="CRC32", master_binlog_checksum="CRC32")
    set_variables(connection, mariadb_slave_capability=4)  # GTID events as they are, and no dummies (E6)
    nanoseconds = HEARTBEAT_SECONDS * 1_000_000_000
    set_variables(connection, source_heartbeat_period=nanoseconds, master_heartbeat_period=nanoseconds)
    with connection.cursor() as cursor:
        cursor.execute("SET SESSION net_write_timeout = %s", (SEND_SECONDS,))


def _request(connection: pymysql.Connection[Any], start: LogPosition) -> None:
    server_id = secrets.randbelow(2**31) + 2**30  # the server drops the older of two readers with one id
    register = struct.pack("<IBBBHII", server_id, 0, 0, 0, 0, 0, 0)
    raw: Any = connection  # PyMySQL has no public way to send these two commands
    raw._execute_command(COMMAND.COM_REGISTER_SLAVE, register)
    raw._read_packet()
    # MariaDB leaves out its ANNOTATE_ROWS events unless they are asked for: nobody reads the statements in them. But
    # where events do not say their position, each one that is left out would move all behind it.
    version = mariadb_version(connection)
    flags = NON_BLOCKING | (WITH_ANNOTATIONS if version is not None and version >= _LEAVES_POSITIONS_OUT else 0)
    request = struct.pack("<IHI", start.offset, flags, server_id) + start.file.encode()
    raw._execute_command(COMMAND.COM_BINLOG_DUMP, request)


class EventStream:
    """Turns the packets of one dump into events. It computes the position itself, since headers have it in 32 bits only
    (E10)."""

    def __init__(self, start: LogPosition, endpoint: Endpoint | str = "the server") -> None:
        self._file = start.file
        self._offset = start.offset
        self._checksums = True
        self._source = endpoint
        self._patience = READ_TIMEOUT if isinstance(endpoint, str) else answer_seconds(endpoint)
        self._server = start.server
        self._created = start.created  # of the current file; None until it is known

    @property
    def place(self) -> LogPosition:
        """The position behind the last event, whether a transaction ends there or not."""
        return LogPosition(self._file, self._offset)

    def require_server(self, connection: pymysql.Connection[Any]) -> None:
        """Positions mean nothing on another server (hazard E5)."""
        require_server(connection, self._server, where=self._source)

    def until(self, packets: Iterator[bytes], end: LogPosition) -> Iterator[LogEvent]:
        """The events before `end`. `packets`: what the server sends."""
        deadline = 0.0
        while True:
            try:
                if not self._before(end):
                    return
                packet = next(packets)
                if is_last(packet):
                    raise _EndsBefore("SW8110", f"the log of {self._source} ends at {self.place}, before {end}")
                event = self.accept(packet[1:])
            except UNREADABLE as error:
                raise self._damage_refusal(f"cannot be read ({type(error).__name__}: {error})") from error
            if event is not None:
                deadline = 0.0
                yield event
            elif not deadline:
                deadline = time.monotonic() + self._patience
            elif time.monotonic() > deadline:
                raise Unreachable("SW8117", f"{self._source} sent no event for {self._patience:g} s before {end}")

    def _before(self, end: LogPosition) -> bool:
        if self._file == end.file:
            return self._offset < end.offset
        return LogPosition(self._file, self._offset) < end

    def accept(self, packet: bytes) -> LogEvent | None:
        """The event in one packet; None for events that are not in the log (fake rotates, heartbeats)."""
        timestamp, kind, _server, size, log_pos, flags = HEADER.unpack_from(packet)
        if size != len(packet):
            raise self._damage_refusal(f"says {size} bytes and has {len(packet)}")
        artificial = bool(flags & ARTIFICIAL_FLAG)
        if kind in _ABOUT_THE_LOG:
            artificial = artificial or not log_pos
            data = self._about_the_log(packet, kind, fake=artificial)
        else:
            data = self._verify(packet, kind)
        if artificial or data is None:
            return None
        # A server may leave events out, so the position can jump, but only forwards and not far.
        # Within a transaction MariaDB may not say it: then the event stands right behind the one before it.
        skipped = (log_pos - self._offset - size) & LARGEST_OFFSET if log_pos else 0
        if skipped >> 31:
            raise self._damage_refusal(f"ends at {log_pos}, before it can start")
        file, start = self._file, self._offset + skipped
        self._offset = end = start + size
        if kind == _ROTATE:
            self._file, self._offset, self._created = _next_file(data).file, FIRST_OFFSET, None
        return LogEvent(kind, timestamp, flags, file, start, end, data)

    def _verify(self, packet: bytes, kind: int) -> bytes:
        if not self._checksums:
            return packet
        body = _check(packet)
        if body is None:
            raise self._damage_refusal(f"of type {kind} fails its checksum")
        return body

    def _about_the_log(self, packet: bytes, kind: int, *, fake: bool) -> bytes | None:
        if kind == Kind.FORMAT_DESCRIPTION:
            self._checksums = self._format_has_checksums(packet)
            self._require_same_file(HEADER.unpack_from(packet)[0], fake=fake)
            return packet[:-CHECKSUM_SIZE]
        if kind == Kind.ROTATE and not fake:
            return self._verify(packet, kind)
        if kind == Kind.ROTATE:
            # Sent before the format is known: only the checksum itself shows whether there is one.
            self._file, self._offset = _next_file(_check(packet) or packet)
        return None

    def _require_same_file(self, created: int, *, fake: bool) -> None:
        """A server that begins inside a file sends the file's own description first, with the time it was created."""
        if fake and self._created is not None and created != self._created:
            raise Refused(
                "SW8132",
                f"{self._file} of {self._source} was created {_clock(created)}, but the position is of a file of that "
                f"name created {_clock(self._created)}: the log was reset (RESET MASTER, RESET BINARY LOGS) or the "
                f"server restored from a backup. What changed in between is not known: {START_OVER}",
            )
        self._created = created

    def _format_has_checksums(self, packet: bytes) -> bool:
        algorithm = packet[-CHECKSUM_SIZE - 1]
        if algorithm > 1:
            raise Refused(
                "SW8115", f"{self._file} of {self._source} uses checksum algorithm {algorithm}, which we do not know"
            )
        flags_at = HEADER_SIZE - 2
        closed = packet[:flags_at] + bytes([packet[flags_at] & ~IN_USE_FLAG]) + packet[flags_at + 1 :]
        if algorithm and _check(packet) is None and _check(closed) is None:
            raise self._damage_refusal("that describes the file fails its checksum")
        return algorithm == 1

    def _damage_refusal(self, what: str) -> Refused:
        return Refused(
            "SW8116",
            f"the log of {self._source} is damaged: the event at {self._file}:{self._offset} {what}. {DISK_OR_NETWORK}",
        )


def _next_file(data: bytes) -> RotateTo:
    """The next file in a ROTATE event. Raises ValueError for a name that no log file has."""
    target = rotate_to(data)
    if LogPosition(target.file, FIRST_OFFSET).file_number > LARGEST_OFFSET:
        raise ValueError(f"'{target.file}' is not the name of a binary log file")
    return target


def _clock(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(sep=" ")


def _check(packet: bytes) -> bytes | None:
    """The event without its checksum; None where that does not hold."""
    body = packet[:-CHECKSUM_SIZE]
    holds = len(body) >= HEADER_SIZE and zlib.crc32(body) == int.from_bytes(packet[-CHECKSUM_SIZE:], "little")
    return body if holds else None
