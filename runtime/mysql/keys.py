"""Keys that bound chunks, and the source table's name, in statements of the plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import SourceName
from shardwright.compiler.sql.sql_text import identifier
from shardwright.runtime.mysql.transactions import set_variables

Key = tuple[str, ...]


def source_sql(sql: str, source: SourceName) -> str:
    """Put the source table's name where the plan left room for it."""
    return sql.replace("`${source_database}`", identifier(source.database).sql(dialect="mysql")).replace(
        "`${source_table}`", identifier(source.table).sql(dialect="mysql")
    )


def set_key(connection: Connection[Any], name: str, key: Sequence[str] | None) -> None:
    if key is not None:
        set_variables(connection, **{f"{name}_{index}": value for index, value in enumerate(key, start=1)})
