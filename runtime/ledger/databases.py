"""Which databases have the ledgers? Where they are apart from the rows, they are created here. A migration that began
with its ledger in another database is found there: else it would begin once more over its own rows.

Runs in the driver; creates databases on the shards' servers, on the way back on the source's. Reads the first shard's
server.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.stream_ddl import read_recorded_plans
from shardwright.runtime.mysql.errors import STATEMENT_DENIED
from shardwright.runtime.mysql.grants import ON_TARGETS, grant, quote_account
from shardwright.runtime.mysql.servers import Servers, connect, current_account
from shardwright.runtime.mysql.transactions import as_any, execute, query

_THERE: Final = "SELECT 1 FROM information_schema.schemata WHERE schema_name = %s"
_LEDGERS: Final = (
    "SELECT table_schema FROM information_schema.tables WHERE table_name = '_shardwright_plan' "
    "AND table_schema NOT IN %s ORDER BY table_schema"
)


def create_ledger_databases(servers: Servers) -> None:
    """Creates those that are missing. Raises Refused (SW8223 for shards, SW8102 for the way back) when the account may
    not."""
    for endpoint, database in zip(servers.shards, servers.databases, strict=True):
        with closing(connect(endpoint)) as connection:
            if query(connection, _THERE, (database,)):
                continue
            statement = f"CREATE DATABASE IF NOT EXISTS {quote(database)} CHARACTER SET utf8mb4"
            try:
                execute(connection, statement)
            except pymysql.err.MySQLError as error:
                if not error.args or error.args[0] not in STATEMENT_DENIED:
                    raise
                account = quote_account(current_account(connection))
                code, whose = ("SW8223", "the shard") if servers.makes_ledgers else ("SW8102", "the way back")
                raise Refused(
                    code,
                    f"{endpoint} does not let the account create database {database}, which keeps the ledger of "
                    f"{whose} ({statement}): {grant(ON_TARGETS, database, account)}",
                ) from error


def require_not_elsewhere(plan: Plan, servers: Servers) -> None:
    """Raises Refused (SW8203) where the migration, which has not begun in its ledgers, has begun in others."""
    if plan.direction.writes_source:
        return
    with closing(connect(servers.shards[0])) as connection:
        for migration, found in find_migrations_onto(connection, plan.databases[0], besides=(servers.databases[0],)):
            if migration == plan.migration:
                now = f"`ledger` names {servers.databases[0]} for it" if plan.ledgers else "no `ledger` is named now"
                raise Refused(
                    "SW8203",
                    f"migration {plan.migration} has begun with its first ledger in database {found}, and {now}: "
                    "compile the spec with the `ledger` that it began with",
                )


def find_migrations_onto(
    connection: Connection[Any], target: str, *, besides: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Migrations that have begun onto a target database, each with the database of its first ledger, which the
    connection is in then. Looks in all databases of the server that the account may read, but for `besides`."""
    for database, plans in find_ledgers(connection, besides):
        yield from ((name, database) for name, recorded in plans.items() if target in recorded["databases"])


def tables_of_others(plan: Plan, servers: Servers) -> Mapping[tuple[str, str], str]:
    """Logical tables in the plan's target databases that another migration has, which has begun and is not finished:
    database and table -> that migration. Looks in all ledgers of the shards' servers that the account may read."""
    found: dict[tuple[str, str], str] = {}
    for endpoint in dict.fromkeys(servers.shards):
        with closing(connect(endpoint)) as connection:
            for _, plans in find_ledgers(connection):
                for migration, recorded in plans.items():
                    if migration == plan.migration:
                        continue
                    for database in set(plan.databases) & set(recorded["databases"]):
                        found |= {(database, table): migration for table in recorded["tables"]}
    return found


def find_ledgers(
    connection: Connection[Any], besides: Collection[str] = ()
) -> Iterator[tuple[str, Mapping[str, Mapping[str, Any]]]]:
    """The databases of first ledgers on a server, which the connection is in then, with the plans recorded there."""
    for (database,) in query(connection, _LEDGERS, (("", *besides),)):
        try:
            as_any(connection).select_db(str(database))
            plans = read_recorded_plans(connection)
        except pymysql.err.MySQLError as error:
            if not error.args or error.args[0] not in STATEMENT_DENIED:
                raise
            continue
        yield str(database), plans
