"""Which columns do the shards' tables have now, and in which order? DDL has put a column at the end of the tables that
were there, where a later CREATE TABLE has it elsewhere; and it adds columns that stay on the shards.

Runs in the driver, when a run on the way back opens its sources; reads the shards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import listed_text, query
from shardwright.runtime.sources.binlog.log_range import Orders, Tables

_COLUMNS = (
    "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = %s "
    "ORDER BY table_name, ordinal_position"
)
_ANY_TYPE = ColumnType("int")


def shard_columns(plan: Plan, servers: Servers) -> tuple[Tables, Orders]:
    """All columns of the plan's source tables in their order, and where these differ from the plan's, which of them
    make an image. Raises Refused (SW8128) for a table that is gone or lacks a column that the plan reads."""
    listed = _listed(plan, servers)
    tables: dict[str, tuple[Column, ...]] = {}
    orders: dict[str, tuple[int, ...]] = {}
    for table in plan.tables:
        planned = decoded_columns(table)
        names = [column.name.lower() for column in planned]
        for source in table.sources:
            found = listed.get((source.database, source.table), ())
            if [name.lower() for name in found] == names:
                tables[str(source)] = planned
            else:
                tables[str(source)], orders[str(source)] = _placed(str(source), planned, found)
    return tables, orders


def decoded_columns(table: TablePlan) -> tuple[Column, ...]:
    """All columns of the table's sources, as decoders need them. Of those that the plan does not read, a log's decoder
    needs only their number."""
    read = {column.name for column in table.source.reads}
    return tuple(
        Column(column.name, column.type, column.nullable, unreadable="" if column.name in read else "not read")
        for column in table.source.columns
    )


def _listed(plan: Plan, servers: Servers) -> Mapping[tuple[str, str], tuple[str, ...]]:
    wanted = {(source.database, source.table) for table in plan.tables for source in table.sources}
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for database in sorted({database for database, _ in wanted}):
        connection = servers.connect_source(database)
        try:
            for table, column in _names(connection, database):
                if (database, table) in wanted:
                    found[database, table].append(column)
        finally:
            connection.close()
    return {place: tuple(names) for place, names in found.items()}


def _names(connection: Connection[Any], database: str) -> Iterable[tuple[str, str]]:
    return [
        (str(listed_text(table)), str(listed_text(name))) for table, name in query(connection, _COLUMNS, (database,))
    ]


def _placed(
    table: str, planned: tuple[Column, ...], found: tuple[str, ...]
) -> tuple[tuple[Column, ...], tuple[int, ...]]:
    at = {name.lower(): index for index, name in enumerate(found)}
    gone = [column.name for column in planned if column.name.lower() not in at]
    if gone:
        what = f"lacks column {gone[0]}" if found else "does not exist"
        raise Refused(
            "SW8128",
            f"table {table} {what}, and the way back reads it: bring it back, or compile the spec with the DDL that "
            "the shards have, if the migration has not been switched yet",
        )
    known = {column.name.lower(): column for column in planned}
    columns = tuple(
        known.get(name.lower()) or Column(name, _ANY_TYPE, nullable=True, unreadable="not in the plan")
        for name in found
    )
    return columns, tuple(at[column.name.lower()] for column in planned)
