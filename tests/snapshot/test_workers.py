"""The processes in which Spark's tasks run Python: chunks whose places the source's server computes are copied by the
same few, one after the other.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.snapshot.given import PEOPLE, PEOPLE_SPEC, make_project
from tests.support.job import SMALL_SPARK, Job, kill_tree, session_members

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.cold]

CHUNKS = 60


@pytest.mark.in_turn
def test_chunks_are_copied_by_the_same_workers(arena: Arena, tmp_path: Path) -> None:
    """Spark ends a worker whose task leaves input unread, and forks another one for the next chunk."""
    source = arena.source
    project = make_project(
        tmp_path, PEOPLE_SPEC.format(migration="by-the-same-workers", dialect=source.sandbox.kind), PEOPLE
    )
    settings = {**SMALL_SPARK, "snapshot": {"chunk_rows": 50, "parallel": 1}}
    job = Job(arena, project, tmp_path, settings=settings)
    source.run_script(PEOPLE, database="shop")
    rows = ", ".join(f"({number}, {number}, 'name')" for number in range(50 * CHUNKS))
    source.query(f"INSERT INTO people VALUES {rows}", database="shop")
    job.call("compile")
    run = job.start_run(until="snapshot")
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
