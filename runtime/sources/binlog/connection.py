"""How a log reader connects to a server, which server answers, and where its log ends now. Positions of one server's
log mean nothing in another's (hazards E5, E8).

Used in the driver and in Spark tasks; reads the source server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.failures import Refused, RuntimeFailure, StoppedPartWay, Unreachable
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.errors import DENIED
from shardwright.runtime.mysql.servers import is_mariadb, open_connection, server_version
from shardwright.runtime.sources.positions.log_position import LogPosition

_NUMBERS = re.compile(r"(\d+)\.(\d+)")
_NAMES = ("server_uuid", "server_uid", "server_id")


def server_identity(connection: Connection[Any]) -> str:
    """Which server this is: on MySQL its uuid. MariaDB makes its `server_uid` from the machine and the port, so the
    number that an operator gives each server is added to it."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW GLOBAL VARIABLES WHERE Variable_name IN (%s, %s, %s)", _NAMES)
        found = {str(name).lower(): str(value) for name, value in cursor.fetchall()}
    if uuid := found.get("server_uuid"):
        return uuid
    uid, number = found.get("server_uid", ""), found.get("server_id", "")
    return f"{uid}/{number}" if uid else f"server_id {number}"


def require_server(connection: Connection[Any], expected: str | None, *, where: object) -> None:
    """Raises StoppedPartWay when another server answers than the `expected` one of a position; the next start searches
    the new server's log. None: the position does not name its server."""
    found = server_identity(connection) if expected is not None else None
    if found != expected:
        raise StoppedPartWay(
            "SW8135",
            f"{where} is server {found} now, the stream follows server {expected}: running again looks for the same "
            "place in the new server's log",
        )


READ_TIMEOUT = 60


def answer_seconds(endpoint: Endpoint) -> float:
    """How long a reader of the log waits for an answer, or for an event."""
    return min(READ_TIMEOUT, endpoint.patience.answer_seconds)


@contextmanager
def connect_dump(endpoint: Endpoint) -> Iterator[pymysql.Connection[Any]]:
    """An open connection. It is closed at the end by dropping its socket, since the protocol has no way to end a dump
    in progress."""
    try:
        connection = open_connection(endpoint.wait_for(answer_seconds(endpoint)))
    except pymysql.err.MySQLError as error:
        where = endpoint.tls.name_in_message(endpoint)
        raise _failure(error, f"cannot connect to {where} to read its binary log") from None
    try:
        yield connection
    except pymysql.err.MySQLError as error:
        raise _failure(error, f"reading the binary log of {endpoint} failed") from error
    finally:
        dropped: Any = connection
        dropped._force_close()


def _failure(error: pymysql.err.MySQLError, what: str) -> RuntimeFailure:
    """A denied login or privilege is not transient: the server may lock an account that tries again."""
    denied = bool(error.args) and error.args[0] in DENIED
    message = f"{what}: {reason(error)}"
    return Refused("SW8102", message) if denied else Unreachable("SW8117", message)


def log_head(endpoint: Endpoint, *, server: str | None = None) -> LogPosition:
    """The position up to which the server has written its log. Raises StoppedPartWay when it is another server than
    `server`."""
    with connect_dump(endpoint) as connection:
        require_server(connection, server, where=endpoint)
        return head_of(connection, endpoint)


def head_of(connection: pymysql.Connection[Any], endpoint: Endpoint) -> LogPosition:
    """The same over a connection that is open."""
    return _require_head(log_end(connection), endpoint)


def head_in(status: Sequence[tuple[Any, ...]], endpoint: Endpoint) -> LogPosition:
    """The same in the rows of `log_status_statement`."""
    return _require_head(LogPosition(str(status[0][0]), int(status[0][1])) if status else None, endpoint)


def _require_head(end: LogPosition | None, endpoint: Endpoint) -> LogPosition:
    if end is None:
        raise Refused("SW8110", f"{endpoint} writes no binary log: set log_bin and binlog_format=ROW, then restart it")
    return end


def log_end(connection: pymysql.Connection[Any]) -> LogPosition | None:
    """None where the server writes no log."""
    status = log_status(connection)
    return LogPosition(str(status["file"]), int(status["position"])) if status else None


def log_status(connection: pymysql.Connection[Any]) -> dict[str, Any]:
    """The server's report on its log: `file` and `position` of its end, and which databases it leaves out. Empty when
    it writes no log."""
    return first_row(connection, log_status_statement(connection))


def log_status_statement(connection: pymysql.Connection[Any]) -> str:
    """MariaDB, and MySQL before 8.2, have the older name only."""
    numbers = _NUMBERS.match(server_version(connection))
    is_new = numbers is not None and (int(numbers[1]), int(numbers[2])) >= (8, 2)
    return "SHOW BINARY LOG STATUS" if is_new and not is_mariadb(connection) else "SHOW MASTER STATUS"


def first_row(connection: pymysql.Connection[Any], statement: str) -> dict[str, Any]:
    """The first row of a result, by the columns' names in lower case; empty without a row."""
    with connection.cursor() as cursor:
        cursor.execute(statement)
        row = cursor.fetchone()
        names = [str(item[0]).lower() for item in cursor.description or ()]
    return dict(zip(names, row, strict=True)) if row else {}


def reason(error: pymysql.err.MySQLError) -> str:
    """The server's message, with its error number."""
    return " ".join(str(part) for part in error.args)
