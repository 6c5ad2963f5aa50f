"""Are the source's tables there, readable and as the plan knows them, and is no key in two of them?

Runs in the driver; reads the source server.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import pymysql
from pymysql.connections import Connection
from sqlglot import exp

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import expand, fill
from shardwright.runtime.ddl.tables.definition import default_collations
from shardwright.runtime.mysql.check import Fault
from shardwright.runtime.mysql.errors import NO_SUCH_TABLE, STATEMENT_DENIED
from shardwright.runtime.mysql.grants import grant, quote_account
from shardwright.runtime.mysql.servers import current_account, mariadb_version
from shardwright.runtime.mysql.transactions import decode_text, query
from shardwright.runtime.run.preflight.computed_keys import check_collations
from shardwright.runtime.run.preflight.listed_table import (
    column_difference,
    key_difference,
    null_difference,
    read_listed,
    read_unique_keys,
)
from shardwright.runtime.run.preflight.tolerance import Tolerance
from shardwright.specs.findings.remedies import IMPORT_AGAIN

_KINDS = "SELECT table_schema, table_name, table_type FROM information_schema.tables WHERE table_schema IN %s"
_COMPUTED = (
    "SELECT column_name FROM information_schema.columns"
    " WHERE table_schema = %s AND table_name = %s AND is_generated = 'ALWAYS' ORDER BY ordinal_position"
)
_LEAVES_COMPUTED_OUT = (11, 8)
_COLLISION = """
SELECT hole_key, COUNT(*) AS times FROM (hole_union) AS every_source GROUP BY hole_key_again HAVING COUNT(*) > 1 LIMIT 3
"""


def source_tables(
    connection: Connection[Any], plan: Plan, held: frozenset[SourceName], *, tolerated: Tolerance
) -> Iterator[Fault]:
    """What is wrong with the plan's source tables in `held`, those on the connection's server."""
    collations = default_collations(connection)
    for table in plan.tables:
        for source in (name for name in table.sources if name in held):
            yield from _source_table(connection, table, source, tolerated, collations)


def _source_table(
    connection: Connection[Any],
    table: TablePlan,
    source: SourceName,
    tolerated: Tolerance,
    collations: Mapping[str, str],
) -> Iterator[Fault]:
    name = _name(source).sql(dialect="mysql")
    refusal = _refusal(connection, source)
    if refusal == NO_SUCH_TABLE:
        yield Fault("SW8126", f"table {source} does not exist on the source", _import_again(tolerated))
        return
    if refusal is not None:
        account = current_account(connection)
        wanted = grant(("SELECT",), source.database, quote_account(account))
        yield Fault("SW8125", f"{account} may not read {source}", wanted)
        return
    listed = read_listed(connection, source)
    if listed.kind != "BASE TABLE":
        # The rows of a system-versioned table carry two columns in the log that no catalogue shows.
        way_out, kind = "", listed.kind.lower()
        if "SYSTEM" in listed.kind:
            way_out = f"ALTER TABLE {name} DROP SYSTEM VERSIONING, or exclude the table"
            kind += " table"
        yield Fault("SW8127", f"{source} is a {kind} at the source, and only plain tables can be followed", way_out)
        return
    yield from _check_generated_columns(connection, table, source)
    difference = column_difference(table, listed, tolerated, collations)
    if not difference and tolerated is not Tolerance.ANY:
        difference = key_difference(table, read_unique_keys(connection, source))
    if not difference and tolerated is Tolerance.NONE:
        difference = null_difference(table, listed)
    if difference:
        yield Fault(
            "SW8128",
            f"table {source} differs from the plan ({difference})",
            _import_again(tolerated),
        )
    elif tolerated is not Tolerance.ANY:
        yield from check_collations(connection, table, source)


def _check_generated_columns(connection: Connection[Any], table: TablePlan, source: SourceName) -> Iterator[Fault]:
    """Those that the plan reads and the server leaves out of its log."""
    version = mariadb_version(connection)
    if version is None or version < _LEAVES_COMPUTED_OUT:
        return
    read = {column.name.lower() for column in table.source.reads}
    listed = [str(decode_text(row[0])) for row in query(connection, _COMPUTED, (source.database, source.table))]
    if found := [name for name in listed if name.lower() in read]:
        yield Fault(
            "SW8172",
            f"the plan reads generated columns of {source} ({', '.join(found)}), and this MariaDB leaves them out of "
            "its log where rows are updated or deleted: the stream would stop there",
            "write their expressions into the spec in place of the columns, or follow a server of MariaDB 10.11",
        )


def _import_again(tolerated: Tolerance) -> str:
    if tolerated is Tolerance.NONE:
        return "run `shardwright import`, review the schema file, and compile"
    return IMPORT_AGAIN


def find_dropped_tables(connection: Connection[Any], held: Collection[SourceName]) -> frozenset[SourceName]:
    """The source tables that do not exist any more, or are views now.

    A table that is not listed may only be hidden from the account, so it is also read.
    """
    kinds = {
        (decode_text(database), decode_text(name)): decode_text(kind)
        for database, name, kind in query(connection, _KINDS, (tuple(sorted({name.database for name in held})),))
    }

    def is_dropped(name: SourceName) -> bool:
        kind = kinds.get((name.database, name.table))
        return kind == "VIEW" or (kind is None and _refusal(connection, name) == NO_SUCH_TABLE)

    return frozenset(filter(is_dropped, held))


def _refusal(connection: Connection[Any], source: SourceName) -> int | None:
    """The error number with which the server refuses to read the table: it does not exist or may not be read."""
    try:
        query(connection, sql.to_sql(fill("SELECT 1 FROM hole_source LIMIT 1", "mysql", source=_name(source)), "mysql"))
    except pymysql.err.MySQLError as error:
        if error.args[0] == NO_SUCH_TABLE or error.args[0] in STATEMENT_DENIED:
            return int(error.args[0])
        raise
    return None


def key_collisions(connection: Connection[Any], plan: Plan, held: frozenset[SourceName]) -> Iterator[Fault]:
    """Keys that are in several source tables of one logical table, which must not be.

    Tables on other servers than the connection's are not compared.
    """
    for table in plan.in_chunks:
        sources = [name for name in table.sources if name in held]
        # Equal keys that are placed by the key are in one physical table. There the copy and the stream find them.
        by_key = {column.source for column in table.key_columns} >= set(table.placement.shard_key)
        if len(sources) < 2 or table.source_lacks is not None or by_key:
            continue
        key = [sql.column(column.source) for column in table.key_columns]
        parts = [
            expand(fill("SELECT hole_key FROM hole_source", "mysql", key=key, source=_name(item))) for item in sources
        ]
        union = exp.union(*parts, distinct=False)
        statement = fill(_COLLISION, "mysql", key=key, key_again=key, union=union)
        rows = query(connection, sql.to_sql(statement, "mysql"))
        if rows:
            keys = ", ".join("(" + ", ".join(map(str, row[:-1])) + ")" for row in rows)
            names = ", ".join(str(source) for source in sources)
            yield Fault("SW8129", f"table {table.logical}: key {keys} is in more than one of {names}", "")


def _name(source: SourceName) -> exp.Expr:
    return sql.table(source.table, database=source.database)
