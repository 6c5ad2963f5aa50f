"""How many rows and bytes there are to copy, as the source's servers estimate it.

Runs in the driver; reads the source servers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.sql.sql_text import identifier
from shardwright.runtime.mysql.servers import Servers, is_mariadb
from shardwright.runtime.mysql.transactions import decode_text, execute, query

_ESTIMATES = (
    "SELECT table_name, COALESCE(table_rows, 0), COALESCE(data_length, 0) FROM information_schema.tables "
    "WHERE table_schema = %s AND table_name IN %s"
)
_FRESH = "SET SESSION information_schema_stats_expiry = 0"
_KEYS = (
    "SELECT s.table_name, c.column_name FROM information_schema.statistics s JOIN information_schema.columns c "
    "ON c.table_schema = s.table_schema AND c.table_name = s.table_name AND c.column_name = s.column_name "
    "AND c.data_type IN ('tinyint', 'smallint', 'mediumint', 'int', 'bigint') "
    "WHERE s.table_schema = %s AND s.table_name IN %s AND s.index_name = 'PRIMARY' "
    "AND NOT EXISTS (SELECT 1 FROM information_schema.statistics o WHERE o.table_schema = s.table_schema "
    "AND o.table_name = s.table_name AND o.index_name = 'PRIMARY' AND o.seq_in_index = 2)"
)
"""The primary keys that are one integer."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimated rows and bytes of a logical table at the source. They do not take a row filter into account."""

    rows: int
    bytes: int


def estimate_sizes(plan: Plan, servers: Servers) -> dict[str, Estimate]:
    """By logical table. Raises RuntimeFailure or the driver's error where a source cannot be asked."""
    logical = {name: table.logical for table in plan.tables for name in table.sources}
    found = dict.fromkeys(logical.values(), Estimate(0, 0))
    for names, connection in servers.each_source(tuple(logical)):
        ask_afresh(connection)
        for database in dict.fromkeys(name.database for name in names):
            here = {name.table: name for name in names if name.database == database}
            for table, one in _estimate(connection, database, tuple(here)):
                so_far = found[logical[here[table]]]
                found[logical[here[table]]] = Estimate(so_far.rows + one.rows, so_far.bytes + one.bytes)
    return found


def ask_afresh(connection: Connection[Any]) -> None:
    """This session's estimates are those of now. MySQL may show figures of yesterday, or none."""
    if not is_mariadb(connection):
        execute(connection, _FRESH)


def estimate_rows(plan: Plan, servers: Servers) -> dict[str, int]:
    return {logical: expected.rows for logical, expected in estimate_sizes(plan, servers).items()}


def _estimate(connection: Connection[Any], database: str, tables: tuple[str, ...]) -> Iterator[tuple[str, Estimate]]:
    """Tables with the server's estimates, which may be far off. There are never more rows than numbers between the ends
    of an integer key, so these bound them."""
    keys = _of_tables(connection, _KEYS, database, tables)
    for table, estimate in estimates(connection, database, tables).items():
        rows, size = estimate.rows, estimate.bytes
        key = keys.get(table)
        room = _numbers_between_ends(connection, database, table, str(decode_text(key[0]))) if key and rows else rows
        yield table, Estimate(room, size * room // rows) if room < rows else estimate


def estimates(connection: Connection[Any], database: str, tables: tuple[str, ...]) -> dict[str, Estimate]:
    """The server's own estimates of those of the tables that exist; see `ask_afresh`."""
    found = _of_tables(connection, _ESTIMATES, database, tables)
    return {table: Estimate(int(rows), int(size)) for table, (rows, size) in found.items()}


def _of_tables(
    connection: Connection[Any], sql: str, database: str, tables: tuple[str, ...]
) -> dict[str, tuple[Any, ...]]:
    """Table, as it is named in `tables`, -> what a row has behind the table's name. Some servers list names in lower
    case."""
    listed = {str(decode_text(row[0])): row[1:] for row in query(connection, sql, (database, tables))}
    named = {table: listed.get(table, listed.get(table.lower())) for table in tables}
    return {table: row for table, row in named.items() if row is not None}


def _numbers_between_ends(connection: Connection[Any], database: str, table: str, column: str) -> int:
    place, key = f"{_quote(database)}.{_quote(table)}", _quote(column)
    low, high = query(connection, f"SELECT MIN({key}), MAX({key}) FROM {place}")[0]
    return 0 if low is None else int(high) - int(low) + 1


def _quote(name: str) -> str:
    return identifier(name).sql(dialect="mysql")
