"""How is another connection of a server ended?

Used in the driver; ends connections, with what they have not committed. Providers of managed servers give a procedure
for it to accounts that may not KILL.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.mysql.errors import KILL_DENIED, NO_SUCH_THREAD
from shardwright.runtime.mysql.transactions import decode_text, execute_later, send_waiting

_OF_PROVIDERS: Final = ("rds_kill", "az_kill")
"""Amazon's (RDS, Aurora), Azure's."""
_PROCEDURES: Final = (
    "SELECT routine_name FROM information_schema.routines WHERE routine_schema = 'mysql' AND routine_name IN %s"
)
"""The server lists only those that the account may use."""


def end_connection(connection: Connection[Any], number: int) -> None:
    """One that is gone already is no error. `connection` is to the same server."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"KILL CONNECTION {int(number)}")
    except pymysql.err.MySQLError as error:
        if error.args[0] == KILL_DENIED and (procedure := kill_procedure(connection)):
            with connection.cursor() as cursor:
                cursor.execute(f"CALL mysql.{procedure}({int(number)})")
        elif error.args[0] != NO_SUCH_THREAD:
            raise


def end_connections(connection: Connection[Any], numbers: Sequence[int]) -> None:
    """All of them: in one packet, or one by one where the server has something to say of one of them."""
    try:
        for number in numbers:
            execute_later(connection, f"KILL CONNECTION {int(number)}", may_commit=True, outside=True)
        send_waiting(connection)
    except pymysql.err.MySQLError as error:
        if error.args[:1] not in {(KILL_DENIED,), (NO_SUCH_THREAD,)}:
            raise
        for number in numbers:
            end_connection(connection, number)


def kill_procedure(connection: Connection[Any]) -> str | None:
    """The provider's procedure that our account may call, in the database `mysql`."""
    with connection.cursor() as cursor:
        cursor.execute(_PROCEDURES, (_OF_PROVIDERS,))
        found = cursor.fetchall()
    return str(decode_text(found[0][0])) if found else None
