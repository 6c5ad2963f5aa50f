"""The data access layers of the shop's checkout, and the rows that say which of two writes: for all users, or for the
bucket of a user.

Before the first migration an order is in the one database of the shop, and its items are in four tables by order. After
it, everything of a user is in one database and one set of tables of the shards. The next migration makes more shards of
these. All layers have the same statements: only the places differ. This module has no need of Shardwright; copy what
you like of it.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pymysql
import yaml
from pymysql.connections import Connection
from pymysql.cursors import Cursor

from examples.shop.connection import Address

ITEM_TABLES = 4

TRY_AGAIN = (pymysql.OperationalError, pymysql.InterfaceError, pymysql.InternalError, pymysql.IntegrityError)
"""The fence of a cutover (error 1644 or 1290), a connection that broke, a deadlock. Also a duplicate key: that of a
commit whose answer was lost."""

ANSWER_WITHIN = 20
"""Seconds for one statement. A server that is silent for longer counts as a connection that broke."""

_SWITCH = "SELECT writes_to, generation FROM _shardwright_switch WHERE migration = %s"
_BUCKETS = "SELECT writer, generation, bucket FROM _shardwright_bucket WHERE migration = %s"

Addresses = Mapping[str, Address]
"""Where each database is."""


class Place(NamedTuple):
    """The database and the tables that hold an order."""

    database: str
    orders: str
    items: str
    payments: str


class Layer(Protocol):
    """Where is an order? Each layer answers it in its own way."""

    @property
    def databases(self) -> Sequence[str]: ...

    def place(self, order_id: int, user_id: int) -> Place: ...

    def everywhere(self) -> list[Place]: ...


class ShopLayer:
    """The shop as it was: items are spread by order, everything else is in one table."""

    databases = ("shop",)

    def place(self, order_id: int, user_id: int) -> Place:
        return Place("shop", "order_info", f"order_item_{order_id % ITEM_TABLES}", "payment")

    def everywhere(self) -> list[Place]:
        return [self.place(order_id, 0) for order_id in range(ITEM_TABLES)]


@dataclass(frozen=True)
class ShardsLayer:
    """The shop in `count` databases STEM_0, STEM_1, ..., with as many tables in each. crc32 of the user gives the
    database and the suffix, as the spec has it."""

    stem: str
    count: int

    @property
    def databases(self) -> Sequence[str]:
        return [f"{self.stem}_{shard}" for shard in range(self.count)]

    def place(self, order_id: int, user_id: int) -> Place:
        number = zlib.crc32(str(user_id).encode("ascii"))
        return self._place(number % self.count, number // self.count % self.count)

    def everywhere(self) -> list[Place]:
        return [self._place(shard, suffix) for shard in range(self.count) for suffix in range(self.count)]

    def _place(self, shard: int, suffix: int) -> Place:
        return Place(f"{self.stem}_{shard}", f"order_info_{suffix}", f"order_item_{suffix}", f"payment_{suffix}")


class Writes(NamedTuple):
    """What the newest switch row says. Each switch has a higher generation than the one before."""

    to: str = "source"
    generation: int = 0

    def __str__(self) -> str:
        return f"the {self.to} (generation {self.generation})"


class Migration(NamedTuple):
    """The two layers between which a migration moves the writes."""

    name: str
    source: Layer
    shards: Layer
    buckets: int = 0
    """How many virtual buckets of users the spec has, whose writes may move by themselves."""

    def bucket(self, user_id: int) -> int:
        """As the spec's rule has it: crc32 of the user."""
        return zlib.crc32(str(user_id).encode("ascii")) % self.buckets

    def layer(self, writes: Writes) -> Layer:
        return self.shards if writes.to == "shards" else self.source

    @property
    def switch_places(self) -> list[str]:
        """The switch row of a source database is in a database beside it, and that of a shard in the shard."""
        return [*(f"_shardwright_{database}" for database in self.source.databases), *self.shards.databases]


