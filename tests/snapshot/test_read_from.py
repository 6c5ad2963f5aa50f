"""Chunks that are read from a replica of the source: one that lags holds up the copy's beginning, and nothing is lost
by its lag later.
"""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest
import yaml

from tests.binlog.replicas import replica_of
from tests.servers.testbed import Arena
from tests.workload.job import ENVIRONMENT, SMALL_SPARK, Job

pytestmark = [pytest.mark.server, pytest.mark.spark]

SPEC = """
version: 1
migration: from-replica
source: {dialect: DIALECT, databases: [shop], schema: schema/shop.sql}
target: {databases: "people_{0..1}", tables_suffix: "_{0..1}"}
sharding: {by_owner: {shard_key: [owner], database: owner % 2, table: (owner div 2) % 2}}
tables: [{table: people, sharding: by_owner}]
ddl: ddl/
"""
SCHEMA = "CREATE TABLE people (id INT PRIMARY KEY, owner INT UNSIGNED NOT NULL, name VARCHAR(20) NOT NULL) CHARSET=utf8mb4 COLLATE=utf8mb4_bin;"


def test_b1_b2_a_replica_that_lags_is_waited_for_and_loses_nothing(arena: Arena, tmp_path: Path) -> None:
    source = arena.source
    project = tmp_path / "given"
    for name, text in (
        ("specs/people.yaml", SPEC.replace("DIALECT", source.sandbox.kind)),
        ("schema/shop.sql", SCHEMA),
    ):
        (project / name).parent.mkdir(parents=True)
        (project / name).write_text(text, encoding="utf-8")
    (project / "ddl").mkdir()
    options = {"read-only": "1", **({"log-replica-updates": "1"} if source.sandbox.kind == "mysql" else {})}
    with replica_of(source, tmp_path / "replica", 9, options) as replica:
        job = Job(arena, project, tmp_path, settings={**SMALL_SPARK, "snapshot": {"chunk_rows": 200, "parallel": 1}})
        source.run_script(SCHEMA, database="shop")
        source.query("INSERT INTO people SELECT seq, seq, 'old' FROM seq_1_to_3000" if source.sandbox.kind == "mariadb" else
                     "INSERT INTO people WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < 999) "
                     "SELECT n, n, 'old' FROM c", database="shop")  # fmt: skip
        _read_from(job, replica.server.port)
        job.call("compile")
        while not replica.run("SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'people'")[0][0]:
            time.sleep(0.05)
        replica.stop_copying()
        source.query("UPDATE people SET name = 'before the start' WHERE id % 10 = 0", database="shop")
        with job.running() as process:
            _wait_for_words(job, process, "the copy waits for replica")
            assert job.call("status", "--env", ENVIRONMENT)
            with arena.shard("people_0") as shard, shard.cursor() as cursor:
                cursor.execute("SELECT COUNT(*) FROM _shardwright_chunk")
                assert cursor.fetchone() == (0,), "nothing may be read before"
            replica.start_copying()
            _wait_for_words(job, process, "people chunk")
            replica.stop_copying()  # what follows the copy never sees
            source.query("DELETE FROM people WHERE id % 7 = 0", database="shop")
            source.query("UPDATE people SET owner = owner + 1 WHERE id % 5 = 0", database="shop")
            source.query("INSERT INTO people VALUES (100000, 1, 'new')", database="shop")
            _wait_for_words(job, process, "caught up with the source")
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


def _read_from(job: Job, port: int) -> None:
    file = job.project / "environments" / f"{ENVIRONMENT}.yaml"
    environment = yaml.safe_load(file.read_text(encoding="utf-8"))
    environment["servers"]["behind"] = {**json.loads(json.dumps(environment["source"])), "port": port}
    environment["snapshot"]["read_from"] = {"source": "behind"}
    file.write_text(yaml.safe_dump(environment), encoding="utf-8")


def _wait_for_words(job: Job, process: subprocess.Popen[bytes], words: str) -> None:
    end = time.monotonic() + 300
    while words not in job.log.read_text(encoding="utf-8"):
        assert process.poll() is None and time.monotonic() < end, job.end_of_log()
        time.sleep(0.1)
