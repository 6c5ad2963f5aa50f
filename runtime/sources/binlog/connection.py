"""Connections to the server whose log is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pymysql

from shardwright.runtime.failures import Refused, RuntimeFailure, Unreachable
from shardwright.runtime.mysql.driver_errors import driver_refusal
from shardwright.runtime.mysql.errors import DENIED, PARSE_ERROR
from shardwright.runtime.mysql.session import set_session
from shardwright.runtime.mysql.tls import TlsConnection, require_protected, tls_failure, tls_options, with_certificate
from shardwright.runtime.sources.binlog.identity import require_server
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.specs.environment.environment import ClientCertificate

CONNECT_TIMEOUT = 10
READ_TIMEOUT = 60


@dataclass(frozen=True, slots=True)
class LogConnection:
    """How to reach the server. Shipped to Spark's tasks, so it says how to protect a connection and holds nothing that is open."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    tls: str = "preferred"
    ca: str | None = None
    shown: ClientCertificate | None = None
    connect_seconds: float = CONNECT_TIMEOUT
    answer_seconds: float = READ_TIMEOUT

    def __str__(self) -> str:
        return f"{self.user}@{self.host}:{self.port}"


@contextmanager
def connected(settings: LogConnection) -> Iterator[pymysql.Connection[Any]]:
    """An open connection, closed at the end by dropping its socket: a dump in progress cannot be left politely."""
    try:
        connection = TlsConnection(
            host=settings.host,
            port=settings.port,
            user=settings.user,
            password=settings.password,
            charset="utf8mb4",
            autocommit=True,
            connect_timeout=settings.connect_seconds,
            read_timeout=settings.answer_seconds,
            write_timeout=settings.answer_seconds,
            **tls_options(settings.tls, settings.ca, settings.shown),
        )
        connection.where = f"{settings.host}:{settings.port}"
        require_protected(connection, settings.tls, str(settings))
        set_session(connection, settings)
    except pymysql.err.MySQLError as error:
        where = with_certificate(settings, settings.shown)
        if unprotected := tls_failure(error, settings.tls, settings.ca, where):
            raise unprotected from None
        raise _failure(error, f"cannot connect to {where} to read its binary log") from None
    except RuntimeError as error:
        raise driver_refusal(error, settings) from error
    try:
        yield connection
    except pymysql.err.MySQLError as error:
        raise _failure(error, f"reading the binary log of {settings} failed") from error
    finally:
        dropped: Any = connection
        dropped._force_close()


def _failure(error: pymysql.err.MySQLError, what: str) -> RuntimeFailure:
    """A denied login or privilege does not pass: an account that tries again may be locked."""
    denied = bool(error.args) and error.args[0] in DENIED
    message = f"{what}: {reason(error)}"
    return Refused("SW8102", message) if denied else Unreachable("SW8117", message)


def log_head(settings: LogConnection, *, server: str | None = None) -> LogPosition:
    """The position up to which the server has written its log. StoppedPartWay when it is another one than `server`."""
    with connected(settings) as connection:
        require_server(connection, server, where=settings)
        return head_of(connection, settings)


def head_of(connection: pymysql.Connection[Any], settings: LogConnection) -> LogPosition:
    """The same over a connection that is open."""
    status = log_status(connection)
    if not status:
        raise Refused("SW8110", f"{settings} writes no binary log: set log_bin and binlog_format=ROW, then restart it")
    return LogPosition(str(status["file"]), int(status["position"]))


def log_status(connection: pymysql.Connection[Any]) -> dict[str, Any]:
    """What the server says of its log: `file` and `position` of its end, and which databases it leaves out. Empty when it writes
    none."""
    try:
        return first_row(connection, "SHOW BINARY LOG STATUS")
    except pymysql.err.ProgrammingError as error:  # MariaDB, and MySQL before 8.2, have the older name only
        if error.args[0] != PARSE_ERROR:
            raise
    return first_row(connection, "SHOW MASTER STATUS")


def first_row(connection: pymysql.Connection[Any], statement: str) -> dict[str, Any]:
    """The columns' names, in lower case, and their values; empty without a row."""
    with connection.cursor() as cursor:
        cursor.execute(statement)
        row = cursor.fetchone()
        names = [str(item[0]).lower() for item in cursor.description or ()]
    return dict(zip(names, row, strict=True)) if row else {}


def reason(error: pymysql.err.MySQLError) -> str:
    """The server's own words, with its error number."""
    return " ".join(str(part) for part in error.args)
