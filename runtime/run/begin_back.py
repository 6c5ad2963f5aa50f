"""How does the way back begin? At the end of the shards' logs, while nobody writes to the shards.

Runs in the driver; creates a database with a ledger beside each source database, and records the start there.
"""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.sql.sql_text import quoted
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.batches import create_migration, read_migration, record_begin, snapshot_done
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.cutover import turn
from shardwright.runtime.ledger.members import begin_on_shard, enter_members, require_unused
from shardwright.runtime.ledger.takeover import first_writer
from shardwright.runtime.mysql.errors import STATEMENT_DENIED
from shardwright.runtime.mysql.grants import ON_TARGETS, grant, quoted_account
from shardwright.runtime.mysql.servers import Servers, connect
from shardwright.runtime.mysql.transactions import execute, query
from shardwright.runtime.run.begin import create_bookkeeping, require_same_beginning, shard_ledgers
from shardwright.runtime.sources.position import StreamPosition
from shardwright.runtime.sources.source import Sources, head_position


def begin_way_back(plan: Plan, servers: Servers, sources: Sources) -> StreamPosition:
    """Records where the way back starts, or finds it recorded. `plan` is a backward plan. The caller sees to it that
    nobody but a run writes to the shards, and that the forward stream has ended: what is in the logs by now is at the
    source already."""
    create_ledger_databases(servers)
    with closing(servers.connect_shard(0)) as control:
        context = RunContext(plan, servers, control, first_writer(servers))
        context.writer.record(control)
        state = read_migration(control, plan.migration)
        if state is not None:
            require_same_beginning(plan, sources, state, aside=())
            return state.start
        ledgers = shard_ledgers(plan, servers)
        require_unused(ledgers, plan.migration)
        create_bookkeeping(plan, servers)
        identities = {source.name: source.identity() for source in sources}
        start = head_position(sources)
        for _, connection in servers.each_shard():
            context.writer.transaction(connection, lambda c: begin_on_shard(c, plan.migration, start))

        def begin(connection: Connection[Any]) -> None:
            create_migration(connection, plan.migration, fingerprint=plan.fingerprint, sources=identities, start=start)
            enter_members(connection, plan.migration, ledgers)
            snapshot_done(connection, plan.migration, start)  # nothing is copied
            for weight in sorted({table.weight for table in plan.tables}):
                record_begin(connection, plan.migration, weight, position=start)
            turn(connection, plan.migration, "backward")

        failpoint("before-begin-back")
        context.transaction(begin)
        failpoint("after-begin-back")
        return start


def create_ledger_databases(servers: Servers) -> None:
    """Creates those that are missing. Raises Refused (SW8102) when the account may not."""
    for endpoint, database in zip(servers.shards, servers.databases, strict=True):
        with closing(connect(endpoint)) as connection:
            if query(connection, "SELECT 1 FROM information_schema.schemata WHERE schema_name = %s", (database,)):
                continue
            try:
                execute(connection, f"CREATE DATABASE IF NOT EXISTS {quoted(database)}")
            except pymysql.err.MySQLError as error:
                if not error.args or error.args[0] not in STATEMENT_DENIED:
                    raise
                account = quoted_account(str(query(connection, "SELECT CURRENT_USER()")[0][0]))
                raise Refused(
                    "SW8102",
                    f"{endpoint} does not let the account create database {database}, which keeps the ledger of the "
                    f"way back: {grant(ON_TARGETS, database, account)}",
                ) from error
