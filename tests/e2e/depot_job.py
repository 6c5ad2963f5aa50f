"""Parcels and notes, of one weight, under writes of all kinds; DDL that keeps writers out of parcels, and a reader
that keeps DDL from its end.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pymysql

from tests.servers import forks
from tests.servers.testbed import Arena
from tests.support.commands import Outcome, shardwright, status
from tests.support.job import ENVIRONMENT, SMALL_SPARK, Job
from tests.support.waiting import wait_until

DEPOT = Path(__file__).with_name("depot")
APPLY = ("ddl", "apply", "--env", ENVIRONMENT, "--allow", "SW8421,SW8422", "--lock-wait-timeout", "600")
SHARDS = ("depot_0", "depot_1")
NETWORK = {"answer_timeout": "4s", "retry_for": "15s"}
"""No wait of a run is longer."""
ROWS = 400
COLUMNS = {"parcel": "id, owner, label, words", "note": "id, owner, body"}


class Depot:
    """A migration of both tables, not begun yet."""

    def __init__(self, arena: Arena, folder: Path, dice: random.Random) -> None:
        self.arena = arena
        self.source: Any = arena.source
        """Where the application writes."""
        self._dice = dice
        self.job = Job(arena, DEPOT, folder, settings={**SMALL_SPARK, "network": NETWORK})
        self.spec = self.job.project / "specs" / "depot.yaml"
        kind = arena.source.sandbox.kind
        self.spec.write_text(self.spec.read_text(encoding="utf-8").replace("mariadb", kind), encoding="utf-8")
        arena.source.run_script(DEPOT / "schema" / "depot.sql", database="depot")
        with arena.source.connect("depot") as connection, connection.cursor() as cursor:
            for number in range(ROWS):
                cursor.execute(
                    "INSERT INTO parcel VALUES (%s, %s, %s, 'at first')", (number + 1, number % 9, f"l{number}")
                )
                cursor.execute("INSERT INTO note VALUES (%s, %s, 'at first')", (number + 1, number % 9))
        self.job.call("compile")

    def calls(self, *arguments: str) -> Outcome:
        return shardwright(self.job.project, *arguments[:1], *arguments[1:])

    @contextmanager
    def write_to(self) -> Iterator[None]:
        """Within, both tables are: inserts, updates, deletes, moves to other shards, labels that go from row to row."""
        ended, failures = threading.Event(), list[BaseException]()

        def write() -> None:
            try:
                with closing(self.source.connect("depot")) as connection:
                    while not ended.wait(0.02):
                        _write(connection, self._dice)
            except BaseException as failure:  # noqa: BLE001 - raised below
                failures.append(failure)

        thread = threading.Thread(target=write)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
        assert not failures, failures

    @contextmanager
    def read_by_somebody(self, database: str, table: str) -> Iterator[pymysql.connections.Connection[Any]]:
        """Until its transaction ends, DDL on that physical table does not come to its end, and nobody can write to it
        once DDL has begun."""
        with self.arena.shard(database) as reader, reader.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute(f"SELECT COUNT(*) FROM {table}")
            yield reader

    @contextmanager
    def ddl_under_way(self) -> Iterator[subprocess.Popen[bytes]]:
        with open(os.devnull, "wb") as nowhere:
            process = forks.start(self.job.project, *APPLY, out=nowhere)
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
            process.wait(timeout=60)

    def wait_until(self, what: str, holds: Any, *, seconds: float = 90) -> None:
        show = lambda: f"{status(self.job)}\n{self.job.end_of_log()}"  # noqa: E731
        wait_until(what, holds, seconds=seconds, show=show, pause=0.2)

    def waits_for(self, table: str) -> bool:
        reported = status(self.job)
        return reported is not None and any(line.endswith(f" blocks writes to {table}") for line in reported["waiting"])

    def is_there(self, table: str, key: int) -> bool:
        return any(row[0] == key for row in self.on_shards(table))

    def new(self, table: str) -> int:
        """The key of a row that has just been inserted at the source."""
        values = {"parcel": "(7, UUID(), 'new')", "note": "(7, 'new')"}[table]
        names = COLUMNS[table].removeprefix("id, ")
        with closing(self.source.connect("depot")) as connection, connection.cursor() as cursor:
            cursor.execute(f"INSERT INTO {table} ({names}) VALUES {values}")
            return int(cursor.lastrowid)

    def on_shards(self, table: str) -> list[tuple[Any, ...]]:
        """Sorted; each row with where it stands, as it should."""
        found: list[tuple[Any, ...]] = []
        for shard, database in enumerate(SHARDS):
            with self.arena.shard(database) as connection, connection.cursor() as cursor:
                for part in range(2):
                    cursor.execute(f"SELECT {COLUMNS[table]} FROM {table}_{part}")
                    rows = cursor.fetchall()
                    assert all((row[1] % 2, row[1] // 2 % 2) == (shard, part) for row in rows), "a row is misplaced"
                    found += rows
        return sorted(found)

    def is_equal(self) -> bool:
        with closing(self.source.connect("depot")) as connection, connection.cursor() as cursor:
            for table, names in COLUMNS.items():
                cursor.execute(f"SELECT {names} FROM {table}")
                if sorted(cursor.fetchall()) != self.on_shards(table):
                    return False
        return True

    def verify(self, *arguments: str) -> tuple[int, dict[str, Any]]:
        done = self.calls("verify", "--env", ENVIRONMENT, "--format", "json", *arguments)
        return done.code, json.loads(done.out)


def _write(connection: pymysql.connections.Connection[Any], dice: random.Random) -> None:
    key, other, owner = dice.randrange(1, ROWS), dice.randrange(1, ROWS), dice.randrange(9)
    choices = (
        [("UPDATE parcel SET words = CONCAT('w', RAND()) WHERE id = %s", (key,))],
        [("UPDATE parcel SET owner = %s WHERE id = %s", (owner, key))],
        [("DELETE FROM parcel WHERE id = %s", (key,))],
        [("INSERT IGNORE INTO parcel VALUES (%s, %s, %s, 'again')", (key, owner, f"l{other}"))],
        [
            ("UPDATE IGNORE parcel SET label = CONCAT('was ', label) WHERE id = %s", (key,)),
            ("UPDATE IGNORE parcel SET label = %s WHERE id = %s", (f"l{key}", other)),
        ],
        [("UPDATE note SET body = CONCAT('b', RAND()), owner = %s WHERE id = %s", (owner, key))],
        [("DELETE FROM note WHERE id = %s", (key,)), ("INSERT INTO note (owner, body) VALUES (%s, 'more')", (owner,))],
    )
    connection.begin()
    with connection.cursor() as cursor:
        for statement, arguments in dice.choice(choices):
            cursor.execute(statement, arguments)
    connection.commit()
