"""How much of a server's log is read? Its end, up to so many bytes.

Pure: the server was asked before.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from shardwright.runtime.sources.binlog.server_log import ServerLog
from shardwright.runtime.sources.positions.log_position import FIRST_OFFSET, LogPosition


class LogPart(NamedTuple):
    """From here to the end of the log."""

    start: LogPosition
    is_whole: bool
    """Whether it has all that was wanted, as far as the server has it."""


def part_within(log: ServerLog, wanted: Iterable[LogPosition], *, size: int) -> LogPart | None:
    """The longest part of at most `size` bytes that begins at one of `wanted`, or at a file behind the first of them.
    None where not even the last of them is within that size. Positions of another log do not count; without any, all of
    the log is wanted."""
    known = [place for place in wanted if place.file in log.files and place.server in (None, log.identity)]
    files = [LogPosition(name, FIRST_OFFSET) for name in log.files]
    first = min(map(_order, known), default=_order(files[0]))
    places = sorted([*known, *(place for place in files if _order(place) >= first)], key=_order)
    for place in places:
        if _bytes_from(log, place) <= size:
            start = LogPosition(place.file, place.offset, server=log.identity, created=place.created)
            return LogPart(start, is_whole=_order(place) == first)
    return None


def _order(place: LogPosition) -> tuple[int, int]:
    """Within one log, whatever the epoch."""
    return place.file_number, place.offset


def _bytes_from(log: ServerLog, place: LogPosition) -> int:
    later = sum(log.size[name] for name in log.files[log.files.index(place.file) + 1 :])
    return log.size[place.file] - place.offset + later
