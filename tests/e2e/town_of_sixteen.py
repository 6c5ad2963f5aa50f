"""8 x 8 source tables on their way to 16 databases x 16 tables on two servers, with an application that writes all
the time.
"""

from __future__ import annotations

import itertools
import random
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pymysql

from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from tests.oracle.compare import compare, count
from tests.oracle.tables import Table, by_crc32
from tests.servers.testbed import Arena, Server
from tests.support.commands import SMALL_CHUNKS, Outcome, shardwright, wait_for
from tests.support.job import ENVIRONMENT, Job

EXAMPLE = Path(__file__).with_name("sixteen")
SOURCES = tuple(f"mall_{database}.orders_{part}" for database in range(8) for part in range(8))
SHARDS = tuple(f"part_{number:02d}" for number in range(16))
SUFFIXES = tuple(f"_{number:02d}" for number in range(16))
ORDERS = Table("orders", SOURCES, ("id",), SHARDS, SUFFIXES, ("user_id",), by_crc32(SHARDS, SUFFIXES))
PLACES = tuple((database, f"orders{suffix}") for database in SHARDS for suffix in SUFFIXES)
ROWS = 60
"""In each source table."""


class Sixteen:
    def __init__(self, arena: Arena, folder: Path) -> None:
        self.arena = arena
        self.job = Job(arena, EXAMPLE, folder, settings={**SMALL_CHUNKS, "network": {"retry_for": "60s"}})
        schema = (EXAMPLE / "schema" / "mall.sql").read_text("utf-8")
        for database in range(8):
            arena.source.run_script(schema, database=f"mall_{database}")
            for part in range(1, 8):
                arena.source.query(f"CREATE TABLE orders_{part} LIKE orders_0", database=f"mall_{database}")
        for number, name in enumerate(SOURCES):
            values = ", ".join(f"({64 * row + number}, {(64 * row + number) % 997}, 'first')" for row in range(ROWS))
            arena.source.query(f"INSERT INTO {name} VALUES {values}")
        self.job.call("compile")

    def calls(self, *arguments: str) -> Outcome:
        verb, *_rest = arguments
        at = 2 if verb == "ddl" else 1
        return shardwright(self.job.project, *arguments[:at], "--env", ENVIRONMENT, *arguments[at:])

    @contextmanager
    def write_to(self, dice: random.Random) -> Iterator[None]:
        """Within, rows come, change, move to another shard and go, some tens a second."""
        stop, failed = threading.Event(), list[pymysql.err.MySQLError]()

        def work() -> None:
            new = 64 * ROWS
            try:
                with self.arena.source.connect() as connection, connection.cursor() as cursor:
                    while not stop.wait(0.02):
                        number = dice.randrange(64)
                        name, old = SOURCES[number], 64 * dice.randrange(ROWS) + number
                        user, new = dice.randrange(997), new + 1
                        cursor.execute(
                            dice.choice(
                                [
                                    f"INSERT INTO {name} VALUES ({64 * new + number}, {user}, 'new {new}')",
                                    f"UPDATE {name} SET note = 'changed {new}' WHERE id = {old}",
                                    f"UPDATE {name} SET user_id = {user} WHERE id = {old}",
                                    f"DELETE FROM {name} WHERE id = {old}",
                                ]
                            )
                        )
            except pymysql.err.MySQLError as error:
                failed.append(error)

        thread = threading.Thread(target=work, name="application")
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
        assert not failed, failed

    def drain(self, run: subprocess.Popen[bytes]) -> None:
        """Once nobody writes: the shards have what the source has."""
        for _ in range(2):
            wait_for(self.job, run, "the stream has drained", lambda reported: bool(reported["caught_up"]))
            time.sleep(2)

    def judge(self) -> list[str]:
        """What the oracle finds; the stream must be drained."""
        with ExitStack() as stack:
            source = stack.enter_context(self.arena.source.connect())
            shards = {name: stack.enter_context(self.arena.shard(name)) for name in SHARDS}
            assert count(source, ORDERS) > 64
            return compare(source, [ORDERS], shards)

    def home(self, key: int) -> tuple[str, str]:
        ((user,),) = [
            row
            for name in (SOURCES[key % 64],)
            for row in self.arena.source.query(f"SELECT user_id FROM {name} WHERE id = {key}")
        ]
        assert ORDERS.place is not None
        return ORDERS.place((str(user).encode(),))

    def on_shard(self, database: str, sql: str) -> None:
        self.arena.placement[database].query(sql, database=database)

    def tables_with(self, column: str) -> set[tuple[str, str]]:
        sql = "SELECT table_schema, table_name FROM information_schema.columns WHERE column_name = %s AND table_name LIKE 'orders%%'"
        found = {tuple(row) for server in self._targets() for row in server.query(sql, (column,))}
        return {(str(database), str(table)) for database, table in found if database in SHARDS}

    def cut_connections(self) -> int:
        """Of all that Shardwright has open on the targets; how many."""
        cut = 0
        for server in self._targets():
            for (number,) in server.query(
                "SELECT id FROM information_schema.processlist WHERE user = %s", (RUNTIME_USER,)
            ):
                try:
                    server.query(f"KILL {number}")
                    cut += 1
                except pymysql.err.MySQLError as gone:
                    if gone.args[0] != 1094:  # it ended by itself
                        raise
        return cut

    def _targets(self) -> tuple[Server, ...]:
        return tuple(dict.fromkeys(self.arena.placement[name] for name in SHARDS))


def keys_of(lines: list[str]) -> set[str]:
    """The keys that the oracle's lines name."""
    return {word.strip(",;:") for line in lines for before, word in _pairs(line.split()) if before == "id"}


def _pairs(words: list[str]) -> Iterator[tuple[str, str]]:
    return itertools.pairwise(words)


def spoil(town: Sixteen, dice: random.Random) -> Mapping[str, str]:
    """One row each that is different, missing, in the wrong table, in two tables, and extra: kind -> key."""
    kinds = ("different", "missing", "misplaced", "twice")
    there = [
        int(row[0])
        for name in SOURCES
        for row in town.arena.source.query(f"SELECT id FROM {name} ORDER BY id LIMIT 20")
    ]
    planted = dict(zip(kinds, dice.sample(there, len(kinds)), strict=True))
    for kind, key in planted.items():
        database, suffix = town.home(key)
        table, row = f"{database}.orders{suffix}", f"id = {key}"
        other = dice.choice([name for name in SUFFIXES if name != suffix])
        if kind == "different":
            town.on_shard(database, f"UPDATE {table} SET note = 'spoilt' WHERE {row}")
        if kind in ("misplaced", "twice"):
            town.on_shard(database, f"INSERT INTO {database}.orders{other} SELECT * FROM {table} WHERE {row}")
        if kind in ("missing", "misplaced"):
            town.on_shard(database, f"DELETE FROM {table} WHERE {row}")
    database, table = dice.choice(PLACES)
    town.on_shard(database, f"INSERT INTO {table} (id, user_id, note) VALUES (999999999, 1, 'nobody''s')")
    return {**{kind: str(key) for kind, key in planted.items()}, "extra": "999999999"}
