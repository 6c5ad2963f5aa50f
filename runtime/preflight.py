"""Before the first write: everything that would fail later, or worse, not fail, is asked now and named.

Each check yields one clear message with the way out; all findings are told in one run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pymysql
from pymysql.connections import Connection
from sqlglot import exp

from shardwright.compiler import sql_text as sql
from shardwright.compiler.plan import Plan, SourceName, TablePlan
from shardwright.compiler.schema_file import read_schema
from shardwright.compiler.template import expanded, fill
from shardwright.runtime.connections import Servers
from shardwright.runtime.failures import Refused
from shardwright.runtime.grants import source_grants, target_grants
from shardwright.runtime.log_settings import left_out_of_the_log, log_settings
from shardwright.runtime.stream_ddl.tolerance import Tolerance
from shardwright.runtime.target_guards import acting_by_themselves
from shardwright.runtime.transactions import query
from shardwright.specs.diagnostics import Findings

_COLLISION = """
SELECT hole_key, COUNT(*) AS times FROM (hole_union) AS every_source GROUP BY hole_key_again HAVING COUNT(*) > 1 LIMIT 3
"""


@dataclass(frozen=True, slots=True)
class Problem:
    code: str
    message: str


def preflight(
    plan: Plan, servers: Servers, tolerated: Tolerance = Tolerance.NONE, *, allowed: Collection[str] = ()
) -> None:
    """Check source and targets. Raises Refused with every problem, or Unreachable for a server that does not answer. `allowed`
    are codes of what the operator lets pass on the targets."""
    problems: list[Problem] = []
    every_table = tuple(source for table in plan.tables for source in table.sources)
    for tables, connection in servers.each_source(every_table):
        problems += (Problem(*found) for found in log_settings(connection))
        where = str(servers.source_of(tables[0].database))
        problems += (Problem(*found) for found in source_grants(connection, where))
        problems += _source_tables(connection, plan, frozenset(tables), tolerated=tolerated)
        if not problems:
            databases = {name.database for name in tables}
            problems += (Problem(*found) for found in left_out_of_the_log(connection, databases))
            problems += _key_collisions(connection, plan, frozenset(tables))
    lacking = [Problem(*found) for found in target_grants(servers)]
    problems += lacking or (Problem(*found) for found in acting_by_themselves(plan, servers, allowed=allowed))
    if problems:
        first, rest = problems[0], problems[1:]
        more = "".join(f"\n{problem.code}: {problem.message}" for problem in rest)
        raise Refused(first.code, first.message + more)


def _source_tables(
    connection: Connection[Any], plan: Plan, held: frozenset[SourceName], *, tolerated: Tolerance
) -> Iterator[Problem]:
    for table in plan.tables:
        for source in (name for name in table.sources if name in held):
            yield from _source_table(connection, table, source, tolerated=tolerated)


def _source_table(
    connection: Connection[Any], table: TablePlan, source: SourceName, *, tolerated: Tolerance
) -> Iterator[Problem]:
    name = sql.table(source.table, database=source.database).sql(dialect="mysql")
    try:
        text = str(query(connection, f"SHOW CREATE TABLE {name}")[0][1])
        query(connection, f"SELECT 1 FROM {name} LIMIT 1")
    except pymysql.err.MySQLError as error:
        if error.args[0] == 1146:
            yield Problem(
                "SW8126", f"table {source} does not exist on the source: run `shardwright import` and compile"
            )
        elif error.args[0] in (1044, 1142, 1143):
            account = str(query(connection, "SELECT CURRENT_USER()")[0][0])
            user, _, host = account.rpartition("@")
            grant = f"GRANT SELECT ON `{source.database}`.* TO '{user}'@'{host}'"
            yield Problem("SW8125", f"{account} may not read {source}: {grant}")
        else:
            raise
        return
    findings = Findings()
    live = read_schema(text, file=str(source), findings=findings).get(source.table)
    if live is None:
        reason = findings.items[0].message if findings.items else "its definition cannot be read"
        yield Problem("SW8127", f"table {source}: {reason}")
        return
    planned = [(column.name, column.type) for column in table.source_columns]
    found = [(column.name, column.type) for column in live.columns]
    if not tolerated.admits(planned, found):
        yield Problem(
            "SW8128",
            f"table {source} differs from the plan ({_first_difference(dict(planned), dict(found))}): "
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


def _key_collisions(connection: Connection[Any], plan: Plan, held: frozenset[SourceName]) -> Iterator[Problem]:
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
            yield Problem("SW8129", f"table {table.logical}: key {keys} stands in more than one of {names}")


def _name(source: SourceName) -> exp.Expr:
    return sql.table(source.table, database=source.database)


def require_same_plan(recorded: str, plan: Plan) -> None:
    """A migration is finished with the plan it was started with."""
    if recorded != plan.fingerprint:
        raise Refused(
            "SW8203",
            f"migration {plan.migration} was started with plan {recorded}, this is plan {plan.fingerprint}: compile the "
            "spec it was started with, or give the changed spec a new migration name and empty targets",
        )


def require_same_sources(
    recorded: Mapping[str, str], found: Mapping[str, str], *, movable: Collection[str], aside: Collection[str]
) -> None:
    """Positions mean nothing on another server. Both are by source name; a `movable` source is asked later where it stands
    now (see `stream.resume`), those set `aside` are not asked."""
    if set(recorded) != {*found, *aside}:
        raise Refused(
            "SW8205",
            f"this migration follows the sources {', '.join(sorted(recorded))}, the environment names "
            f"{', '.join(sorted(found))}: name them as before",
        )
    for name, identity in found.items():
        if recorded[name] != identity and name not in movable:
            raise Refused(
                "SW8205",
                f"{name} is server {identity}, but this migration follows server {recorded[name]}: point the environment "
                "back, or start again with empty targets",
            )
