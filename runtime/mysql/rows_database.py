"""Where are the rows of a shard? A shard's connection is in the database that has the ledger, and knows the one that
has the rows. Most often they are one database.

Used in the driver and in Spark tasks; changes nothing on the servers but the session's database.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.table_parts import SourceName
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.mysql.transactions import as_any, query

NOWHERE: Final = "information_schema"
"""Every server has it, and no table of ours is in it: where a connection is while the ledger's database does not
exist yet."""


def rows_database(connection: Connection[Any]) -> str:
    """The database that has the rows."""
    known = getattr(connection, "rows_in", "")
    return known or str(query(connection, "SELECT DATABASE()")[0][0])


def row_table(connection: Connection[Any], name: str) -> SourceName:
    """A physical table, with its database."""
    return SourceName(rows_database(connection), name)


def quote_table(table: SourceName) -> str:
    return f"{quote(table.database)}.{quote(table.table)}"


@contextmanager
def among_rows(connection: Connection[Any]) -> Iterator[None]:
    """Within the block the connection is in the database that has the rows: for DDL, which names its tables alone."""
    own, there = getattr(connection, "own_database", ""), getattr(connection, "rows_in", "")
    if own == there:
        yield
        return
    as_any(connection).select_db(there)
    try:
        yield
    except Exception:
        if connection.open:
            as_any(connection).select_db(own)
        raise
    as_any(connection).select_db(own)
