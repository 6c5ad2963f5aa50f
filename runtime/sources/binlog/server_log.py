"""What a server reports about its own log: its files, the transactions before each, all that it has executed, and where
the log ends now.

Runs in the driver; reads the source server. A stream at rest asks for the end several times a second, over one
connection.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.runtime.mysql.transactions import query_together
from shardwright.runtime.sources.binlog.connection import (
    connect_dump,
    head_in,
    head_of,
    log_status_statement,
    require_server,
    server_identity,
)
from shardwright.runtime.sources.binlog.gtid import Gtids, MariadbGtids, MysqlGtids, parse_gtids
from shardwright.runtime.sources.positions.log_position import FIRST_OFFSET, LogPosition

_FIRST_EVENTS = 6
_TRIES = 5
_MARIADB_STATE = "SELECT @@GLOBAL.read_only, ''"
_MYSQL_STATE = "SELECT @@GLOBAL.read_only, @@GLOBAL.gtid_purged"
_MARIADB_EXECUTED = "SELECT @@GLOBAL.gtid_binlog_state, @@GLOBAL.gtid_slave_pos"
_MYSQL_EXECUTED = "SELECT @@GLOBAL.gtid_mode, @@GLOBAL.gtid_executed"


@dataclass(frozen=True, slots=True)
class ServerLog:
    """A server's log at one moment."""

    endpoint: Endpoint
    """How to connect to the server."""
    identity: str
    """Which server it is."""
    files: tuple[str, ...]
    """Names of the log files, from the oldest on."""
    size: dict[str, int]
    """File -> bytes."""
    head: LogPosition
    """The end of the log."""
    executed: Gtids | None
    """All transactions that the server has; None where it counts none (no GTIDs)."""
    purged: Gtids
    """Transactions that no file holds, as far as the server says (MySQL)."""
    mariadb: bool
    """Whether it is MariaDB."""
    read_only: bool
    """Whether it takes no writes from clients, as a replica."""

    @property
    def oldest(self) -> LogPosition:
        return LogPosition(self.files[0], FIRST_OFFSET)

    def has_purged(self, place: LogPosition) -> bool:
        """Whether the place is in a file of this log that is older than all that are left."""
        return place.log_name == self.head.log_name and place.file_number < self.oldest.file_number

    def before(self, file: str) -> Gtids:
        """The transactions executed before the file begins, by its first events."""
        with connect_dump(self.endpoint) as connection:
            found = _rows(connection, f"SHOW BINLOG EVENTS IN %s LIMIT {_FIRST_EVENTS}", file)
        said = {str(row[2]): str(row[5]) for row in found}
        if self.mariadb:
            return parse_gtids(said.get("Gtid_list", "").strip("[]")) or MariadbGtids()
        # A server made from a backup got the backup's transactions as `gtid_purged` after its first file had begun.
        return parse_gtids(said.get("Previous_gtids", "")).union(self.purged)


def look_at(endpoint: Endpoint) -> ServerLog:
    """Ask the server for its log. Not cached: a replica moves."""
    with connect_dump(endpoint) as connection:
        mariadb = is_mariadb(connection)
        logs, [(read_only, purged)] = query_together(
            connection,
            ("SHOW BINARY LOGS", None),
            (_MARIADB_STATE if mariadb else _MYSQL_STATE, None),
        )
        executed, head = _read_to_the_head(connection, endpoint, mariadb=mariadb)
        identity = server_identity(connection)
    return ServerLog(
        endpoint,
        identity,
        files=tuple(str(row[0]) for row in logs),
        size={str(row[0]): int(row[1]) for row in logs},
        head=head,
        executed=executed,
        purged=parse_gtids(str(purged or "")),
        mariadb=mariadb,
        read_only=str(read_only).upper() not in ("0", "OFF"),
    )


def _read_to_the_head(
    connection: Connection[Any], endpoint: Endpoint, *, mariadb: bool
) -> tuple[Gtids | None, LogPosition]:
    """What the server has executed where its log ends. On a busy server the end is behind that, and never before it: a
    transaction that the log up to its end does not have would count as purged."""
    asked, status = _MARIADB_EXECUTED if mariadb else _MYSQL_EXECUTED, (log_status_statement(connection), None)
    for _ in range(_TRIES):
        before, [row], after = query_together(connection, status, (asked, None), status)
        executed = _mariadb_executed(*row) if mariadb else _mysql_executed(*row)
        if before == after:
            break
    return executed, head_in(after, endpoint)


def read_executed_at(connection: Connection[Any], place: LogPosition, *, mariadb: bool) -> str | None:
    """The transactions up to a place that the server has just named; None where it has no GTIDs. On MySQL the log must
    still end there."""
    if mariadb:
        return str(_rows(connection, "SELECT BINLOG_GTID_POS(%s, %s)", place.file, place.offset)[0][0] or "")
    executed = _mysql_executed(*_rows(connection, _MYSQL_EXECUTED)[0])
    return None if executed is None else str(executed)


def _mariadb_executed(binlog: object, replica: object) -> Gtids:
    logged = parse_gtids(str(binlog or "")) or MariadbGtids()
    # A replica made from a backup has what the backup had, though its own log never held it (hazard E6).
    return logged.union(parse_gtids(str(replica or "")))


def _mysql_executed(mode: object, executed: object) -> Gtids | None:
    found = parse_gtids(str(executed or ""))
    assert isinstance(found, MysqlGtids)
    return found if str(mode) == "ON" else None


def _rows(connection: Connection[Any], statement: str, *arguments: object) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, arguments or None)
        return list(cursor.fetchall())


class HeadWatch:
    """Asks one server for the end of its log, over one connection, which is made when it is first needed."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._connection: Connection[Any] | None = None
        self._open = ExitStack()

    def head(self, server: str | None) -> LogPosition | None:
        """The end of the log. None when the kept connection is gone: the next call makes another one, and the caller
        asks in another way. Raises what `connect_dump` raises, and StoppedPartWay when the server is another one than
        `server`."""
        if self._connection is None:
            connection = self._open.enter_context(connect_dump(self._endpoint))
            require_server(connection, server, where=self._endpoint)
            self._connection = connection
        try:
            return head_of(self._connection, self._endpoint)
        except (pymysql.err.MySQLError, RuntimeFailure):
            self.close()
            return None

    def close(self) -> None:
        self._connection = None
        self._open.close()
