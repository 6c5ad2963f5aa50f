"""Columns that no catalogue shows and the log has: MariaDB keeps a BIGINT behind all others for each UNIQUE key over a TEXT, or over more
bytes than an index holds. Runs in the driver and in Spark's tasks; asks the server when the log has more columns than the schema."""

from __future__ import annotations

from shardwright.runtime.sources.binlog.connection import LogConnection, connected
from shardwright.runtime.sources.binlog.table_map import TableMap

_LONG_KEYS = (
    "SELECT COUNT(DISTINCT index_name) FROM information_schema.statistics "
    "WHERE table_schema = %s AND table_name = %s AND index_type = 'HASH' AND non_unique = 0 AND VERSION() LIKE '%%MariaDB%%'"
)


def may_hide(settings: LogConnection, table: TableMap) -> int:
    """How many columns the server may keep for itself in this table, as it is now."""
    with connected(settings) as connection, connection.cursor() as cursor:
        cursor.execute(_LONG_KEYS, (table.database, table.table))
        return int(cursor.fetchall()[0][0])
