"""How many rows of each table has the server read and changed, and by which indexes? MariaDB's `user_statistics`, which
Percona's server has as well.

Runs in the process of the command; only reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.advise.statistics import RowCounts
from shardwright.runtime.mysql.transactions import query

_TABLES: Final = (
    "SELECT table_name, rows_read, rows_changed FROM information_schema.table_statistics WHERE table_schema = %s"
)
_INDEXES: Final = (
    "SELECT table_name, index_name, rows_read FROM information_schema.index_statistics WHERE table_schema = %s"
)


def read_row_counts(connection: Connection[Any], database: str) -> Mapping[str, RowCounts]:
    """By table name as the server writes it. Empty where the server does not count, which is the default."""
    try:
        tables = query(connection, _TABLES, (database,))
        indexes = query(connection, _INDEXES, (database,))
    except pymysql.err.MySQLError:
        return {}
    by_index: dict[str, dict[str, int]] = {}
    for table, index, read in indexes:
        by_index.setdefault(str(table), {})[str(index).lower()] = int(read)
    return {
        str(table): RowCounts(int(read), int(changed), by_index.get(str(table), {})) for table, read, changed in tables
    }
