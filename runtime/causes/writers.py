"""On which server, by which connection, were changes of a log made? The events say the first, and MySQL's statements
that begin a transaction say the second.

Runs in the process of the command; reads the server's log once more, up to these changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.events import HEADER, HEADER_SIZE, ROWS, Kind, LogEvent
from shardwright.runtime.sources.binlog.gtid_event import GTID_EVENTS
from shardwright.runtime.sources.positions.log_position import FIRST_OFFSET, LogPosition

_THREAD_END: Final = HEADER_SIZE + 4


class Writer(NamedTuple):
    server_id: int
    thread: int | None


def read_writers(endpoint: Endpoint, places: Sequence[LogPosition]) -> Mapping[LogPosition, Writer]:
    """By the place of a row event. One that is not there by itself (of an XA transaction) is left out."""
    found: dict[LogPosition, Writer] = {}
    for file in dict.fromkeys(place.file for place in places):
        wanted = {place.offset: place for place in places if place.file == file}
        thread: int | None = None
        for event in dump(endpoint, LogPosition(file, FIRST_OFFSET), LogPosition(file, max(wanted) + 1)):
            if event.kind in GTID_EVENTS:
                thread = None
            elif event.kind == Kind.QUERY:
                thread = int.from_bytes(event.data[HEADER_SIZE:_THREAD_END], "little")
            elif event.kind in ROWS and event.start in wanted:
                found[wanted[event.start]] = Writer(_server_id(event), thread)
    return found


def _server_id(event: LogEvent) -> int:
    return int(HEADER.unpack_from(event.data)[2])
