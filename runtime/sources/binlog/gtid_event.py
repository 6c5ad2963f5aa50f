"""What a GTID event says (which transaction begins, when it committed at its origin), and which GTIDs the log has had
up to a transaction boundary. These are kept with the position, so that the place can be found again on another server.

Pure. Used in the driver.
"""

from __future__ import annotations

import struct
import uuid
from dataclasses import replace
from typing import NamedTuple

from shardwright.runtime.sources.binlog.damage import refuse_damage
from shardwright.runtime.sources.binlog.events import HEADER_SIZE, Kind, LogEvent
from shardwright.runtime.sources.binlog.gtid import Collector, Gtid, MariadbGtid, MysqlGtid, parse_gtids
from shardwright.runtime.sources.binlog.origins import OriginsCollector
from shardwright.runtime.sources.positions.log_position import LogPosition

MYSQL_GTIDS = frozenset(map(int, (Kind.GTID, Kind.GTID_TAGGED)))
GTID_EVENTS = MYSQL_GTIDS | {int(Kind.ANONYMOUS_GTID), int(Kind.MARIADB_GTID)}
"""Each transaction begins with one of these, on every supported server."""

_SHORTEST = 13
_TIMES_AT = HEADER_SIZE + 42
_HAS_ORIGINAL = 1 << 55  # in the first time: the origin's own time follows, else it is the same
_SERVER_AT = 5  # in the header
_NUMBER = struct.Struct("<Q")


class GtidEvent(NamedTuple):
    """`gtid` is None for a transaction without one. `commit_us`: when it committed at its origin, in microseconds, the
    same in every replica's log; None where the server does not say (MariaDB, MySQL before 8.0)."""

    gtid: Gtid | None
    commit_us: int | None


@refuse_damage
def parse_gtid(event: LogEvent) -> GtidEvent:
    """The content of a GTID event. Raises Refused (SW8116) when it is too short, or names no transaction."""
    data = event.data
    if len(data) < HEADER_SIZE + _SHORTEST:
        raise ValueError(f"{len(data)} bytes are too few")
    if event.kind == Kind.MARIADB_GTID:
        number = int.from_bytes(data[HEADER_SIZE : HEADER_SIZE + 8], "little")
        domain = int.from_bytes(data[HEADER_SIZE + 8 : HEADER_SIZE + 12], "little")
        server = int.from_bytes(data[_SERVER_AT : _SERVER_AT + 4], "little")
        return GtidEvent(MariadbGtid(domain, server, number), None)
    if event.kind == Kind.GTID_TAGGED:
        return _parse_tagged(data)
    first = int.from_bytes(data[_TIMES_AT : _TIMES_AT + 7], "little")
    time = int.from_bytes(data[_TIMES_AT + 7 : _TIMES_AT + 14], "little") if first & _HAS_ORIGINAL else first
    if event.kind == Kind.ANONYMOUS_GTID:
        return GtidEvent(None, time or None)
    source = str(uuid.UUID(bytes=data[HEADER_SIZE + 1 : HEADER_SIZE + 17]))
    (number,) = _NUMBER.unpack_from(data, HEADER_SIZE + 17)
    return GtidEvent(MysqlGtid(source, number), time or None)


def _parse_tagged(data: bytes) -> GtidEvent:
    """MySQL's newer form: numbered fields, each number in as many bytes as its first byte has trailing ones, and one
    more."""
    at = HEADER_SIZE
    for _ in range(3):  # version of the form, size, last field that must be understood
        _, at = _number(data, at)
    found: dict[int, int] = {}
    source, tag = b"", ""
    while at < len(data):
        field, at = _number(data, at)
        if field == 1:
            parts = []
            for _ in range(16):
                part, at = _number(data, at)
                parts.append(part)
            source = bytes(parts)
        elif field == 3:
            size, at = _number(data, at)
            tag, at = data[at : at + size].decode(), at + size
        else:
            found[field], at = _number(data, at)
        if field > 7:
            break
    number = found[2] >> 1  # a signed number: its sign is the lowest bit
    return GtidEvent(MysqlGtid(f"{uuid.UUID(bytes=source)}:{tag}", number), found.get(7) or found.get(6))


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Raises ValueError or struct.error when the data ends within it."""
    first = data[at]
    size = (first ^ (first + 1)).bit_length()  # trailing ones, and one more
    if size > 8:  # the first byte is all ones: eight whole bytes follow
        return _NUMBER.unpack_from(data, at + 1)[0], at + 9
    if at + size > len(data):
        raise ValueError("it ends within a number")
    return int.from_bytes(data[at : at + size], "little") >> size, at + size


_FORMAT, _ROTATE = int(Kind.FORMAT_DESCRIPTION), int(Kind.ROTATE)


class History:
    """Collects the GTIDs of a log. It gets every event after `start`, in order. A GTID counts at its transaction's end,
    never before (hazard A6)."""

    def __init__(self, start: LogPosition) -> None:
        self._start = start
        self._gtids = None if start.gtids is None else Collector(parse_gtids(start.gtids))
        self._created = start.created
        self._commit_us = start.commit_us
        self._begun: tuple[Gtid | None, int | None] | None = None
        self._origins = OriginsCollector(start.origins)
        self._changes = False  # the open transaction has changed a followed table

    def feed(self, event: LogEvent, *, inside: bool, changes: bool = False) -> None:
        """`inside`: whether the place after the event is inside a transaction. `changes`: whether the event changes a
        followed table."""
        if changes:
            self._changes = True
        if event.kind in GTID_EVENTS:
            self._begun = parse_gtid(event)
        elif event.kind == _FORMAT:
            self._created = event.timestamp
        elif event.kind == _ROTATE:
            self._created = None  # the next file has its own
        if not inside and self._begun is not None:
            gtid, commit_us = self._begun
            self._begun = None
            self._commit_us = commit_us
            if gtid is None:
                self._gtids = None  # a transaction without a GTID: sets no longer describe what was applied
            elif self._gtids is not None:
                self._origins.add(gtid, highest=self._gtids.highest(gtid), changed=self._changes)
                self._gtids.add(gtid)
            self._changes = False

    def at(self, place: LogPosition) -> LogPosition:
        """`place`, the boundary after the last event, with all that is known there."""
        return replace(
            place,
            epoch=self._start.epoch,
            server=self._start.server,
            created=self._created,
            gtids=None if self._gtids is None else str(self._gtids.gtids()),
            commit_us=self._commit_us,
            origins={} if self._gtids is None else self._origins.origins(),
            owed=self._start.obligation_at(place),
        )
