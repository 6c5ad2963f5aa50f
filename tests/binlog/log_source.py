"""A server with a row log, and an oracle for it: the text that SELECT gives for the same rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pymysql
import pytest
from pymysql.converters import encoders

from shardwright.compiler.plan.catalogue import BINARIES, SPATIALS, Column, ColumnType
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.servers import mariadb_version
from shardwright.runtime.sources.binlog.before_columns import EVERYTHING, BeforeColumns
from shardwright.runtime.sources.binlog.connection import log_head
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.binlog.update_chains import UpdateChains
from shardwright.runtime.sources.positions.log_position import LogPosition
from tests.servers.quick_connection import QuickConnection
from tests.servers.testbed import log_lacks_generated_columns

_AS_SENT = {**encoders, **dict.fromkeys(range(256), str)}
_COLUMNS = """SELECT column_name, data_type, column_type, character_maximum_length, character_octet_length,
  numeric_precision, numeric_scale, datetime_precision, character_set_name, is_nullable, extra
  FROM information_schema.columns WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position"""

_REPLACE_TABLE = re.compile(r"CREATE OR REPLACE TABLE (\S+)")  # MariaDB's; two statements on MySQL

Row = tuple[str | None, ...]


@dataclass(frozen=True)
class Source:
    """A running server. Each `run` is a session of its own."""

    settings: Endpoint
    is_mysql: bool = False

    def needs_mariadb(self, why: str, *, since: tuple[int, int] = (0, 0)) -> None:
        with self.session() as connection:
            version = mariadb_version(connection)
        if version is None or version < since:
            pytest.skip(f"MariaDB only: {why}")

    def needs_mysql(self, why: str) -> None:
        if not self.is_mysql:
            pytest.skip(f"MySQL only: {why}")

    def needs_generated_columns(self) -> None:
        if self.lacks_generated_columns():
            pytest.skip("the log has no generated columns since MariaDB 11.8")

    def lacks_generated_columns(self) -> bool:
        with self.session() as connection:
            return log_lacks_generated_columns(connection)

    @property
    def least_metadata(self) -> str:
        """The least binlog_row_metadata the server can be set to."""
        return "MINIMAL" if self.is_mysql else "NO_LOG"

    def session(self, *, raw: bool = False) -> pymysql.Connection[Any]:
        connection = QuickConnection(
            host=self.settings.host,
            port=self.settings.port,
            user=self.settings.account,
            password=self.settings.password,
            database="shop",
            charset="utf8mb4",
            autocommit=True,
            **({"conv": _AS_SENT} if raw else {}),
        )
        with connection.cursor() as cursor:
            cursor.execute("SET time_zone = '+00:00', sql_mode = ''")
            cursor.execute(
                f"SET {'cte_max_recursion_depth' if self.is_mysql else 'max_recursive_iterations'} = 1000000"
            )
        return connection

    def run(self, *statements: str | tuple[str, Sequence[object]]) -> None:
        connection = self.session()
        with connection, connection.cursor() as cursor:
            for statement in statements:
                sql, values = (statement, None) if isinstance(statement, str) else statement
                if self.is_mysql and (replaced := _REPLACE_TABLE.match(sql)):
                    cursor.execute(f"DROP TABLE IF EXISTS {replaced.group(1)}")
                    sql = f"CREATE TABLE {sql[replaced.start(1) :]}"
                cursor.execute(sql, values)

    def head(self) -> LogPosition:
        return log_head(self.settings)

    def list_sent_events(self, start: LogPosition, end: LogPosition) -> list[tuple[LogPosition, int]]:
        """Where the events in [start, end) of one file end, and their bytes. Those are left out that MariaDB sends only
        to readers who want to know the statements behind the rows: we do where events say no position."""
        connection = self.session()
        with connection, connection.cursor() as cursor:
            version = mariadb_version(connection)
            cursor.execute(f"SHOW BINLOG EVENTS IN '{start.file}' FROM {start.offset}")
            events = cursor.fetchall()
        with_annotations = version is not None and version >= (11, 0)
        ends = [int(event[1]) for event in events[1:]] + [int(event[4]) for event in events[-1:]]
        return [
            (replace(start, offset=behind), behind - int(place))
            for (_, place, kind, *_), behind in zip(events, ends, strict=True)
            if behind <= end.offset and (with_annotations or kind != "Annotate_rows")
        ]

    def columns(self, table: str) -> tuple[Column, ...]:
        connection = self.session()
        with connection, connection.cursor() as cursor:
            cursor.execute(_COLUMNS, ("shop", table))
            return tuple(_column(*row) for row in cursor.fetchall())

    def columns_of(self, *tables: str) -> dict[str, tuple[Column, ...]]:
        return {f"shop.{table}": self.columns(table) for table in tables}

    def select(self, table: str) -> list[Row]:
        """All rows by first column, as canonical text; floats as the double they are."""
        columns = self.columns(table)
        shown = ", ".join(_display(column) for column in columns)
        connection = self.session(raw=True)
        with connection, connection.cursor() as cursor:
            cursor.execute(f"SELECT {shown} FROM `{table}` ORDER BY 1")
            return [exact(row, columns) for row in cursor.fetchall()]

    def changes(
        self,
        start: LogPosition,
        *tables: str,
        end: LogPosition | None = None,
        replaced: Mapping[str, BeforeColumns] = EVERYTHING,
        chains: UpdateChains | None = None,
    ) -> list[dict[str, Any]]:
        """The changes of the tables, floats as the oracle shows them; what `chains` holds in the end comes last."""
        followed = self.columns_of(*tables)
        found: list[dict[str, Any]] = []
        batches = [
            *read_changes(Log(self.settings, followed, replaced=replaced), start, end or self.head(), chains=chains)
        ]
        for batch in batches + ([] if chains is None else [*chains.take()]):
            for change in batch.to_pylist():
                for image in ("before", "after"):
                    if change[image] is not None:
                        change[image] = exact(change[image], followed[change["table"]])
                found.append(change)
        return found


def exact(row: Sequence[str | None], columns: Sequence[Column]) -> Row:
    """Float texts to one spelling of the same double, so that 1e10 equals 10000000000."""
    return tuple(
        value if value is None or column.type.name not in ("float", "double") else float(value).hex()
        for value, column in zip(row, columns, strict=True)
    )


def _display(column: Column) -> str:
    name = f"`{column.name}`"
    if column.type.is_bytes:
        return f"HEX({name})"
    return f"CAST({name} AS DOUBLE)" if column.type.name == "float" else name


def _column(name: str, kind: str, full: str, chars: Any, octets: Any, *rest: Any) -> Column:
    precision, scale, digits, charset, nullable, extra = rest
    labels = tuple(label.replace("''", "'") for label in re.findall(r"'((?:[^']|'')*)'", full))
    is_bytes = kind in BINARIES or kind in SPATIALS or kind == "vector"
    column_type = ColumnType(
        name=kind,
        unsigned="unsigned" in full,
        length=octets if is_bytes else chars if kind in ("char", "varchar") else precision if kind == "bit" else None,
        precision=precision if kind == "decimal" else digits,
        scale=scale if kind == "decimal" else None,
        labels=labels if kind in ("enum", "set") else (),
        charset=charset,
    )
    return Column(name, column_type, nullable == "YES", generated="GENERATED" in extra)