FOUR_BY_FOUR = ShardsLayer("order_db", 4)
SHOP_SPLIT = Migration("shop-split", ShopLayer(), FOUR_BY_FOUR, buckets=1024)
MORE_SHARDS = Migration("shop-split-8x8", FOUR_BY_FOUR, ShardsLayer("part", 8))
"""The one that `shardwright rescale` writes: the shards of the first one are its source."""
MIGRATIONS = {migration.name: migration for migration in (SHOP_SPLIT, MORE_SHARDS)}


class Connections:
    """One connection for each database, opened when it is needed. Not for more than one thread."""

    def __init__(self, addresses: Addresses) -> None:
        self._addresses = addresses
        self._open: dict[str, Connection[Cursor]] = {}

    @contextmanager
    def transaction(self, database: str) -> Iterator[Cursor]:
        """Commits at the end. After an error the connection is given up: what became of a commit is looked up."""
        try:
            if database not in self._open:
                self._open[database] = self._addresses[database].connect(timeout=ANSWER_WITHIN)
            connection = self._open[database]
            connection.begin()
            with connection.cursor() as cursor:
                yield cursor
            connection.commit()
        except BaseException:
            if database in self._open:
                with suppress(pymysql.Error):
                    self._open.pop(database).close()
            raise


@dataclass
class Switch:
    """The switch row, shared by all threads. There is none before the first cutover, and then writes go to the source."""

    addresses: Addresses
    migration: Migration
    report: Callable[[Writes], None] = lambda writes: None
    """Called when the row has changed."""

    def __post_init__(self) -> None:
        self.writes = Writes()
        self._buckets: dict[int, Writes] = {}
        self._connections = Connections(self.addresses)
        self._lock = threading.Lock()

    def of(self, user_id: int) -> Writes:
        """Where this user's orders are written."""
        if not self.migration.buckets:
            return self.writes
        return self._buckets.get(self.migration.bucket(user_id), self.writes)

    def ask(self) -> Writes:
        """Look for the rows at each of their places. An older generation is never believed: a server that has not got
        the newest row yet says what was true before."""
        with self._lock:
            for database in self.migration.switch_places:
                for writes_to, generation in self._rows(database, _SWITCH):
                    if int(generation) > self.writes.generation:
                        self.writes = Writes(str(writes_to), int(generation))
                        self.report(self.writes)
                for writes_to, generation, bucket in self._rows(database, _BUCKETS if self.migration.buckets else ""):
                    if writes_to != "none":  # a bucket that is on its way stays where it was
                        self._take_bucket(int(bucket), Writes(str(writes_to), int(generation)))
            return self.writes

    def _take_bucket(self, bucket: int, found: Writes) -> None:
        known = self._buckets.get(bucket)
        if known is None or found.generation > known.generation:
            self._buckets[bucket] = found

    def _rows(self, database: str, sql: str) -> list[tuple[Any, ...]]:
        """Empty where there is no row, no table, or no answer: the other places have it, too."""
        if not sql:
            return []
        try:
            with self._connections.transaction(database) as cursor:
                cursor.execute(sql, (self.migration.name,))
                return list(cursor.fetchall())
        except pymysql.Error:
            return []


def addresses_in(environment_file: Path, migration: Migration, *, user: str, password_file: Path) -> Addresses:
    """Where the databases of a migration are, and those of its switch row. The file names the runtime's account; the
    application has its own."""
    environment = yaml.safe_load(environment_file.read_text(encoding="utf-8"))
    servers, elsewhere = environment["servers"], environment.get("source_databases", {})
    found = {database: servers[server] for database, server in environment["shards"].items()}
    for database in migration.source.databases:
        server = servers[elsewhere[database]] if database in elsewhere else environment["source"]
        found |= {database: server, f"_shardwright_{database}": server}
    return {
        database: Address(server["host"], server["port"], user, password_file, database)
        for database, server in found.items()
    }
