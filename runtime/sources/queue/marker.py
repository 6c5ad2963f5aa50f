"""Does a queue hold everything that was committed at its source before? Rows of a table of ours show it: they are
written at the source, and go the same way through the queue as users' changes.

Runs in the driver, which writes the table `_shardwright_marker` of the source; the name and the columns are used in
Spark tasks, too, which decode the messages. Debezium's signalling table and its heartbeat queries are the same idea.
"""

from __future__ import annotations

from contextlib import closing
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.errors import STATEMENT_DENIED
from shardwright.runtime.mysql.grants import quote_account
from shardwright.runtime.mysql.servers import connect, current_account
from shardwright.runtime.mysql.transactions import execute, if_there, in_transaction, query, query_if_there

TABLE: Final = "_shardwright_marker"
COLUMNS: Final = (
    Column("id", ColumnType("int"), nullable=False),
    Column("marker", ColumnType("bigint"), nullable=False),
)
_DDL: Final = "(id INT NOT NULL PRIMARY KEY, marker BIGINT NOT NULL) ENGINE=InnoDB"
_PRIVILEGES: Final = ("SELECT", "INSERT", "UPDATE", "CREATE", "DROP")


def write_marker(endpoint: Endpoint, database: str, *, rows: int) -> int:
    """Writes so many rows in one transaction, and returns the number that they have: larger than any before, also when
    the table was dropped meanwhile. A producer deals rows out among partitions by their keys, so many rows reach all
    partitions of their topic. Raises Refused (SW8102) when the account may not."""
    table = f"{quote(database)}.{quote(TABLE)}"

    def write(connection: Connection[Any]) -> int:
        ((number,),) = query(
            connection,
            "SELECT GREATEST(COALESCE(MAX(marker), 0) + 1, FLOOR(UNIX_TIMESTAMP(NOW(6)) * 1000000)) "
            f"FROM {table} FOR UPDATE",
        )
        values = ", ".join(f"({row}, {int(number)})" for row in range(rows))
        execute(
            connection,
            f"INSERT INTO {table} (id, marker) VALUES {values} ON DUPLICATE KEY UPDATE marker = VALUES(marker)",
        )
        return int(number)

    with closing(connect(endpoint)) as connection:
        try:
            number = if_there(lambda: in_transaction(connection, write))
            if number is None:
                execute(connection, f"CREATE TABLE IF NOT EXISTS {table} {_DDL}")
                number = in_transaction(connection, write)
            return number
        except pymysql.err.MySQLError as error:
            if not error.args or error.args[0] not in STATEMENT_DENIED:
                raise
            account = quote_account(current_account(connection))
            raise Refused(
                "SW8102",
                f"{endpoint} does not let the account write {database}.{TABLE}, whose rows show that the queue holds "
                f"everything: GRANT {', '.join(_PRIVILEGES)} ON {table} TO {account}",
            ) from error


def drop_marker(endpoint: Endpoint, database: str) -> bool:
    """Whether the table was there, with a marker."""
    table = f"{quote(database)}.{quote(TABLE)}"
    with closing(connect(endpoint)) as connection:
        found = bool(query_if_there(connection, f"SELECT 1 FROM {table} LIMIT 1"))
        if found:
            execute(connection, f"DROP TABLE {table}")
        return found
