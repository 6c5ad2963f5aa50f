"""What happens to rows that are in the target tables before a migration begins? Each table's spec says whether they
are refused, kept or removed.

Runs in the driver; reads the shards, truncates target tables and writes the audit on the first shard. Rows are removed
before the migration is recorded as begun: after a crash in between, the next run removes what is left, and whatever
was written since.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import ExistingRows, Plan
from shardwright.compiler.plan.summary import few
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.events.copy import EarlierRows
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.databases import tables_of_others
from shardwright.runtime.mysql.errors import REFERENCED, STATEMENT_DENIED, is_one_of
from shardwright.runtime.mysql.rows_database import quote_table
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import execute, query

IN_THE_WAY: Final = "SW8130"
REMOVED: Final = "SW8147"
OWNED: Final = "SW8225"
ALLOW: Final = f"the environment is protected: run with --allow {REMOVED} when they are not needed"

_TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = %s"
_ROWS_AT_ONCE = 10_000
_TABLES_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class RowsInTarget:
    """Physical tables of one logical table in one target database. All of them hold rows."""

    shard: int
    database: str
    logical: str
    policy: ExistingRows
    names: tuple[str, ...]


def clear_the_way(context: RunContext, *, may_remove: bool, only: Collection[str] | None = None) -> None:
    """Empties the tables whose rows are to be replaced, once no other table's rows are in the way. `only`: these
    logical tables; None: all.

    Reports for each table and database what becomes of its rows. Raises Refused (as `require_clear`) before anything
    is removed.
    """
    for item in require_clear(context.plan, context.servers, may_remove=may_remove, only=only):
        if item.policy == "replace":
            remove_rows(context, item)
        else:
            context.emit(EarlierRows(item.logical, item.database, "kept"))


def require_clear(
    plan: Plan, servers: Servers, *, may_remove: bool, only: Collection[str] | None = None
) -> tuple[RowsInTarget, ...]:
    """The tables that hold rows, none of them in the way. Reads only. Raises Refused (SW8130, SW8147,
    SW8225)."""
    every = [item for shard, at in servers.patient().each_shard() for item in find_existing_rows(plan, at, shard)]
    found = tuple(item for item in every if only is None or item.logical in only)
    owners = tables_of_others(plan, servers) if found else {}
    for item in found:
        for code, said, way_out in objections(item, may_remove=may_remove, owners=owners):
            raise Refused(code, f"{said}: {way_out}")
    return found


def objections(
    item: RowsInTarget, *, may_remove: bool, owners: Mapping[tuple[str, str], str]
) -> Iterator[tuple[str, str, str]]:
    """Why a migration may not begin over these rows: code, finding and remedy, for each physical table. `owners`: what
    `tables_of_others` has found."""
    owner = owners.get((item.database, item.logical))
    for name in item.names:
        where = f"{item.database}.{name}"
        if owner is not None:
            found = f"{where} holds rows of migration {owner}, which has begun and is not finished"
            yield OWNED, found, f"finish {owner} first (`shardwright cutover finish`), or name other tables"
        elif item.policy == "refuse":
            yield IN_THE_WAY, f"{where} holds rows already and this migration has not begun", "empty it first"
        elif item.policy == "replace" and not may_remove:
            yield REMOVED, f"{where} holds rows that would be removed", ALLOW


def find_existing_rows(plan: Plan, connection: Connection[Any], shard: int) -> Iterator[RowsInTarget]:
    """The tables of a shard that hold rows. A table that does not exist yet holds none."""
    database = plan.databases[shard]
    existing = {str(row[0]).lower() for row in query(connection, _TABLES, (database,))}
    here = [table for table in plan.tables if shard in plan.shards(table)]
    every = {table.logical: [table.logical + suffix for suffix in plan.parts(table)] for table in here}
    asked = [name for names in every.values() for name in names if name.lower() in existing]
    filled = set(_with_rows(connection, database, asked))
    for logical, parts in every.items():
        if names := tuple(name for name in parts if name in filled):
            policy = plan.existing_rows.get(logical, "refuse")
            yield RowsInTarget(shard, database, logical, policy, names)


def _with_rows(connection: Connection[Any], database: str, names: Sequence[str]) -> Iterator[str]:
    """Those of the tables that hold rows. One question is about many tables: there may be thousands."""
    for at in range(0, len(names), _TABLES_AT_ONCE):
        some = names[at : at + _TABLES_AT_ONCE]
        exists = ", ".join(f"EXISTS(SELECT 1 FROM {_quote(database, name)})" for name in some)
        (answers,) = query(connection, f"SELECT {exists}")
        yield from (name for name, answer in zip(some, answers, strict=True) if answer)


def _quote(database: str, name: str) -> str:
    return quote_table(SourceName(database, name))


def remove_rows(context: RunContext, item: RowsInTarget) -> None:
    """Empties these tables, and says so before and after. The audit line is committed before the first row is
    removed."""
    servers, writer = context.servers.patient(), context.writer
    connection, guard = servers.connect_shard(item.shard), servers.connect_shard(item.shard)
    try:
        for opened in (connection, guard):
            writer.record(opened)
        rows = sum(int(query(connection, f"SELECT COUNT(*) FROM {_quote(item.database, n)}")[0][0]) for n in item.names)
        done = EarlierRows(item.logical, item.database, "removed", rows, few(item.names))
        context.emit(replace(done, fate="removing"))
        context.transaction(lambda c: audit(c, context.migration, "existing rows replaced", detail=done.sentence))
        failpoint("before-rows-removed")
        execute(connection, "SET SESSION lock_wait_timeout = 10")
        for name in item.names:
            # TRUNCATE commits by itself. So a second connection holds the epoch row meanwhile, and no newer run can
            # begin. If another session uses the table just now, the transaction is retried.
            writer.transaction(guard, partial(_empty, connection, name, item.database))
            failpoint("after-rows-removed")
    finally:
        connection.close()
        guard.close()
    context.emit(done)


def _empty(connection: Connection[Any], name: str, database: str, _guard: Connection[Any]) -> None:
    try:
        try:
            execute(connection, f"TRUNCATE TABLE {_quote(database, name)}")
        except pymysql.err.MySQLError as error:
            if not is_one_of(error, STATEMENT_DENIED):
                raise
            while execute(connection, f"DELETE FROM {_quote(database, name)} LIMIT {_ROWS_AT_ONCE}"):
                pass
    except pymysql.err.MySQLError as error:
        if not is_one_of(error, REFERENCED):
            raise
        message = f"{database}.{name} cannot be emptied: {error.args[-1]}: drop the foreign key first"
        raise Refused("SW8142", message) from error
