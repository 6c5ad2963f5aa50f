"""Which direction of a migration is in force: from the source to the shards, or back?

Used in the driver; writes to the first shard, and on the way back to the first ledger beside the source. Each direction
asks its own ledger, so that no run needs the other one's servers.
"""

from __future__ import annotations

from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Direction
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.transactions import execute, query, query_if_there

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_cutover` (
      migration VARCHAR(64) NOT NULL PRIMARY KEY,
      direction VARCHAR(8) NOT NULL,
      updated_at DATETIME(6) NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""No row: forward, as every migration begins."""
_ENDED: Final = "finished"
FINISHED: Final = "SW8219"
_WAYS: Final = {"forward": "from the source to the shards", "backward": "from the shards to the source"}
_IS_THERE = (
    "SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = '_shardwright_cutover'"
)
_READ = "SELECT direction FROM `_shardwright_cutover` WHERE migration = %s"
_BACKWARD = "SELECT migration FROM `_shardwright_cutover` WHERE direction = 'backward'"
_WRITE = "REPLACE INTO `_shardwright_cutover` (migration, direction, updated_at) VALUES (%s, %s, NOW(6))"


def read_direction(connection: Connection[Any], migration: str) -> Direction:
    """`connection` is to a direction's first ledger, which may not be there yet. Raises Refused (SW8219) for a
    migration that is finished."""
    rows = query(connection, _READ, (migration,)) if query(connection, _IS_THERE) else ()
    if rows and rows[0][0] == _ENDED:
        raise Refused(
            FINISHED,
            f"migration {migration} is finished: applications write to the shards, and nothing follows the source or "
            "the shards any more. `shardwright cutover status` says when that was",
        )
    return "backward" if rows and rows[0][0] == "backward" else "forward"


def backward_ones(connection: Connection[Any]) -> frozenset[str]:
    """The migrations of the connection's ledger whose way back is in force. The ledger may not be there yet."""
    return frozenset(str(migration) for (migration,) in query_if_there(connection, _BACKWARD))


def require_direction(connection: Connection[Any], migration: str, direction: Direction) -> None:
    """Raises Refused (SW8217) where the other direction is in force."""
    found = read_direction(connection, migration)
    if found != direction:
        theirs, ours = _WAYS[found], _WAYS[direction]
        raise Refused(
            "SW8217",
            f"changes of {migration} go {theirs} now, and this run would bring them {ours}: start `shardwright run` "
            "again, which follows what is in force",
        )


def end_for_good(connection: Connection[Any], migration: str) -> None:
    """No run of the migration begins any more, in neither direction. Call in a transaction."""
    execute(connection, _WRITE, (migration, _ENDED))


def turn(connection: Connection[Any], migration: str, direction: Direction) -> None:
    """From now on this ledger's runs may go in this direction only. Call in a transaction."""
    execute(connection, _WRITE, (migration, direction))
