"""The source's tables before a run: there, readable, as the plan knows them, and no key in two of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pymysql
from pymysql.connections import Connection
from sqlglot import exp

from shardwright.compiler import sql_text as sql
from shardwright.compiler.plan import Plan, SourceName, TablePlan
from shardwright.compiler.schema_file import read_schema
from shardwright.compiler.template import expanded, fill
from shardwright.runtime.mysql_errors import NO_SUCH_TABLE, STATEMENT_DENIED
from shardwright.runtime.preflight.check import Fault
from shardwright.runtime.stream_ddl.tolerance import Tolerance
from shardwright.runtime.transactions import query
from shardwright.specs.diagnostics import Findings

_COLLISION = """
SELECT hole_key, COUNT(*) AS times FROM (hole_union) AS every_source GROUP BY hole_key_again HAVING COUNT(*) > 1 LIMIT 3
"""


def source_tables(
    connection: Connection[Any], plan: Plan, held: frozenset[SourceName], *, tolerated: Tolerance
) -> Iterator[Fault]:
    """What is wrong with those of the plan's source tables that the connection's server holds."""
    for table in plan.tables:
        for source in (name for name in table.sources if name in held):
            yield from _source_table(connection, table, source, tolerated=tolerated)


def _source_table(
    connection: Connection[Any], table: TablePlan, source: SourceName, *, tolerated: Tolerance
) -> Iterator[Fault]:
    name = sql.table(source.table, database=source.database).sql(dialect="mysql")
    try:
        text = str(query(connection, f"SHOW CREATE TABLE {name}")[0][1])
        query(connection, f"SELECT 1 FROM {name} LIMIT 1")
    except pymysql.err.MySQLError as error:
        if error.args[0] == NO_SUCH_TABLE:
            yield Fault(
                "SW8126", f"table {source} does not exist on the source", "run `shardwright import` and compile"
            )
        elif error.args[0] in STATEMENT_DENIED:
            account = str(query(connection, "SELECT CURRENT_USER()")[0][0])
            user, _, host = account.rpartition("@")
            grant = f"GRANT SELECT ON `{source.database}`.* TO '{user}'@'{host}'"
            yield Fault("SW8125", f"{account} may not read {source}", grant)
        else:
            raise
        return
    findings = Findings()
    live = read_schema(text, file=str(source), findings=findings).get(source.table)
    if live is None:
        reason = findings.items[0].message if findings.items else "its definition cannot be read"
        yield Fault("SW8127", f"table {source}", reason)
        return
    planned = [(column.name, column.type) for column in table.source_columns]
    found = [(column.name, column.type) for column in live.columns]
    if not tolerated.admits(planned, found):
        yield Fault(
            "SW8128",
            f"table {source} differs from the plan ({_first_difference(dict(planned), dict(found))})",
            "run `shardwright import`, review the schema file, and compile",
        )


def _first_difference(planned: Mapping[str, object], found: Mapping[str, object]) -> str:
    for name in planned:
        if name not in found:
            return f"column {name} is gone"
        if planned[name] != found[name]:
            return f"column {name} is of another type"
    extra = [name for name in found if name not in planned]
    return f"column {extra[0]} is new" if extra else "the columns stand in another order"


def key_collisions(connection: Connection[Any], plan: Plan, held: frozenset[SourceName]) -> Iterator[Fault]:
    """Several source tables make one logical table only when no key stands in two of them. Those of other servers than the
    connection's are not compared."""
    for table in plan.tables:
        sources = [name for name in table.sources if name in held]
        # Equal keys that are placed by the key stand in one physical table, where the copy and the stream notice them.
        by_key = {column.source for column in table.key_columns} >= set(table.shard_key)
        if len(sources) < 2 or by_key:
            continue
        key = [sql.column(column.source) for column in table.key_columns]
        parts = [
            expanded(fill("SELECT hole_key FROM hole_source", "mysql", key=key, source=_name(item))) for item in sources
        ]
        union = exp.union(*parts, distinct=False)
        statement = fill(_COLLISION, "mysql", key=key, key_again=key, union=union)
        rows = query(connection, sql.to_sql(statement, "mysql"))
        if rows:
            keys = ", ".join("(" + ", ".join(map(str, row[:-1])) + ")" for row in rows)
            names = ", ".join(str(source) for source in sources)
            yield Fault("SW8129", f"table {table.logical}: key {keys} stands in more than one of {names}", "")


def _name(source: SourceName) -> exp.Expr:
    return sql.table(source.table, database=source.database)
