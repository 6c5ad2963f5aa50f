"""A source that is split already: two databases of two tables each become three databases of two, under writes."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pymysql
import pytest

from tests.oracle.compare import compare, count
from tests.oracle.tables import Table, by_crc32
from tests.servers.testbed import Arena
from tests.support.commands import SMALL_CHUNKS, status, wait_for
from tests.support.job import ENVIRONMENT, Job

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

EXAMPLE = Path(__file__).with_name("grid")
SOURCES = ("mall_0", "mall_1")
SHARDS = ("part_0", "part_1", "part_2")
NOTE_SUFFIXES = ("", "_more", "_last")


def in_one_shard(values: tuple[bytes | None, ...]) -> tuple[str, str]:
    return "part_2", ""


def grid(name: str) -> tuple[str, ...]:
    return tuple(f"{database}.{name}_{part}" for database in SOURCES for part in range(2))


TABLES = (
    Table("orders", grid("orders"), ("id",), SHARDS, ("_00", "_01"), ("user_id",), by_crc32(SHARDS, ("_00", "_01"))),
    Table("notes", grid("notes"), ("id",), SHARDS, NOTE_SUFFIXES, ("id",), by_crc32(SHARDS, NOTE_SUFFIXES)),
    Table("region", ("mall_1.region",), ("code",), SHARDS),
    Table("job_lock", ("mall_0.job_lock", "mall_1.job_lock"), ("name",), ("part_2",), ("",), ("name",), in_one_shard),
)


class Mall:
    """The source's four tables of each kind, and one migration of them."""

    def __init__(self, arena: Arena, folder: Path) -> None:
        self.arena = arena
        self.job = Job(arena, EXAMPLE, folder, settings=SMALL_CHUNKS)
        schema = (EXAMPLE / "schema" / "mall.sql").read_text("utf-8")
        for number, database in enumerate(SOURCES):
            arena.source.run_script(schema, database=database)
            for name in ("orders", "notes"):
                arena.source.query(f"CREATE TABLE {name}_1 LIKE {name}_0", database=database)
            arena.source.query(
                f"INSERT INTO region VALUES (1, 'north {number}'), (2, 'south {number}')", database=database
            )
            arena.source.query(f"INSERT INTO job_lock VALUES ('sweep {number}', {number})", database=database)
        self.job.call("compile")

    def fill(self, rows: int) -> None:
        for number, name in enumerate(TABLES[0].sources):
            values = ", ".join(f"({4 * row + number}, {row % 97}, 'first')" for row in range(rows))
            self.arena.source.query(f"INSERT INTO {name} VALUES {values}")
        for number, name in enumerate(TABLES[1].sources):
            values = ", ".join(f"({4 * row + number}, 'note {4 * row + number}')" for row in range(rows))
            self.arena.source.query(f"INSERT INTO {name} VALUES {values}")

    @contextmanager
    def write_to(self, dice: random.Random, rows: int) -> Iterator[None]:
        """Within, rows come, change, move from one source table to another in one transaction, and go."""
        stop = threading.Event()
        failed: list[pymysql.err.MySQLError] = []

        def work() -> None:
            try:
                where = {4 * row + number: number for row in range(rows) for number in range(4)}
                with self.arena.source.connect(autocommit=False) as connection, connection.cursor() as cursor:
                    while not stop.is_set():
                        for statement in _transaction(dice, where):
                            cursor.execute(statement)
                        connection.commit()
                        stop.wait(0.004)
            except pymysql.err.MySQLError as error:
                failed.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
        assert not failed, failed

    def notes(self, id_: int) -> list[str]:
        """What the shards hold of a note."""
        return [
            note
            for shard in SHARDS
            for suffix in NOTE_SUFFIXES
            for (note,) in self.arena.placement[shard].query(
                f"SELECT note FROM {shard}.notes{suffix} WHERE id = %s", (id_,)
            )
        ]

    def require_refusal(self, saying: str) -> None:
        self.job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", expect=6)
        log = self.job.end_of_log()
        assert "SW6004" in log, log
        assert saying in log, log

    def require_equal(self) -> None:
        with ExitStack() as stack:
            source = stack.enter_context(self.arena.source.connect("mall_0"))
            shards = {name: stack.enter_context(self.arena.shard(name)) for name in SHARDS}
            differences = compare(source, TABLES, shards)
            assert count(source, TABLES[0]) > 0
        assert not differences, "\n".join(differences)


def _transaction(dice: random.Random, where: dict[int, int]) -> list[str]:
    """Changes of one or two rows; `where` says in which source table each order stands, and is kept up to date."""
    orders = TABLES[0].sources
    id_ = dice.choice(list(where))
    name = orders[where[id_]]
    match dice.randrange(5):
        case 0:
            new = max(where) + 1
            where[new] = dice.randrange(4)
            return [f"INSERT INTO {orders[where[new]]} VALUES ({new}, {dice.randrange(97)}, 'new')"]
        case 1:
            return [f"UPDATE {name} SET user_id = {dice.randrange(97)}, note = 'moved' WHERE id = {id_}"]
        case 2:
            del where[id_]
            return [f"DELETE FROM {name} WHERE id = {id_}"]
        case 3:
            where[id_] = dice.randrange(4)
            there = f"INSERT INTO {orders[where[id_]]} VALUES ({id_}, {dice.randrange(97)}, 'over')"
            gone = f"DELETE FROM {name} WHERE id = {id_}"
            return [gone, there] if orders[where[id_]] == name or dice.random() < 0.5 else [there, gone]
        case _:
            notes = TABLES[1].sources
            return [
                f"UPDATE {notes[id_ % 4]} SET note = CONCAT('note ', id, ' ', {dice.randrange(9)}) WHERE id = {id_}"
            ]


@pytest.fixture
def mall(arena: Arena, tmp_path: Path) -> Mall:
    return Mall(arena, tmp_path)


def test_two_by_two_to_three_by_two_under_writes(mall: Mall, dice: random.Random) -> None:
    mall.fill(400)
    with mall.write_to(dice, 400):
        with mall.job.run() as process:
            wait_for(
                mall.job, process, "the snapshot is complete", lambda reported: bool(reported["snapshot_complete"])
            )
        before = status(mall.job)
        assert before is not None
        with mall.job.run() as process:  # and again, from the ledgers
            wait_for(mall.job, process, "it goes on", lambda reported: bool(reported["batch"] > before["batch"]))
    mall.job.run_until_caught_up()
    mall.require_equal()
    said = mall.job.call("verify", "--env", ENVIRONMENT)
    assert "equal" in said


def test_b11_a_key_in_two_source_tables_stops_the_run_and_overwrites_nothing(mall: Mall) -> None:
    """The notes' key places them, so the two rows meet in one physical table: the copy notices, and so does the
    stream."""
    mall.fill(10)
    source = mall.arena.source
    source.query("INSERT INTO mall_1.notes_0 VALUES (4, 'the other one')")
    mall.require_refusal("key (4) is in both mall_0.notes_0 and mall_1.notes_0")
    source.query("DELETE FROM mall_1.notes_0 WHERE id = 4")
    mall.job.run_until_caught_up()
    source.query("INSERT INTO mall_1.notes_1 VALUES (8, 'the other one')")
    mall.require_refusal("key (8) is in both mall_0.notes_0 and mall_1.notes_1")
    assert mall.notes(8) == ["note 8"]
    source.query("DELETE FROM mall_0.notes_0 WHERE id = 8")
    mall.job.run_until_caught_up()
    assert mall.notes(8) == ["the other one"]
    mall.require_equal()
