"""How many rows and bytes there are to copy, as the source's servers estimate it.

Runs in the driver; reads the source servers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, SourceName
from shardwright.compiler.sql.sql_text import identifier
from shardwright.runtime.mysql.servers import Servers, is_mariadb
from shardwright.runtime.mysql.transactions import execute, query

_ESTIMATE = (
    "SELECT COALESCE(table_rows, 0), COALESCE(data_length, 0) FROM information_schema.tables "
    "WHERE table_schema = %s AND table_name = %s"
)
_FRESH = "SET SESSION information_schema_stats_expiry = 0"
_KEY = (
    "SELECT c.column_name FROM information_schema.statistics s JOIN information_schema.columns c "
    "ON c.table_schema = s.table_schema AND c.table_name = s.table_name AND c.column_name = s.column_name "
    "AND c.data_type IN ('tinyint', 'smallint', 'mediumint', 'int', 'bigint') "
    "WHERE s.table_schema = %s AND s.table_name = %s AND s.index_name = 'PRIMARY' "
    "AND NOT EXISTS (SELECT 1 FROM information_schema.statistics o WHERE o.table_schema = s.table_schema "
    "AND o.table_name = s.table_name AND o.index_name = 'PRIMARY' AND o.seq_in_index = 2)"
)
"""The primary key where it is one integer."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Estimated rows and bytes of a logical table at the source. They do not take a row filter into account."""

    rows: int
    bytes: int


def expected_sizes(plan: Plan, servers: Servers) -> dict[str, Expected]:
    """By logical table. Raises RuntimeFailure or the driver's error where a source cannot be asked."""
    logical = {name: table.logical for table in plan.tables for name in table.sources}
    found = dict.fromkeys(logical.values(), Expected(0, 0))
    for names, connection in servers.each_source(tuple(logical)):
        ask_afresh(connection)
        for name in names:
            one, so_far = _expected(connection, name), found[logical[name]]
            found[logical[name]] = Expected(so_far.rows + one.rows, so_far.bytes + one.bytes)
    return found


def ask_afresh(connection: Connection[Any]) -> None:
    """This session's estimates are those of now. MySQL may show figures of yesterday, or none."""
    if not is_mariadb(connection):
        execute(connection, _FRESH)


def expected_rows(plan: Plan, servers: Servers) -> dict[str, int]:
    return {logical: expected.rows for logical, expected in expected_sizes(plan, servers).items()}


def _expected(connection: Connection[Any], name: SourceName) -> Expected:
    """The server's estimate, which may be far off. There are never more rows than numbers between the ends of an
    integer key, so these bound it."""
    where = (name.database, name.table)
    estimates = query(connection, _ESTIMATE, where)
    if not estimates:
        return Expected(0, 0)
    rows, length = (int(value) for value in estimates[0])
    keys = query(connection, _KEY, where)
    if keys:
        room = _numbers_between_ends(connection, name, str(keys[0][0]))
        if room < rows:
            return Expected(room, length * room // rows)
    return Expected(rows, length)


def _numbers_between_ends(connection: Connection[Any], name: SourceName, column: str) -> int:
    table, key = (_quoted(name.database) + "." + _quoted(name.table)), _quoted(column)
    low, high = query(connection, f"SELECT MIN({key}), MAX({key}) FROM {table}")[0]
    return 0 if low is None else int(high) - int(low) + 1


def _quoted(name: str) -> str:
    return identifier(name).sql(dialect="mysql")
