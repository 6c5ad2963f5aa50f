"""How long until a source's log no longer holds the stream's position (hazard B4)?

Runs in the process of the command; reads source servers. A server purges whole files, the oldest first, and never the
one that it writes. It says by which rules, and how large its files are. When a file was created is in its first event,
which only an account with REPLICATION SLAVE may read. Without it the time is counted from the commit before the
position, which is never too long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final, Literal

import pymysql

from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.run.log_retention import Retention, log_files, read_retention
from shardwright.runtime.sources.binlog.connection import head_of, server_identity
from shardwright.runtime.sources.binlog.place import creation_time
from shardwright.runtime.sources.positions.log_position import LogPosition

Limit = Literal["time", "size", "pace", "purged"]
"""What ends it: the server's limits; how fast someone purges where the server has no limit; or it has ended."""
_RECENT_FILES: Final = 4
_MOST_TIMES: Final = 1000


@dataclass(frozen=True, slots=True)
class PurgeClock:
    """The time that is left. None: not known, or without an end as far as the server says."""

    seconds_left: float | None
    """Until the file of the position may go; 0 once it has gone."""
    limit: Limit | None
    """What ends it."""
    retention_seconds: float | None
    """The server's limit by time."""
    retention_bytes: int | None
    """The server's limit by size."""
    by_rds: bool
    """Whether the limit by time is from the table that RDS and Aurora have for it."""
    log_bytes: int
    """The size of all files."""
    oldest_seconds: float | None
    """The age of the oldest file."""
    bytes_per_second: float | None
    """How fast the log grows, over its last files."""


@dataclass(frozen=True, slots=True)
class ServerFiles:
    """What a server says of its log at one moment."""

    sizes: Mapping[str, int]
    """File -> bytes, oldest first."""
    head: LogPosition
    """Where the log ends."""
    identity: str
    """Which server it is."""
    kept: Retention
    """Its limits."""
    now: float
    """Its clock, in seconds since 1970."""

    def bytes_from(self, place: LogPosition) -> int | None:
        """Bytes of the log between `place` and its end; None where the place is in no file of it."""
        if place.file not in self.sizes:
            return None
        names = list(self.sizes)
        later = names[names.index(place.file) :]
        return max(0, sum(self.sizes[name] for name in later[:-1]) + self.head.offset - place.offset)


@dataclass(frozen=True, slots=True)
class FileTimes:
    """When some files were created, in seconds since 1970; None where that is not known."""

    oldest: float | None = None
    after_place: float | None = None
    """Of the file behind the one that has the position: then that one was closed."""
    recent: float | None = None
    """Of the first of the last files, over which the growth is measured."""


def read_files(endpoint: Endpoint) -> ServerFiles:
    """Needs REPLICATION CLIENT (MariaDB: BINLOG MONITOR). Raises RuntimeFailure, or the driver's error."""
    with closing(connect(endpoint)) as connection:
        identity, kept = server_identity(connection), read_retention(connection)
        head, sizes = head_of(connection, endpoint), log_files(connection)
        [(now,)] = query(connection, "SELECT UNIX_TIMESTAMP(NOW(6))")
    return ServerFiles(sizes, head, identity, kept, float(now))


def recent_files(files: ServerFiles) -> tuple[str, ...]:
    """The last ones, over which the growth is measured."""
    return tuple(files.sizes)[-_RECENT_FILES:]


def judge_purge(place: LogPosition, files: ServerFiles, times: FileTimes) -> PurgeClock:
    """`place` is the stream's position in the log of this server."""
    rate = _rate(files, times.recent)
    left, limit = _soonest(place, files, times, rate=rate)
    return PurgeClock(
        left,
        limit,
        files.kept.seconds,
        files.kept.bytes,
        files.kept.by_rds,
        log_bytes=sum(files.sizes.values()),
        oldest_seconds=None if times.oldest is None else max(0.0, files.now - times.oldest),
        bytes_per_second=rate,
    )


def _rate(files: ServerFiles, since: float | None) -> float | None:
    if since is None or files.now - since < 1.0:
        return None
    return sum(files.sizes[name] for name in recent_files(files)) / (files.now - since)


def _soonest(
    place: LogPosition, files: ServerFiles, times: FileTimes, *, rate: float | None
) -> tuple[float | None, Limit | None]:
    names = list(files.sizes)
    if place.file not in files.sizes:
        gone = place.log_name == files.head.log_name and place.file_number < files.head.file_number
        return (0.0, "purged") if gone else (None, None)
    is_open = place.file == names[-1]
    written_until = files.now if is_open else _time_closed(place, times)
    found: list[tuple[float, Limit]] = []
    if files.kept.seconds is not None and written_until is not None:
        found.append((max(0.0, written_until + files.kept.seconds - files.now), "time"))
    if files.kept.bytes is not None and rate:
        room = files.kept.bytes - sum(files.sizes[name] for name in names[names.index(place.file) :])
        if room > 0 or not is_open:
            found.append((max(0.0, room / rate), "size"))
    no_limit = files.kept.seconds is None and files.kept.bytes is None
    if no_limit and times.oldest is not None and written_until is not None and _has_purged(names):
        found.append((max(0.0, written_until - times.oldest), "pace"))
    return min(found) if found else (None, None)


def _time_closed(place: LogPosition, times: FileTimes) -> float | None:
    """When the file of the position was last written to, or some time before."""
    if times.after_place is not None:
        return times.after_place
    return place.commit_us / 1e6 if place.commit_us is not None else place.created


def _has_purged(names: list[str]) -> bool:
    """Whether files are gone that once were the log's first ones."""
    return int(names[0].rpartition(".")[2]) > 1


@dataclass
class KnownTimes:
    """When files were created. That never changes, so that each file is asked for once."""

    ask: Callable[[Endpoint, str], float] = creation_time
    _known: dict[tuple[str, str], float | None] = field(init=False, default_factory=dict)

    def of(self, endpoint: Endpoint, place: LogPosition, files: ServerFiles) -> FileTimes:
        """Reads the beginning of up to three files of the log."""
        names = list(files.sizes)
        behind = names[names.index(place.file) + 1 :][:1] if place.file in files.sizes else []
        wanted = (names[:1], behind, list(recent_files(files))[:1])
        return FileTimes(*(self._time(endpoint, files.identity, name[0]) if name else None for name in wanted))

    def _time(self, endpoint: Endpoint, server: str, file: str) -> float | None:
        if (server, file) not in self._known:
            if len(self._known) > _MOST_TIMES:
                self._known.clear()
            try:
                self._known[server, file] = float(self.ask(endpoint, file))
            except Refused:
                self._known[server, file] = None  # the account may not read it: it will not later, either
            except (RuntimeFailure, pymysql.err.MySQLError, OSError):
                return None
        return self._known[server, file]
