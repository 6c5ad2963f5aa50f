"""What a shard says before DDL is routed to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import pymysql

from shardwright.compiler.plan.plan import DdlChange, Plan
from shardwright.runtime.ddl.online.hand_over import HandOver
from shardwright.runtime.ddl.routing.targets import Target
from shardwright.runtime.ddl.server_pools import ServerPools
from shardwright.runtime.ddl.session import Connect, explain
from shardwright.runtime.ledger.ddl_record import Place, Recorded, read_record
from shardwright.runtime.mysql.servers import is_mariadb


def look(connect: Connect, database: str, plan: Plan) -> tuple[dict[Place, Recorded], bool]:
    """What is recorded on a shard, and whether its server is MariaDB. Raises RuntimeFailure."""
    connection = connect(database)
    try:
        return read_record(connection, plan.migration), is_mariadb(connection)
    except pymysql.err.MySQLError as error:
        raise explain(error, database, "_shardwright_ddl") from error
    finally:
        connection.close()


def look_before_hand_over(
    hand_over: HandOver,
    changes: Iterable[DdlChange],
    waiting: Callable[[DdlChange], Sequence[Target]],
    mariadb: Mapping[str, bool],
    *,
    connect: Connect,
    pools: ServerPools,
) -> None:
    """Whether the tool can do all that some table has not got and that is to be handed over. `mariadb`: of each database. Raises
    RuntimeFailure."""
    tables: dict[str, list[str]] = {}
    taken: dict[tuple[DdlChange, bool], None] = {}
    for change in changes:
        for target in waiting(change):
            kind = mariadb[target.database]
            if hand_over.takes(change, mariadb=kind):
                taken[change, kind] = None
                names = tables.setdefault(target.database, [])
                names += [] if target.entry.table in names else [target.entry.table]
    if not tables:
        return
    hand_over.refuse_missing({database: mariadb[database] for database in tables}, tuple(taken))

    def ask(database: str) -> None:
        connection = connect(database)
        try:
            hand_over.refuse_unfit(connection, database, tables[database])
        except pymysql.err.MySQLError as error:
            raise explain(error, database, tables[database][0]) from error
        finally:
            connection.close()

    pools.on_each(ask, [*tables], database_of=lambda name: name)
