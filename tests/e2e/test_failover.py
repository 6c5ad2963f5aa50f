"""The source's primary dies in the middle of a run, and its replica takes over (E5): nothing lost, nothing twice, and
a line in the audit. On MariaDB; with SHARDWRIGHT_SERVER naming a mysqld on MySQL.
"""

from __future__ import annotations

import os
import random
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cutover.proof import record_equal, why_void
from tests.e2e.town import DATABASES, town_job
from tests.servers.fixtures import FAST
from tests.servers.testbed import Arena
from tests.support.commands import wait_for
from tests.support.job import ENVIRONMENT, Job, kill_tree
from tests.support.replicas import Node, replica_of
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]
ROWS = 3_000
_LOGGED = {"log-slave-updates": "ON", "slave-net-timeout": "5", **FAST}


@pytest.fixture
def replica(arena: Arena, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """Copies all that the source does from now on, accounts too."""
    with replica_of(arena.source, tmp_path_factory.mktemp("replica"), 207, _LOGGED) as node:
        yield node


@pytest.fixture
def job(arena: Arena, replica: Node, tmp_path: Path) -> Job:
    made = town_job(
        arena, tmp_path, ["{table: people, sharding: by_owner}"], snapshot={"chunk_rows": 300, "parallel": 2}
    )
    with closing(arena.source.connect("town")) as connection, connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO people VALUES (%s, %s, 'first')", [(number, number % 97) for number in range(ROWS)]
        )
    return made


def _change(cursor: object, dice: random.Random) -> None:
    number, owner = dice.randrange(ROWS + 500), dice.randrange(97)
    cursor.execute(  # type: ignore[attr-defined]
        dice.choice(
            (
                f"INSERT INTO people VALUES ({number}, {owner}, 'new') ON DUPLICATE KEY UPDATE note = 'again'",
                f"UPDATE people SET owner = {owner} WHERE id = {number}",
                f"UPDATE people SET note = CONCAT('n', {owner}) WHERE id BETWEEN {number} AND {number} + 5",
                f"DELETE FROM people WHERE id = {number}",
            )
        )
    )


@contextmanager
def write(server: object, dice: random.Random) -> Iterator[None]:
    """An application that goes on writing until the end."""
    ended = threading.Event()

    def write() -> None:
        with closing(server.connect("town")) as connection, connection.cursor() as cursor:  # type: ignore[attr-defined]
            while not ended.wait(0.01):
                _change(cursor, dice)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(timeout=30)


@pytest.mark.in_turn
def test_e5_a_run_goes_over_to_the_replica_by_itself(
    arena: Arena, replica: Node, job: Job, dice: random.Random
) -> None:
    process = job.start_run()
    try:
        with write(arena.source, dice):
            wait_for(job, process, "the copy is complete", lambda reported: bool(reported["snapshot_complete"]))
        _wait_for_replica(arena, replica)
        with arena.shard(DATABASES[0]) as control:
            record_equal(control, "town-split")
        _kill_primary(arena)
        replica.stop_copying()
        replica.stop()
        replica.start(port=arena.source.port)  # the address goes over, as a virtual one does
        with write(replica.server, dice):
            time.sleep(1)
        wait_until(
            "the shards are equal",
            lambda: rows_of(arena) == sorted(replica.run("SELECT id, owner, note FROM town.people")),
            run=process,
            show=job.end_of_log,
            pause=0.3,
        )
    finally:
        kill_tree(process)
    _require_audited(arena)
    with arena.shard(DATABASES[0]) as control:
        assert "the source has another server" in why_void(control, "town-split"), "a replica may have drifted"


@pytest.mark.long
def test_e5_run_and_primary_die_while_copying(arena: Arena, replica: Node, job: Job, dice: random.Random) -> None:
    process = job.start_run()
    try:
        with write(arena.source, dice):
            wait_for(job, process, "some chunks are copied", lambda reported: reported["tables"][0]["chunks_done"] > 1)
        _wait_for_replica(arena, replica)
    finally:
        kill_tree(process)
    _kill_primary(arena)
    ((snapshot_end,),) = _ask(arena, "SELECT snapshot_end FROM _shardwright_migration")
    assert snapshot_end is None
    replica.stop_copying()
    _point_at(job, replica.server.port)
    with write(replica.server, dice):
        time.sleep(1)
        job.run_until_caught_up()
    job.run_until_caught_up()
    assert rows_of(arena) == sorted(replica.run("SELECT id, owner, note FROM town.people"))
    _require_audited(arena)


