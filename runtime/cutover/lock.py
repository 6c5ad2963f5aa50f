"""Only one command at a time works with a cutover. The lock is a named one of the first shard's server, so it ends with
its holder.

Used in the driver; writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.named_locks import lock_name
from shardwright.runtime.mysql.transactions import query

_WAIT: Final = 3
"""Seconds: a server notices the end of a killed client a moment later."""


@contextmanager
def alone(connection: Connection[Any], migration: str) -> Iterator[None]:
    """Raises Refused (SW8911) while another command has the lock. `connection` is to the first shard."""
    database = query(connection, "SELECT DATABASE()")[0][0]
    name = lock_name("cutover", str(database), migration)
    if query(connection, "SELECT GET_LOCK(%s, %s)", (name, _WAIT))[0][0] != 1:
        holder = query(connection, "SELECT IS_USED_LOCK(%s)", (name,))[0][0]
        raise Refused(
            "SW8911",
            f"another command works on the cutover of {migration} now (connection {holder} of the first shard's "
            "server): wait for it, or stop it with Ctrl-C, after which it opens what it has closed",
        )
    try:
        yield
    finally:
        with suppress(pymysql.err.MySQLError):  # the connection is gone, and the lock with it
            query(connection, "SELECT RELEASE_LOCK(%s)", (name,))
