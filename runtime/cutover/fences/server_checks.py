"""What passes every kind of fence on a server? Prepared transactions, and rows that replication brings.

Runs in the driver; reads one server.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.cutover.fences.sessions import has_detached_transactions
from shardwright.runtime.mysql.check import Check, warned
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.runtime.sources.binlog.connection import first_row


def server_checks(connection: Connection[Any], where: str) -> Iterator[Check]:
    """Warnings: setting the fence waits for prepared transactions, and only the operator knows what is replicated.
    Needs the privilege PROCESS."""
    prepared = has_detached_transactions(connection)
    yield warned(
        "prepared transactions", where, warning="a transaction without a connection is open" if prepared else None,
        way_out="look at XA RECOVER: setting the fence fails while one stays open", otherwise="none",
    )  # fmt: skip
    yield warned(
        "replication", where, warning="the server applies rows of another one" if _is_replica(connection) else None,
        way_out="no fence stops them: stop the writes on that server, too", otherwise="no rows from another server",
    )  # fmt: skip


def _is_replica(connection: Connection[Any]) -> bool:
    asked = "SHOW ALL SLAVES STATUS" if is_mariadb(connection) else "SHOW REPLICA STATUS"
    try:
        found = first_row(connection, asked)
    except pymysql.err.MySQLError:
        return False  # the account may not ask, or this version has another statement: nothing is known
    return "Yes" in (found.get("slave_sql_running"), found.get("replica_sql_running"))
