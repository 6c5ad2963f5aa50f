"""How is another connection of a server ended?

Used in the driver; ends connections, with what they have not committed.
"""

from __future__ import annotations

from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.mysql.errors import NO_SUCH_THREAD


def end_connection(connection: Connection[Any], number: int) -> None:
    """One that is gone already is no error. `connection` is to the same server."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"KILL CONNECTION {int(number)}")
    except pymysql.err.MySQLError as error:
        if error.args[0] != NO_SUCH_THREAD:
            raise
