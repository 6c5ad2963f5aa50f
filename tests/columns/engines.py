"""Rows in a real server, their canonical texts, and what each engine makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql.sql_text import column, to_sql
from shardwright.compiler.sql.transport import canonical_text
from tests.servers.testbed import Server

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SESSION = (
    "set session sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,"
    "ALLOW_INVALID_DATES', session time_zone = '+00:00'"
)
"""As the runtime sets it: docs say what a canonical text is under."""


def connect(server: Server, database: str) -> Any:
    connection = server.connect()
    with connection.cursor() as cursor:
        cursor.execute(f"create database if not exists `{database}`")
        cursor.execute(f"use `{database}`")
        cursor.execute(SESSION)
    return connection


def texts(
    connection: Any, table: str, expressions: Sequence[str], *, order: str, where: str = "true"
) -> list[list[str | None]]:
    """The values as SELECT prints them."""
    with connection.cursor() as cursor:
        listed = ", ".join(f"hex(cast({each} as char character set utf8mb4))" for each in expressions)
        cursor.execute(f"select {listed} from {table} where {where} order by {order}")
        return [[None if v is None else bytes.fromhex(v).decode() for v in row] for row in cursor.fetchall()]


def source_rows(connection: Any, table: TablePlan) -> list[dict[str, str | None]]:
    """What a chunk reads."""
    names = [read.name for read in table.source.reads]
    read = [to_sql(canonical_text(column(each.name), each.type), "mysql") for each in table.source.reads]
    return [dict(zip(names, row, strict=True)) for row in texts(connection, table.logical, read, order="id")]


def in_python(mapping: RowMapping, rows: Sequence[Mapping[str, str | None]]) -> list[list[str | None]]:
    return [mapping.python(row) for row in rows]


def in_spark(
    spark: SparkSession, rows: Sequence[Mapping[str, str | None]], wanted: Sequence[exp.Expr]
) -> list[list[Any]]:
    names = list(rows[0])
    schema = ", ".join(f"`{name}` string" for name in names)
    data = [(number, tuple(row[name] for name in names)) for number, row in enumerate(rows)]
    spark.createDataFrame(data, f"number int, after struct<{schema}>").createOrReplaceTempView("mapped_rows")
    listed = ", ".join(f"{to_sql(each, 'spark')} as v{index}" for index, each in enumerate(wanted))
    found = spark.sql(f"select number, {listed} from mapped_rows").collect()
    return [list(row)[1:] for row in sorted(found, key=lambda row: row["number"])]
