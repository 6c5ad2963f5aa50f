"""Did a run of an older version hold back changes of a table, while DDL kept writers out of it? Runs of this version
hold none back, and would never apply those.

Used in the driver; reads the first shard.
"""

from __future__ import annotations

from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.transactions import query_if_there

_PAUSED: Final = (
    "SELECT logical FROM `_shardwright_waiting` WHERE migration = %s AND waits_from IS NOT NULL ORDER BY logical"
)
"""This version does not make the table."""


def require_none_paused(connection: Connection[Any], migration: str) -> None:
    """Raises Refused (SW8211)."""
    paused = [str(logical) for (logical,) in query_if_there(connection, _PAUSED, (migration,))]
    if paused:
        raise Refused(
            "SW8211",
            f"changes of {', '.join(paused)} were held back during `ddl apply` by an older version, and this version "
            "would never apply them: run the older version until its `status` names no waiting table, then run again",
        )
