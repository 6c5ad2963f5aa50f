"""Which columns do the shards' tables have now, and in which order? DDL has put a column at the end of the tables that
were there, where a later CREATE TABLE has it elsewhere; and it adds columns that stay on the shards.

Runs in the driver, when a run on the way back opens its sources; reads the shards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Fault
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import decode_text, query
from shardwright.runtime.sources.binlog.log import Orders, Tables

_COLUMNS = (
    "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = %s "
    "ORDER BY table_name, ordinal_position"
)
_REMEDY = (
    "bring it back, or compile the spec with the DDL that the shards have, if the migration has not been switched yet"
)
_ANY_TYPE = ColumnType("int")


def shard_columns(plan: Plan, servers: Servers) -> tuple[Tables, Orders]:
    """All columns of the plan's source tables in their order, and where these differ from the plan's, which of them
    make an image. Raises Refused (SW8128) for a table that is gone or lacks a column that the plan reads."""
    listed = _list_columns(plan, servers)
    tables: dict[str, tuple[Column, ...]] = {}
    orders: dict[str, tuple[int, ...]] = {}
    for table in plan.tables:
        planned = columns_to_decode(table)
        names = [column.name.lower() for column in planned]
        for source in table.sources:
            found = listed.get(source, ())
            if [name.lower() for name in found] == names:
                tables[str(source)] = planned
            else:
                tables[str(source)], orders[str(source)] = _arrange(str(source), planned, found)
    return tables, orders


def columns_to_decode(table: TablePlan) -> tuple[Column, ...]:
    """All columns of the table's sources, as decoders need them. Of those that the plan does not read, a log's decoder
    needs only their number."""
    read = {column.name for column in table.source.reads}
    return tuple(
        Column(column.name, column.type, column.nullable, unreadable="" if column.name in read else "not read")
        for column in table.source.columns
    )


def _list_columns(plan: Plan, servers: Servers) -> Mapping[SourceName, tuple[str, ...]]:
    found: dict[SourceName, tuple[str, ...]] = {}
    for database in sorted({source.database for table in plan.tables for source in table.sources}):
        connection = servers.connect_source(database)
        try:
            found.update(_columns_in(connection, database))
        finally:
            connection.close()
    return found


def _columns_in(connection: Connection[Any], database: str) -> Mapping[SourceName, tuple[str, ...]]:
    """Of every table there, its columns in their order."""
    found: dict[SourceName, list[str]] = defaultdict(list)
    for table, column in query(connection, _COLUMNS, (database,)):
        found[SourceName(database, str(decode_text(table)))].append(str(decode_text(column)))
    return {name: tuple(columns) for name, columns in found.items()}


def find_lacking_columns(connection: Connection[Any], plan: Plan, held: Collection[SourceName]) -> Iterator[Fault]:
    """What `shard_columns` would refuse, of the source tables that one server holds: a DDL file that was compiled and
    not applied, too."""
    listed: dict[SourceName, tuple[str, ...]] = {}
    for database in sorted({name.database for name in held}):
        listed.update(_columns_in(connection, database))
    way_out = f"`shardwright ddl apply`, if a DDL file of the plan adds it; else {_REMEDY}"
    for table in plan.tables:
        planned = columns_to_decode(table)
        for source in table.sources:
            if source in held and (what := _lack(str(source), planned, listed.get(source, ()))):
                yield Fault("SW8128", what, way_out)


def _lack(table: str, planned: tuple[Column, ...], found: tuple[str, ...]) -> str:
    """In words, the first column of the plan that the table lacks; empty when it has all."""
    there = {name.lower() for name in found}
    gone = next((column.name for column in planned if column.name.lower() not in there), None)
    if gone is None:
        return ""
    return f"table {table} {f'lacks column {gone}' if found else 'does not exist'}, and the way back reads it"


def _arrange(
    table: str, planned: tuple[Column, ...], found: tuple[str, ...]
) -> tuple[tuple[Column, ...], tuple[int, ...]]:
    at = {name.lower(): index for index, name in enumerate(found)}
    if what := _lack(table, planned, found):
        raise Refused("SW8128", f"{what}: {_REMEDY}")
    known = {column.name.lower(): column for column in planned}
    columns = tuple(
        known.get(name.lower()) or Column(name, _ANY_TYPE, nullable=True, unreadable="not in the plan")
        for name in found
    )
    return columns, tuple(at[column.name.lower()] for column in planned)
