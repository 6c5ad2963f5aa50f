"""Chunks that are read from a replica of the source: one that lags holds up the copy's beginning, one that stands still
holds up the copy (G7), and nothing is lost by its lag later.
"""

from __future__ import annotations

import json
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest
import yaml

from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from shardwright.runtime.run.throttle.throttler import EVERY_SECONDS
from tests.servers.testbed import Arena, Server
from tests.snapshot.given import PEOPLE, PEOPLE_SPEC, make_project
from tests.support.job import ENVIRONMENT, SMALL_SPARK, Job
from tests.support.replicas import Node, replica_of
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.server, pytest.mark.spark]

ROWS = 3_000
_COUNTS = {
    "mariadb": "SELECT rows_sent FROM information_schema.user_statistics WHERE user = %s",
    "mysql": "SELECT SUM(sum_rows_sent) FROM performance_schema.events_statements_summary_by_user_by_event_name WHERE user = %s",
}
"""How many rows a server has sent to an account, as it has counted by itself."""


@pytest.mark.in_turn
def test_b1_b2_g7_a_replica_that_lags_is_waited_for_and_loses_nothing(arena: Arena, tmp_path: Path) -> None:
    source = arena.source
    project = make_project(tmp_path, PEOPLE_SPEC.format(migration="from-replica", dialect=source.sandbox.kind), PEOPLE)
    options = {"read-only": "1", **({"log-replica-updates": "1"} if source.sandbox.kind == "mysql" else {})}
    with replica_of(source, tmp_path / "replica", 9, options) as replica:
        settings = {
            **SMALL_SPARK,
            "snapshot": {"chunk_rows": 200, "parallel": 1},
            "throttle": {"source_replicas": ["behind"], "max_lag": "1h"},
        }
        job = Job(arena, project, tmp_path, settings=settings)
        source.run_script(PEOPLE, database="shop")
        rows = ", ".join(f"({number}, {number}, 'old')" for number in range(ROWS))
        source.query(f"INSERT INTO people VALUES {rows}", database="shop")
        _read_from(job, replica.server.port)
        job.call("compile")
        while not replica.run("SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'people'")[0][0]:
            time.sleep(0.05)
        replica.stop_copying()
        source.query("UPDATE people SET name = 'before the start' WHERE id % 10 = 0", database="shop")
        before = [_count(source), _count(replica)]
        with job.run() as process, closing(replica.server.connect()) as locking, locking.cursor() as lock:
            _wait_for_words(job, process, "the copy waits for replica")
            assert job.call("status", "--env", ENVIRONMENT)
            assert _ask(arena, "SELECT COUNT(*) FROM _shardwright_chunk") == 0, "nothing may be read before"
            _copy_what_is_there_now(source, replica)
            _wait_for_words(job, process, "copying pauses: replica behind gives no reading (it does not copy now)")
            assert "replica, it does not copy now: copying pauses" in job.call("status", "--env", ENVIRONMENT)
            lock.execute("LOCK TABLES shop.people READ")  # what follows the copy never sees
            source.query("DELETE FROM people WHERE id % 7 = 0", database="shop")
            source.query("UPDATE people SET owner = owner + 1 WHERE id % 5 = 0", database="shop")
            source.query("INSERT INTO people VALUES (100000, 1, 'new')", database="shop")
            time.sleep(EVERY_SECONDS)
            assert _ask(arena, "SELECT COUNT(*) FROM _shardwright_chunk WHERE state = 'done'") == 0
            replica.start_copying()
            _wait_for_words(job, process, "replica behind has caught up")
            _wait_for_words(job, process, "caught up with the source")
        at_source, at_replica = _count(source) - before[0], _count(replica) - before[1]
        assert at_replica >= ROWS > 2 * at_source, (at_source, at_replica)
        assert _ask(arena, "SELECT SUM(rows_read) FROM _shardwright_chunk") == ROWS, "the replica's rows had changed"
        expected = sorted(source.query("SELECT id, owner, name FROM people", database="shop"))
        found = []
        for number, database in enumerate(("people_0", "people_1")):
            with arena.shard(database) as shard, shard.cursor() as cursor:
                for part in range(2):
                    cursor.execute(f"SELECT id, owner, name FROM people_{part}")
                    rows = list(cursor.fetchall())
                    assert all(row[1] % 2 == number and row[1] // 2 % 2 == part for row in rows)
                    found += rows
        assert sorted(found) == expected


def _copy_what_is_there_now(source: Server, replica: Node) -> None:
    """The replica gets what the source has now, and then stands still again."""
    if replica.is_mysql:
        ((gtids,),) = source.query("SELECT @@GLOBAL.gtid_executed")
        replica.run(f"START REPLICA UNTIL SQL_AFTER_GTIDS = '{gtids}'")
    else:
        ((gtids,),) = source.query("SELECT @@GLOBAL.gtid_binlog_pos")
        replica.run(f"START SLAVE UNTIL master_gtid_pos = '{gtids}'")


def _count(server: Server | Node) -> int:
    """Rows that the server has sent to our account. MariaDB counts from the first question on."""
    sandbox = server.sandbox if isinstance(server, Server) else server.server
    with sandbox.connect() as connection, connection.cursor() as cursor:
        if sandbox.kind == "mariadb":
            cursor.execute("SET GLOBAL userstat = 1")
        cursor.execute(_COUNTS[sandbox.kind], (RUNTIME_USER,))
        row = cursor.fetchone()
    return int(row[0] or 0) if row else 0


def _ask(arena: Arena, sql: str) -> int:
    with arena.shard("people_0") as shard, shard.cursor() as cursor:
        cursor.execute(sql)
        ((found,),) = cursor.fetchall()
    return int(found)


def _read_from(job: Job, port: int) -> None:
    file = job.project / "environments" / f"{ENVIRONMENT}.yaml"
    environment = yaml.safe_load(file.read_text(encoding="utf-8"))
    environment["servers"]["behind"] = {**json.loads(json.dumps(environment["source"])), "port": port}
    environment["snapshot"]["read_from"] = {"source": "behind"}
    file.write_text(yaml.safe_dump(environment), encoding="utf-8")


def _wait_for_words(job: Job, process: subprocess.Popen[bytes], words: str) -> None:
    wait_until(
        "the run says so", lambda: words in job.log.read_text(encoding="utf-8"), run=process, show=job.end_of_log
    )
