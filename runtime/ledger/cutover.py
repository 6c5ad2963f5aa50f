"""Which directions of a migration are live: from the source to the shards, or back?

Used in the driver; writes to the first shard, and on the way back to the first ledger beside the source. Each direction
asks its own ledger, so that no run needs the other one's servers.
"""

from __future__ import annotations

from collections.abc import Collection, Set
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.transactions import execute, execute_later, query, query_if_there
from shardwright.specs.direction import Direction

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_cutover` (
      migration VARCHAR(64) NOT NULL PRIMARY KEY,
      direction VARCHAR(8) NOT NULL,
      updated_at DATETIME(6) NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""No row: forward, as every migration begins."""
BOTH_WAYS: Final = "SW8933"
"""What cannot be done while changes go in both directions."""
_ENDED: Final = "finished"
_BOTH: Final = "both"
"""In the place of a direction: while both sides take writes, changes go in both."""
FINISHED: Final = "SW8219"
_IS_THERE = (
    "SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = '_shardwright_cutover'"
)
_READ = "SELECT direction FROM `_shardwright_cutover` WHERE migration = %s"
_BACKWARD = "SELECT migration FROM `_shardwright_cutover` WHERE direction IN ('backward', 'both')"
_WRITE = "REPLACE INTO `_shardwright_cutover` (migration, direction, updated_at) VALUES (%s, %s, NOW(6))"


def live_directions(connection: Connection[Any], migration: str) -> frozenset[Direction]:
    """Those in which changes go now: one, or both. `connection` is to a direction's first ledger, which may not be
    there yet. Raises Refused (SW8219) for a migration that is finished."""
    rows = query(connection, _READ, (migration,)) if query(connection, _IS_THERE) else ()
    if rows and rows[0][0] == _ENDED:
        raise Refused(
            FINISHED,
            f"migration {migration} is finished: applications write to the shards, and nothing follows the source or "
            "the shards any more. `shardwright cutover status` says when that was",
        )
    if rows and rows[0][0] == _BOTH:
        return frozenset(Direction)
    return frozenset({Direction(rows[0][0]) if rows else Direction.FORWARD})


def find_live_directions(connection: Connection[Any], migration: str) -> frozenset[Direction]:
    """As `live_directions`; none once the migration is finished."""
    try:
        return live_directions(connection, migration)
    except Refused as failure:
        if failure.code != FINISHED:
            raise
        return frozenset()


def first_of(directions: Collection[Direction]) -> Direction | None:
    """The one whose ledger has most to tell: forward where changes go in both."""
    return max(directions, key=lambda one: one.writes_shards, default=None)


def backward_ones(connection: Connection[Any]) -> frozenset[str]:
    """The migrations of the connection's ledger whose way back is in force. The ledger may not be there yet."""
    return frozenset(str(migration) for (migration,) in query_if_there(connection, _BACKWARD))


def require_live(connection: Connection[Any], migration: str, direction: Direction) -> None:
    """Raises Refused (SW8217) where `direction` is not live."""
    live = live_directions(connection, migration)
    if direction not in live:
        theirs = " and ".join(sorted(other.words for other in live))
        raise Refused(
            "SW8217",
            f"changes of {migration} go {theirs} now, and this run would bring them {direction.words}: start "
            "`shardwright run` again, which follows what is in force",
        )


def require_live_alone(connection: Connection[Any], migration: str, directions: Collection[Direction]) -> None:
    """Raises Refused (SW8217) where others are live than those that a process runs: one more, or one less."""
    live = live_directions(connection, migration)
    if live != frozenset(directions):
        theirs = " and ".join(sorted(other.words for other in live))
        raise Refused(
            "SW8217",
            f"changes of {migration} go {theirs} now, and this run was begun for others: start `shardwright run` "
            "again, which follows what is in force",
        )


def end_for_good(connection: Connection[Any], migration: str) -> None:
    """No run of the migration begins any more, in neither direction. Call in a transaction."""
    execute(connection, _WRITE, (migration, _ENDED))


def make_live(connection: Connection[Any], migration: str, directions: Set[Direction]) -> None:
    """From now on `directions` alone are live, so that this ledger's runs may go in no other. Call in a transaction."""
    [value] = {_BOTH} if len(directions) > 1 else {one.value for one in directions}
    execute_later(connection, _WRITE, (migration, value), may_commit=True)
