"""The source's primary dies with transactions that no replica has, and that the targets have already (E5): the rows
they changed are read again by key from the replica that takes over, in one batch with what it has done since.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from shardwright.runtime.failpoints import VARIABLE
from tests.e2e.test_failover import replica
from tests.e2e.town import DATABASES, PEOPLE, town_job
from tests.servers.testbed import Arena
from tests.support.commands import wait_for
from tests.support.job import Job, kill_tree
from tests.support.replicas import Node
from tests.support.waiting import wait_until

__all__ = ["replica"]
pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]
ROWS = 40
SCHEMA = (
    PEOPLE,
    """CREATE TABLE seats (
  id INT NOT NULL PRIMARY KEY,
  owner INT NOT NULL,
  code VARCHAR(40) NOT NULL,
  v BIGINT NOT NULL,
  UNIQUE KEY code (code, owner)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
""",
    """CREATE TABLE kinds (
  id INT NOT NULL PRIMARY KEY,
  name VARCHAR(40) NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
""",
)
SPEC_TABLES = (
    "{table: people, sharding: by_owner, where: \"note <> 'hidden'\"}",
    "{table: seats, sharding: by_owner, version_column: v}",
    "{table: kinds, sharding: broadcast}",
)
LOST = (
    "INSERT INTO people VALUES (900, 1, 'lost'), (901, 2, 'lost')",
    "UPDATE people SET note = 'lost' WHERE id BETWEEN 1 AND 5",
    "DELETE FROM people WHERE id = 6",
    "UPDATE people SET owner = owner + 1 WHERE id IN (7, 8, 9, 10)",
    "UPDATE people SET id = 911 WHERE id = 11",
    "UPDATE people SET note = IF(note = 'hidden', 'shown', 'hidden') WHERE id IN (12, 13)",
    "UPDATE kinds SET name = 'lost' WHERE id = 1",
    "DELETE FROM kinds WHERE id = 2",
    "INSERT INTO kinds VALUES (4, 'lost')",
    "UPDATE seats SET code = 'x1', v = v + 10 WHERE id = 1",
    "UPDATE seats SET code = 'x', v = v + 1 WHERE id = 2",
    "UPDATE seats SET code = 'c2', v = v + 1, owner = 2 WHERE id = 3",
    "UPDATE seats SET code = 'c3', v = v + 1, owner = 3 WHERE id = 2",
    "INSERT INTO seats VALUES (50, 5, 'new', 1)",
    "DELETE FROM seats WHERE id = 4",
)
MEANWHILE = (
    "INSERT INTO seats VALUES (60, 5, 'new', 1)",
    "UPDATE seats SET code = 'y1', v = v + 1 WHERE id = 1",
    "INSERT INTO seats VALUES (70, 1, 'x1', 1)",
    "INSERT INTO people VALUES (900, 3, 'other')",
    "UPDATE people SET note = 'kept' WHERE id IN (2, 20)",
    "DELETE FROM people WHERE id = 3",
)
KILLED_AT = ("after-open-batch", "before-mark-staged", "after-mark-staged", "before-close-batch")
DIED_AT = frozenset({"after-lost-rows-read"})


@pytest.fixture
def job(arena: Arena, replica: Node, tmp_path: Path) -> Job:
    made = town_job(arena, tmp_path, SPEC_TABLES, schema=SCHEMA, failover={"wait": "1s"})
    with closing(arena.source.connect("town")) as connection, connection.cursor() as cursor:
        cursor.executemany("INSERT INTO people VALUES (%s, %s, 'first')", [(n, n % 7) for n in range(ROWS)])
        cursor.execute("UPDATE people SET note = 'hidden' WHERE id = 13")
        cursor.executemany("INSERT INTO kinds VALUES (%s, 'first')", [(n,) for n in (1, 2, 3)])
        cursor.executemany("INSERT INTO seats VALUES (%s, %s, %s, 5)", [(n, n % 7, f"c{n}") for n in range(ROWS)])
    return made


@pytest.mark.long
def test_e5_what_is_lost_with_the_primary_is_read_again_by_key(
    arena: Arena,
    replica: Node,
    job: Job,
) -> None:
    process = job.start_run()
    try:
        _lose(arena, replica, job, process)
        _take_over(arena, replica)
        _until_equal(arena, replica, job, process)
        replica.run("USE town", "UPDATE seats SET v = v + 1, code = CONCAT(code, '!') WHERE id < 5")
        _until_equal(arena, replica, job, process)
    finally:
        kill_tree(process)
    lost, moved, read = (detail for _what, detail in _audit(arena))
    assert "count as lost with server" in lost
    assert "as where batch" in moved
    assert "gone" in read


@pytest.mark.long
def test_a1_e5_killed_while_lost_rows_are_read_again(arena: Arena, replica: Node, job: Job) -> None:
    process = job.start_run()
    try:
        _lose(arena, replica, job, process)
    finally:
        kill_tree(process)
    _take_over(arena, replica)
    for name in (*DIED_AT, *KILLED_AT):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, f"{name}=kill")
            process = job.start_run()
        assert process.wait(timeout=200) != 0
        kill_tree(process)
        replica.run("USE town", f"UPDATE people SET note = '{name}' WHERE id IN (1, 20)")
    job.run_until_caught_up()
    assert _targets(arena) == _source(replica)


@pytest.mark.long
def test_a1_e5_rows_that_a_killed_batch_placed_and_the_new_server_never_had(
    arena: Arena, replica: Node, job: Job
) -> None:
    """New rows go in place while their batch is staged. It ends there, and so does the server that had them."""
    process = job.start_run()
    try:
        wait_for(job, process, "the copy is complete", lambda reported: bool(reported["snapshot_complete"]))
        _until(lambda: _source(replica) == _rows(arena), job, process)
        _until(lambda: _targets(arena) == _rows(arena), job, process)
    finally:
        kill_tree(process)
    replica.stop_copying()
    arena.source.query("INSERT INTO town.people SELECT id + 900, owner, 'lost' FROM town.people")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, "before-mark-staged=kill")
        process = job.start_run()
    assert process.wait(timeout=200) != 0
    kill_tree(process)
    assert any(row[2] == "lost" for row in _targets(arena)["people"]), "nothing went in place"
    _kill_primary(arena)
    _take_over(arena, replica)
    job.run_until_caught_up()
    assert _targets(arena) == _source(replica)
    assert any("keys that batches from" in detail for _what, detail in _audit(arena))


@pytest.mark.long
def test_c2_e5_a_version_that_went_back_is_not_taken_for_somebody_elses(arena: Arena, replica: Node, job: Job) -> None:
    """In the new server's log a stretch begins with a transaction of its own, so that all behind it is read again, of
    which a part was applied: of a row the newer version, which the rest takes back."""
    process = job.start_run()
    try:
        wait_for(job, process, "the copy is complete", lambda reported: bool(reported["snapshot_complete"]))
        _until(lambda: _source(replica) == _rows(arena), job, process)
        replica.run("USE town", "UPDATE people SET note = 'errant' WHERE id = 30")
        arena.source.query("UPDATE town.seats SET v = 9 WHERE id IN (1, 2)")
        _until(lambda: _targets(arena) == _rows(arena), job, process)
    finally:
        kill_tree(process)
    # Somebody writes on the target itself: that row is newer than the source's, and stays.
    for database in DATABASES:
        for suffix in ("_0", "_1"):
            arena.placement[database].query(
                f"UPDATE seats{suffix} SET v = 30, code = 'own' WHERE id = 2", database=database
            )
    arena.source.query("UPDATE town.seats SET v = 6, code = 'back' WHERE id IN (1, 2)")
    _until(lambda: _source(replica)["seats"] == _rows(arena)["seats"], job)
    _kill_primary(arena)
    _take_over(arena, replica)
    job.run_until_caught_up()
    wanted = _source(replica)
    wanted["seats"] = sorted(row if row[0] != 2 else (2, 2, "own", 30) for row in wanted["seats"])
    assert _targets(arena) == wanted


def _lose(arena: Arena, other: Node, job: Job, process: subprocess.Popen[bytes]) -> None:
    """The primary dies when the targets have what its replica does not."""
    wait_for(job, process, "the copy is complete", lambda reported: bool(reported["snapshot_complete"]))
    with closing(arena.source.connect("town")) as connection, connection.cursor() as cursor:
        cursor.execute("UPDATE people SET note = 'both' WHERE id = 30")
        _until(lambda: _targets(arena) == _rows(arena), job, process)
        _until(lambda: _source(other) == _rows(arena), job, process)
        other.stop_copying()
        for statement in LOST:
            cursor.execute(statement)
    _until(lambda: _targets(arena) == _rows(arena), job, process)
    _kill_primary(arena)


def _kill_primary(arena: Arena) -> None:
    assert arena.source.sandbox.pid is not None
    os.kill(arena.source.sandbox.pid, signal.SIGKILL)


def _take_over(arena: Arena, other: Node) -> None:
    other.run("USE town", *MEANWHILE)
    other.stop()
    other.start(port=arena.source.port)


def _until_equal(arena: Arena, other: Node, job: Job, process: subprocess.Popen[bytes]) -> None:
    _until(lambda: _targets(arena) == _source(other), job, process)


def _until(holds: Callable[[], bool], job: Job, process: subprocess.Popen[bytes] | None = None) -> None:
    wait_until("it is so", holds, run=process, show=job.end_of_log, pause=0.2)


Rows = dict[str, list[tuple[object, ...]]]
FOLLOWED = {
    "people": "SELECT * FROM {} WHERE note <> 'hidden'",
    "seats": "SELECT * FROM {}",
    "kinds": "SELECT * FROM {}",
}
"""Each table's rows that are to stand on the targets."""


def _rows(arena: Arena) -> Rows:
    return {name: sorted(arena.source.query(sql.format(f"town.{name}"))) for name, sql in FOLLOWED.items()}


def _source(node: Node) -> Rows:
    return {name: sorted(node.run(sql.format(f"town.{name}"))) for name, sql in FOLLOWED.items()}


def _targets(arena: Arena) -> Rows:
    """All rows of all physical tables; of `kinds` those of one database, which all must have."""

    def found(table: str, *databases: str) -> list[tuple[object, ...]]:
        asked = (arena.placement[database].query(f"SELECT * FROM {table}", database=database) for database in databases)
        return sorted(row for rows in asked for row in rows)

    kinds = [found("kinds", database) for database in DATABASES]
    split = {
        name: sorted(found(f"{name}_0", *DATABASES) + found(f"{name}_1", *DATABASES)) for name in ("people", "seats")
    }
    return {**split, "kinds": kinds[0] if kinds[0] == kinds[1] else [("differ", *kinds)]}


def _audit(arena: Arena) -> list[tuple[str, str]]:
    sql = "SELECT what, detail FROM _shardwright_audit WHERE what IN ('source changed', 'rows read again') ORDER BY id"
    return [
        (str(what), str(detail)) for what, detail in arena.placement[DATABASES[0]].query(sql, database=DATABASES[0])
    ]