@pytest.mark.in_turn
def test_n25_n26_what_a_server_wrote_for_itself_is_not_missed_and_its_own_rows_are(
    arena: Arena, replica: Node, job: Job
) -> None:
    """A replica is followed that has heartbeats of its own, and later a row of its own. The primary has neither."""
    primary_port, result = arena.source.port, job.project / "RESULT"
    replica.run("SET sql_log_bin = 0", "CREATE DATABASE mon", "CREATE TABLE mon.heartbeat (id INT PRIMARY KEY, n INT)")
    _wait_for_replica(arena, replica)
    _point_at(job, replica.server.port, reread_rows=0)
    job.run_until_caught_up()
    for number in range(3):
        _beat(replica)
        arena.source.query(f"UPDATE people SET note = 'beat {number}' WHERE id = {number}", database="town")
        _wait_for_replica(arena, replica)
        job.run_until_caught_up()
    _beat(replica)
    job.run_until_caught_up()
    _point_at(job, primary_port, reread_rows=0)
    job.run_until_caught_up()
    assert "which changed no followed table" in job.end_of_log()
    assert rows_of(arena) == sorted(arena.source.query("SELECT id, owner, note FROM town.people"))

    _point_at(job, replica.server.port, reread_rows=0)
    job.run_until_caught_up()
    replica.run("UPDATE town.people SET note = 'nobody has it' WHERE id = 9", "DELETE FROM town.people WHERE id = 10")
    _beat(replica)
    arena.source.query("UPDATE people SET note = 'last' WHERE id = 3", database="town")
    last = "SELECT note FROM town.people WHERE id = 3"
    wait_until("the replica has the last change", lambda: replica.run(last) == [("last",)])
    job.run_until_caught_up()
    _point_at(job, primary_port, reread_rows=0)
    job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", expect=6)
    said = job.end_of_log()
    assert "SW8134" in said and "start the migration over" not in said
    (allowed,) = set(re.findall(r"shardwright run (--allow \S+)$", said, re.MULTILINE))
    job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", *allowed.split())
    job.call("verify", "--env", ENVIRONMENT, "--report", f"json={result}", expect=1)
    job.call("repair", str(result), "--delete-extra", "--run", "--env", ENVIRONMENT)
    job.call("verify", "--env", ENVIRONMENT)
    assert rows_of(arena) == sorted(arena.source.query("SELECT id, owner, note FROM town.people"))


def _beat(node: Node) -> None:
    for number in range(5):
        node.run(f"REPLACE INTO mon.heartbeat VALUES (1, {number})")


def _kill_primary(arena: Arena) -> None:
    assert arena.source.sandbox.pid is not None
    os.kill(arena.source.sandbox.pid, signal.SIGKILL)


def _require_audited(arena: Arena) -> None:
    (line,) = _ask(arena, "SELECT detail FROM _shardwright_audit WHERE what = 'source changed'")
    assert "found by GTID" in line[0]


def _ask(arena: Arena, sql: str) -> list[tuple[Any, ...]]:
    return arena.placement[DATABASES[0]].query(sql, database=DATABASES[0])


def rows_of(arena: Arena) -> list[tuple[object, ...]]:
    return sorted(
        row
        for database in DATABASES
        for suffix in ("_0", "_1")
        for row in arena.placement[database].query(f"SELECT id, owner, note FROM people{suffix}", database=database)
    )


def _wait_for_replica(arena: Arena, replica: Node) -> None:
    wanted = sorted(arena.source.query("SELECT id, owner, note FROM town.people"))
    rows = "SELECT id, owner, note FROM town.people"
    wait_until("the replica has all rows", lambda: sorted(replica.run(rows)) == wanted)


def _point_at(job: Job, port: int, **failover: int) -> None:
    file = job.project / "environments" / f"{ENVIRONMENT}.yaml"
    environment = yaml.safe_load(file.read_text(encoding="utf-8"))
    environment["source"]["port"] = port
    if failover:
        environment["failover"] = {"wait": "1s", **failover}
    file.write_text(yaml.safe_dump(environment), encoding="utf-8")
