"""What do the ledgers of both sides say of the buckets, and how is that changed on all servers of a side?

Used in the driver; writes the rows of buckets, and waits for writers' transactions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.cutover.fences.fence import STILL_OPEN
from shardwright.runtime.cutover.ways import Way, Ways
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.buckets import TABLE as BUCKET_TABLE
from shardwright.runtime.ledger.buckets import (
    BucketOwner,
    Writer,
    begin_buckets,
    move_buckets,
    read_buckets,
    set_writer,
)
from shardwright.runtime.ledger.comparison import Verification
from shardwright.runtime.mysql.errors import LOCK_WAIT_TIMEOUT
from shardwright.runtime.mysql.transactions import execute, in_transaction
from shardwright.runtime.verify.final import gate
from shardwright.specs.direction import Side

_AT_ONCE: Final = 16
_ATTEMPTS: Final = 3
"""So often a transaction is tried again that waits for a lock."""


def ledgers_of(ways: Ways, side: Side) -> Way:
    """Whose ledgers are beside the side's rows: those of the direction that writes there."""
    return ways.forward if side == "shards" else ways.backward


def begin_on_both_sides(ways: Ways, count: int, writer: Side, *, generation: int) -> None:
    def begin(connection: Connection[Any]) -> None:
        execute(connection, BUCKET_TABLE)
        in_transaction(connection, lambda c: begin_buckets(c, ways.migration, count, writer, generation=generation))

    for side in ("source", "shards"):
        _on_each_ledger(ledgers_of(ways, side), begin)


def close_buckets(
    ways: Ways, side: Side, buckets: Collection[int], *, writer: Writer, before: int, within: float
) -> None:
    """On all servers of the side; `writer` opens them again. Raises Refused (SW8903) where transactions that have
    written rows of the buckets are open for longer than `within` seconds."""

    def close(connection: Connection[Any]) -> None:
        execute(connection, f"SET SESSION innodb_lock_wait_timeout = {max(1, math.ceil(within / _ATTEMPTS))}")
        try:
            in_transaction(connection, lambda c: set_writer(c, ways.migration, buckets, writer, before=before))
        except pymysql.err.MySQLError as error:
            if error.args[0] != LOCK_WAIT_TIMEOUT:
                raise
            raise Refused(
                STILL_OPEN,
                f"transactions that have written rows of these buckets on the {side} are open for longer than "
                f"{within:g} s: find them in the server's list of transactions, or allow more with --drain-timeout",
            ) from error

    _on_each_ledger(ledgers_of(ways, side), close)


def hand_over(ways: Ways, side: Side, buckets: Collection[int], *, writer: Side, generation: int) -> None:
    """The servers of `side` learn that the buckets are `writer`'s."""

    def move(connection: Connection[Any]) -> None:
        in_transaction(connection, lambda c: move_buckets(c, ways.migration, buckets, writer, generation))

    _on_each_ledger(ledgers_of(ways, side), move)


def require_proved(way: Way) -> Verification:
    """The comparison that found both sides equal, and still proves it. Raises Refused (SW8924)."""
    with closing(way.control()) as control:
        found = gate(way.plan, control, way.sources)
    if not isinstance(found, Verification):
        raise Refused("SW8924", found)
    return found


def owners_at_home(home: Connection[Any], migration: str) -> Mapping[int, BucketOwner]:
    """What is in force. `home` is to the first shard."""
    return read_buckets(home, migration)


def _on_each_ledger(way: Way, work: Callable[[Connection[Any]], None]) -> None:
    """On all at the same time: writers wait meanwhile."""

    def on(shard: int) -> None:
        with closing(way.servers.connect_shard(shard)) as connection:
            work(connection)

    shards = range(len(way.servers.databases))
    with ThreadPoolExecutor(min(_AT_ONCE, len(shards)), thread_name_prefix="buckets") as pool:
        list(pool.map(on, shards))
