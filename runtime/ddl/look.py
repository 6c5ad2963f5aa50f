"""What a shard says before DDL is routed to it."""

from __future__ import annotations

import pymysql

from shardwright.compiler.plan import Plan
from shardwright.runtime.connections import is_mariadb
from shardwright.runtime.ddl.record import Place, Recorded, read_record
from shardwright.runtime.ddl.session import Connect, explain


def look(connect: Connect, database: str, plan: Plan) -> tuple[dict[Place, Recorded], bool]:
    """What is recorded on a shard, and whether its server is MariaDB. Raises RuntimeFailure."""
    connection = connect(database)
    try:
        return read_record(connection, plan.migration), is_mariadb(connection)
    except pymysql.err.MySQLError as error:
        raise explain(error, database, "_shardwright_ddl") from error
    finally:
        connection.close()
