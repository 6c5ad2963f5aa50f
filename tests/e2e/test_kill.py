"""The whole process tree is killed again and again at random moments of the workload (A1, A2, B3): nothing is lost,
nothing stands twice (C1), no start from within a transaction (C3), and no killed run writes beside the next one
(C11).
"""

from __future__ import annotations

import os
import random
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.shop_judge import observe, require_equal
from tests.servers.testbed import Arena
from tests.support.commands import SMALL_CHUNKS, status, wait_for, wait_until_begun
from tests.support.job import SMALL_SPARK, USERS_SPARK, Job, kill_tree
from tests.support.waiting import wait_until
from tests.workload.shop import PROJECT, count_writes, fill_shop, write

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow, pytest.mark.cold]

KILLS = int(os.environ.get("SHARDWRIGHT_TEST_KILLS", "2"))
ORDERS = 5_000
SPARK = USERS_SPARK if "SHARDWRIGHT_TEST_KILLS" in os.environ else SMALL_SPARK
"""To generate code takes as long as all the rest: only in `make test-all`."""
AT_WORK = ("chunk=", "stream batch=")
"""What a run's lines hold once it is past its start."""


def test_a1_a2_b3_j4_killed_at_random_moments(arena: Arena, tmp_path: Path, seed: int, dice: random.Random) -> None:
    job = Job(arena, PROJECT, tmp_path, settings={**SMALL_CHUNKS, **SPARK})
    fill_shop(arena, orders=ORDERS)
    job.call("compile")
    with write(arena, seed=seed, rate=15.0, writers=2) as applications:
        with job.run() as run:
            wait_until_begun(job, run)
        # A killed run leaves a moving row in two shards until the next one is at work: that is not at rest.
        # Two runs in a row may die before they are, each after a start that takes a slow machine minutes.
        with observe(arena, rest=400.0):
            killed = [_kill_once(job, dice, in_stream=False) for _ in range(KILLS // 2)]
            killed += [_kill_once(job, dice, in_stream=True, at_once=False)]  # the others find the snapshot complete
            killed += [_kill_once(job, dice, in_stream=True) for _ in range(KILLS - KILLS // 2 - 1)]
            job.run_until_caught_up()
        print("\n".join(killed), count_writes(applications), sep="\n")
    job.run_until_caught_up()
    require_equal(arena)
    for state in ("snapshot under way", "snapshot complete"):
        assert sum(state in kill for kill in killed) >= max(1, KILLS // 3), state


def _kill_once(job: Job, dice: random.Random, *, in_stream: bool, at_once: bool = True) -> str:
    """Start a run, kill it with all its processes at a random moment, and return what stands in the books then.
    `at_once`: now and then before it is at work."""
    said_before = job.log.stat().st_size
    process = job.start_run()
    try:
        if not at_once or dice.random() < 0.8:
            _wait_until_at_work(job, process, said_before)
            if in_stream:
                wait_for(job, process, "the snapshot is complete", lambda reported: bool(reported["snapshot_complete"]))
        moment = dice.uniform(0.0, 6.0)
        time.sleep(moment)
        assert process.poll() is None, f"run ended by itself with {process.returncode}:\n{job.end_of_log()}"
    finally:
        kill_tree(process)
    ledger_state = status(job)
    if ledger_state is None:
        return f"{moment:.2f} s after its start, nothing begun"
    chunks = sum(table["chunks_done"] for table in ledger_state["tables"])
    state = "complete" if ledger_state["snapshot_complete"] else "under way"
    return f"snapshot {state}, {chunks} chunks, batch {ledger_state['batch']}, open batch {ledger_state['open_batch']}"


def _wait_until_at_work(job: Job, process: subprocess.Popen[bytes], said_before: int) -> None:
    def is_at_work() -> bool:
        said = job.log.read_bytes()[said_before:].decode("utf-8", errors="replace")
        return any(word in said for word in AT_WORK)

    wait_until("it is at work", is_at_work, run=process, show=job.end_of_log)
