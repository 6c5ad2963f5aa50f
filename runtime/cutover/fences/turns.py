"""Who changes a fence on a server? One process at a time, and the next one when no statement of the last one is left.

Runs in the driver; takes named locks on one server.

A process that was killed leaves statements behind that still wait there for a table. They would create triggers after
the fence was lifted. So each connection that changes something holds a named lock of its own, which the server frees
when the connection's last statement has ended.
"""

from __future__ import annotations

from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.cutover.fences.fence import FAILED, FenceContext
from shardwright.runtime.failures import StoppedPartWay
from shardwright.runtime.mysql.kill import end_connection
from shardwright.runtime.mysql.named_locks import lock_name
from shardwright.runtime.mysql.transactions import query

SLOTS: Final = 4
"""Connections to a server that may change something at the same time, besides the first one."""
PATIENCE: Final = 5
"""Seconds: longer than a statement waits that a killed process has left."""
_LONGEST: Final = 55
"""Seconds that a killed connection may take to end."""


def take_turn(connection: Connection[Any], context: FenceContext, where: str) -> None:
    """Until the connection ends, no other process changes this fence on the server. Waits until the connections of an
    earlier one have ended, and kills those that do not: their machine may have lost its power. Raises StoppedPartWay
    (SW8905) when that does not help."""
    _take(connection, context, 0, where)
    for slot in range(1, SLOTS + 1):
        _take(connection, context, slot, where)
        query(connection, "SELECT RELEASE_LOCK(%s)", (_name(context, slot),))


def take_slot(connection: Connection[Any], context: FenceContext, slot: int, where: str) -> None:
    """For a further connection of the process whose turn it is. `slot`: 1 to SLOTS."""
    _take(connection, context, slot, where)


def _take(connection: Connection[Any], context: FenceContext, slot: int, where: str) -> None:
    name = _name(context, slot)
    if _has(connection, name, PATIENCE):
        return
    ((holder,),) = query(connection, "SELECT IS_USED_LOCK(%s)", (name,))
    if holder is not None:
        end_connection(connection, int(holder))
    if not _has(connection, name, _LONGEST):
        raise StoppedPartWay(FAILED, f"{where}: another process sets or lifts this fence: try again when it has ended")


def _has(connection: Connection[Any], name: str, seconds: int) -> bool:
    return bool(query(connection, "SELECT GET_LOCK(%s, %s)", (name, seconds))[0][0])


def _name(context: FenceContext, slot: int) -> str:
    return f"{lock_name('fence', context.migration)}.{slot}"
