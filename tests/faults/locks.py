"""Another client of a wired lab's shard, and what its server counts of locks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pymysql.connections import Connection
from pymysql.cursors import Cursor

from tests.faults.conftest import Wired
from tests.servers.testbed import Server

_COUNTED = "SELECT `count` FROM information_schema.innodb_metrics WHERE name = %s"


def shard_of_lock(wired: Wired) -> Server:
    return wired.lab.arena.placement[wired.lab.shards[0]]


def count(server: Server, what: str) -> int:
    return int(server.query(_COUNTED, (what,))[0][0])


@contextmanager
def somebody_at_work(wired: Wired) -> Iterator[Connection[Cursor]]:
    """Another client of shard 0, in a transaction, with a table of its own to have much work in."""
    with wired.lab.arena.shard(wired.lab.shards[0]) as connection, connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS burden")
        cursor.execute("CREATE TABLE burden (n int)")
        cursor.executemany("INSERT INTO burden VALUES (%s)", [(n,) for n in range(500)])
        connection.begin()
        yield connection
        connection.rollback()
        cursor.execute("DROP TABLE burden")
