"""How rows in memory are loaded into a table: by LOAD DATA LOCAL.

Runs in Spark tasks, and in the driver when a run begins; writes the rows to one table of a shard.

The MySQL protocol lets the server name any file when a client allows LOCAL (hazard I4). Here the client answers only
the one name that it expects, from bytes that it holds. (PyMySQL itself opens any file that the server asks for.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Protocol

import pymysql
from pymysql.connections import Connection, MySQLResult
from pymysql.protocol import LoadLocalPacketWrapper

from shardwright.compiler.plan.table_parts import SourceName
from shardwright.compiler.sql.sql_text import identifier
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.errors import ASKED_FOR_FILE, DATA_TRUNCATED, DUP_ENTRY, SPECIFIC_ACCESS_DENIED
from shardwright.runtime.mysql.joining import UnclearWarning, Waiting
from shardwright.runtime.mysql.rows_database import quote_table
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.tls import TlsConnection
from shardwright.runtime.mysql.transactions import as_any

_NAME = "shardwright-rows"
_MOST_WARNINGS = 65535
"""The most that a server keeps. If more rows exist already, we cannot prove that nothing else was wrong."""
_PACKET = 1 << 14
"""Less than any server's max_allowed_packet (hazard G2), and what the servers' own client sends."""


class Load(Protocol):
    """Loads rows at once, and returns how many."""

    def __call__(
        self,
        connection: Connection[Any],
        table: str | SourceName,
        columns: Sequence[str],
        *,
        hexadecimal: frozenset[str],
        payload: bytes,
    ) -> int: ...


class _MemoryResult(MySQLResult):
    def _read_load_local_packet(self, first_packet: Any) -> None:
        wanted = LoadLocalPacketWrapper(first_packet).filename.decode("utf-8", "replace")
        driver: Any = self  # the driver's own protocol methods carry no types
        connection = driver.connection
        payload = memoryview(getattr(connection, "pending_rows", b"") if wanted == _NAME else b"")
        for start in range(0, len(payload), _PACKET):
            connection.write_packet(payload[start : start + _PACKET])
        connection.write_packet(b"")
        packet = connection._read_packet()
        if wanted != _NAME:
            raise pymysql.err.OperationalError(ASKED_FOR_FILE, f"the server asked for the file {wanted!r}: refused")
        driver._read_ok_packet(packet)


class LoadingConnection(TlsConnection):
    """A connection whose LOAD DATA LOCAL sends `pending_rows`."""

    def _read_query_result(self, unbuffered: bool = False) -> int:
        self._result = None
        result = _MemoryResult(self)
        if unbuffered:
            result.init_unbuffered_query()
        else:
            result.read()
        self._result = result
        if result.server_status is not None:
            self.server_status = result.server_status
        return int(result.affected_rows or 0)


class NotAllTaken(Exception):
    """The server has left out rows without reporting that they exist already, or it has changed values."""


def connect_for_loading(endpoint: Endpoint, database: str) -> Connection[Any]:
    """A connection for loading. Its server keeps as many warnings as it can, or its own number of them where the
    account may not ask for more."""
    connection = connect(endpoint, database, kind=LoadingConnection, local_infile=True)
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"SET SESSION max_error_count = {_MOST_WARNINGS}")
    except pymysql.err.OperationalError as error:
        if error.args[0] != SPECIFIC_ACCESS_DENIED:  # MySQL asks for SESSION_VARIABLES_ADMIN, MariaDB for nothing
            raise
    return connection


def load_rows(
    connection: Connection[Any],
    table: str | SourceName,
    columns: Sequence[str],
    *,
    hexadecimal: frozenset[str],
    payload: bytes,
) -> int:
    """Load `payload` into `table`; columns in `hexadecimal` arrive as hexadecimal text. Returns the rows loaded.

    LOCAL implies IGNORE on the server (hazard G10): a warning, or a row fewer than were sent, is raised as an error so
    that the caller rolls back.
    """
    expected = payload.count(b"\n")
    if expected == 0:
        return 0
    loaded, warnings = _load(connection, _load_statement(table, tuple(columns), hexadecimal), payload)
    if warnings or loaded != expected:
        first = "; ".join(str(text) for _, text in warnings[:3])
        raise pymysql.err.DataError(
            DATA_TRUNCATED, f"loading {table}: {loaded} of {expected} rows, {first or 'no warning'}"
        )
    return loaded


def load_later(
    connection: Connection[Any],
    load: Load,
    table: str | SourceName,
    columns: Sequence[str],
    *,
    hexadecimal: frozenset[str],
    payload: bytes,
    count: Callable[[int], None] = lambda _rows: None,
    explain: Callable[[pymysql.err.MySQLError], BaseException | None] = lambda _error: None,
) -> None:
    """`load`, which is `load_rows` or `load_new_rows`, in one packet with the next statement; `count` takes its result,
    and `explain` says what to raise instead of an error. Within `in_transaction`: where the server has anything to
    say of a row, the transaction begins again, and `load` is called then."""
    expected = payload.count(b"\n")
    if expected == 0:
        return
    if not isinstance(connection, LoadingConnection) or not connection.joins:
        try:
            loaded = load(connection, table, columns, hexadecimal=hexadecimal, payload=payload)
        except pymysql.err.MySQLError as error:
            if (instead := explain(error)) is not None:
                raise instead from error
            raise
        count(loaded)
        return

    def judge(result: Any) -> None:
        if result.warning_count or result.affected_rows != expected:
            raise UnclearWarning(f"{result.affected_rows} of {expected} rows of {table}")
        count(expected)

    statement = _load_statement(table, tuple(columns), hexadecimal).encode()
    connection.send_later(Waiting(statement, judge, payload, explain=explain))


def load_new_rows(
    connection: Connection[Any],
    table: str | SourceName,
    columns: Sequence[str],
    *,
    hexadecimal: frozenset[str],
    payload: bytes,
) -> int:
    """The same, but the server skips rows whose key or unique value exists already. Raises NotAllTaken when the server
    did anything else; then the caller rolls the transaction back. Returns the rows loaded."""
    expected = payload.count(b"\n")
    loaded, warnings = _load(connection, _load_statement(table, tuple(columns), hexadecimal), payload)
    # Each skipped row has one warning of its own; anything else has another one.
    if len(warnings) != expected - loaded or any(number != DUP_ENTRY for number, _ in warnings):
        raise NotAllTaken(f"{loaded} of {expected} rows of {table}, {len(warnings)} warnings")
    return loaded


def _load(connection: Connection[Any], statement: str, payload: bytes) -> tuple[int, list[tuple[int, str]]]:
    """Rows loaded, and the server's warnings, up to its limit. One more warning represents those beyond the limit."""
    assert isinstance(connection, LoadingConnection)
    connection.pending_rows = payload
    try:
        with connection.cursor() as cursor:
            loaded = int(cursor.execute(statement))
            count = int(cursor.warning_count)
    finally:
        connection.pending_rows = b""
    warnings = [(int(item[1]), str(item[2])) for item in as_any(connection).show_warnings()] if count else []
    return loaded, warnings + [(0, "more warnings than the server keeps")] * (count > len(warnings))


@lru_cache(maxsize=1024)
def _load_statement(table: str | SourceName, columns: tuple[str, ...], hexadecimal: frozenset[str]) -> str:
    # sqlglot has no node for MySQL's LOAD DATA; every name goes through the one quoting function.
    names = [identifier(name).sql(dialect="mysql") for name in columns]
    slots = [f"@sw_{index}" if name in hexadecimal else names[index] for index, name in enumerate(columns)]
    sets = [f"{names[index]} = UNHEX(@sw_{index})" for index, name in enumerate(columns) if name in hexadecimal]
    into = quote_table(table) if isinstance(table, SourceName) else identifier(table).sql(dialect="mysql")
    statement = (
        f"LOAD DATA LOCAL INFILE '{_NAME}' INTO TABLE {into} CHARACTER SET utf8mb4 "
        f"FIELDS TERMINATED BY '\\t' ESCAPED BY '\\\\' LINES TERMINATED BY '\\n' ({', '.join(slots)})"
    )
    return f"{statement} SET {', '.join(sets)}" if sets else statement
