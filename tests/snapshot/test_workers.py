"""The processes in which Spark's tasks run Python: chunks whose places the source's server computes are copied by the
same few, one after the other.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.workload.job import ENVIRONMENT, SMALL_SPARK, Job, kill_tree, session_members

pytestmark = [pytest.mark.server, pytest.mark.spark]

SPEC = """
version: 1
migration: by-the-same-workers
source: {dialect: DIALECT, databases: [shop], schema: schema/shop.sql}
target: {databases: "people_{0..1}", tables_suffix: "_{0..1}"}
sharding: {by_owner: {shard_key: [owner], database: owner % 2, table: (owner div 2) % 2}}
tables: [{table: people, sharding: by_owner}]
ddl: ddl/
"""
SCHEMA = "CREATE TABLE people (id INT PRIMARY KEY, owner INT UNSIGNED NOT NULL, name VARCHAR(20) NOT NULL) CHARSET=utf8mb4 COLLATE=utf8mb4_bin;"
CHUNKS = 60


def test_chunks_are_copied_by_the_same_workers(arena: Arena, tmp_path: Path) -> None:
    """Spark ends a worker whose task leaves input unread, and forks another one for the next chunk."""
    source, project = arena.source, tmp_path / "given"
    for name, text in (
        ("specs/people.yaml", SPEC.replace("DIALECT", source.sandbox.kind)),
        ("schema/shop.sql", SCHEMA),
    ):
        (project / name).parent.mkdir(parents=True)
        (project / name).write_text(text, encoding="utf-8")
    (project / "ddl").mkdir()
    settings = {**SMALL_SPARK, "snapshot": {"chunk_rows": 50, "parallel": 1}}
    job = Job(arena, project, tmp_path, settings=settings)
    source.run_script(SCHEMA, database="shop")
    rows = ", ".join(f"({number}, {number}, 'name')" for number in range(50 * CHUNKS))
    source.query(f"INSERT INTO people VALUES {rows}", database="shop")
    job.call("compile")
    with job.log.open("ab") as log:
        command = job.command("run", "--env", ENVIRONMENT, "--until", "snapshot")
        run = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
    try:
        seen: set[int] = set()
        while run.poll() is None:
            seen |= workers(run.pid)
            time.sleep(0.002)
    finally:
        kill_tree(run)
    assert run.returncode == 0, job.end_of_log()
    done = "SELECT COUNT(DISTINCT chunk), SUM(rows_read) FROM _shardwright_chunk_done"
    counted = [arena.targets[shard].query(done, database=f"people_{shard}")[0] for shard in range(2)]
    assert [int(chunks) for chunks, _ in counted] == [CHUNKS, CHUNKS]
    assert sum(int(rows) for _, rows in counted) == 50 * CHUNKS
    assert 0 < len(seen) < CHUNKS // 4, f"{len(seen)} workers for {CHUNKS} chunks"


def workers(session: int) -> set[int]:
    """What the process has forked that imports for Python's workers: they have its command line."""
    members = session_members(session)
    commands = {pid: _command(pid) for pid in members}
    return {pid for pid, parent in members.items() if "worker_daemon" in commands[pid] & commands.get(parent, set())}


def _command(pid: int) -> set[str]:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
    except OSError:
        return set()
    return {word.rpartition(".")[2] for word in words}
