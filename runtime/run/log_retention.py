"""For how long does the source keep its log, and how soon will unread parts of it be purged (hazard B4)?

Runs in the driver; reads source servers. The stream is followed while rows are copied, so the log need not outlive the
copy. It must outlive the lag of the stream, and any time in which no run is under way.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.events.event import Emit
from shardwright.runtime.events.run import LogKept, LogPurgeNear
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.mysql.errors import STATEMENT_DENIED
from shardwright.runtime.mysql.servers import Servers, connect
from shardwright.runtime.mysql.transactions import query, query_if_there
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.stream_position import StreamPosition

_DAY: Final = 86_400.0
ROWS_PER_SECOND: Final = 10_000
"""The speed of a copy on a small machine with several indexes a table. The estimate should not be too short."""
_RDS_NAME: Final = "binlog retention hours"
_RDS_LEAST: Final = 1 / 60
"""Hours: a minute stands for "as soon as possible"."""
_BETWEEN_LOOKS: Final = 300.0
_VARIABLES: Final = (
    "binlog_expire_logs_seconds",
    "expire_logs_days",
    "binlog_expire_logs_auto_purge",
    "max_binlog_total_size",
    "binlog_space_limit",
)


@dataclass(frozen=True, slots=True)
class Retention:
    """How long a server keeps its log files, by time and by size. None: no limit, as far as the server says."""

    seconds: float | None
    bytes: int | None
    by_rds: bool = False
    """Whether it is set by a procedure of RDS or Aurora instead of the variables."""


@dataclass(frozen=True, slots=True)
class NearPurge:
    """Unread log may soon be purged, after `left_seconds` where that goes by time."""

    message: str
    left_seconds: float | None


@dataclass
class LogRetention:
    """Warns the operator. A server that does not answer here is reported by the reader of its log."""

    servers: Servers
    emit: Emit
    now: Callable[[], float] = time.time
    _looked: float = field(init=False, default=float("-inf"))

    def begin(self, position: StreamPosition, rows: int | None) -> None:
        """Reports at the start of an attempt. About `rows` rows are to be copied; None: all are copied."""
        for name, place in position.logs.items():
            found = self._ask(name)
            if found is None:
                continue
            if rows is not None and found[0].seconds is not None:
                self.emit(_at_the_start(name, found[0].seconds, copying=rows / ROWS_PER_SECOND))
            self._warn(name, place, *found)
        self._looked = time.monotonic()

    def look(self, position: StreamPosition) -> None:
        """Warns again, at most once in five minutes. Called after a batch and while writing pauses."""
        if time.monotonic() - self._looked < _BETWEEN_LOOKS:
            return
        self._looked = time.monotonic()
        for name, place in position.logs.items():
            found = self._ask(name)
            if found is not None:
                self._warn(name, place, *found)

    def _warn(self, name: str, place: LogPosition, kept: Retention, files: Mapping[str, int]) -> None:
        found = near_purge(place, kept, files=files, now=self.now())
        if found:
            self.emit(LogPurgeNear(name, found.message, found.left_seconds))

    def _ask(self, name: str) -> tuple[Retention, dict[str, int]] | None:
        try:
            connection = connect(self.servers.sources[name])
        except RuntimeFailure:
            return None
        try:
            return read_retention(connection), log_files(connection)
        except pymysql.err.MySQLError:
            return None
        finally:
            connection.close()


def read_retention(connection: Connection[Any]) -> Retention:
    """The limits in the server's variables, and in the table that RDS and Aurora have for them. Other managed services
    may purge by rules that nothing shows."""
    listed = ", ".join(f"'{name}'" for name in _VARIABLES)
    said = query(connection, f"SHOW GLOBAL VARIABLES WHERE Variable_name IN ({listed})")
    found = {str(name).lower(): str(value) for name, value in said}
    seconds = float(found.get("binlog_expire_logs_seconds") or 0) or _DAY * float(found.get("expire_logs_days") or 0)
    if found.get("binlog_expire_logs_auto_purge", "ON").upper() in ("OFF", "0"):
        seconds = 0.0
    by_rds = _of_rds(connection)
    limits = [int(found[name]) for name in _VARIABLES[3:] if int(found.get(name) or 0)]
    if by_rds is not None:
        return Retention(by_rds, min(limits, default=None), by_rds=True)
    return Retention(seconds or None, min(limits, default=None))


def _of_rds(connection: Connection[Any]) -> float | None:
    """RDS and Aurora purge by a table of their own, whatever the variables say. Without a number there, files go as
    soon as the service itself does not need them. None: it is another server, or we may not ask."""
    try:
        rows = query_if_there(connection, "SELECT value FROM mysql.rds_configuration WHERE name = %s", (_RDS_NAME,))
    except pymysql.err.MySQLError as error:
        if not error.args or error.args[0] not in STATEMENT_DENIED:
            raise
        return None
    return 3600.0 * float(rows[0][0] or _RDS_LEAST) if rows else None


def near_purge(place: LogPosition, kept: Retention, *, files: Mapping[str, int], now: float) -> NearPurge | None:
    """A warning when the unread log has used up half of its time or room; None otherwise.

    `files`: the server's log files with their sizes, oldest first. The file that is being written is never purged.
    """
    names = list(files)
    if place.file not in files or place.file == names[-1]:
        return None
    begun = place.commit_us / 1e6 if place.commit_us is not None else place.created
    if kept.seconds is not None and begun is not None and now - begun > kept.seconds / 2:
        left = max(0.0, begun + kept.seconds - now)
        return NearPurge(
            f"the stream is at {place}, {span(now - begun)} behind, and the server purges its log after "
            f"{span(kept.seconds)}: unread events may be gone in {span(left)}; raise binlog_expire_logs_seconds",
            left,
        )
    behind = sum(files[name] for name in names[names.index(place.file) :])
    if kept.bytes is not None and behind > kept.bytes / 2:
        return NearPurge(
            f"the stream is at {place}, {behind} bytes of log behind, and the server keeps {kept.bytes}: raise the "
            "limit",
            None,
        )
    return None


def _at_the_start(name: str, seconds: float, *, copying: float) -> LogKept:
    if seconds >= max(_DAY, copying):
        return LogKept(name, span(seconds))
    estimate = f", and copying may take {span(copying)}" if copying > seconds else ""
    return LogKept(name, span(seconds), f"{estimate}; raise binlog_expire_logs_seconds")


def span(seconds: float) -> str:
    for size, unit in ((_DAY, "d"), (3600.0, "h"), (60.0, "min")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.0f} s"


def log_files(connection: Connection[Any]) -> dict[str, int]:
    """The server's log files with their bytes, oldest first."""
    return {str(row[0]): int(row[1]) for row in query(connection, "SHOW BINARY LOGS")}
