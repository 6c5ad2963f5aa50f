"""Ctrl-C at the terminal, a service that is stopped, or a terminal that is gone reaches every process of the run: it still ends in good
order, says so, and leaves nobody.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.e2e.shop_judge import require_equal
from tests.servers.testbed import Arena
from tests.support.commands import wait_for
from tests.support.job import Job, kill_tree
from tests.support.waiting import wait_until
from tests.workload.shop import PROJECT, fill_shop, write

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow, pytest.mark.cold]


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_every_process_is_signalled(arena: Arena, tmp_path: Path, seed: int, number: signal.Signals) -> None:
    job = Job(arena, PROJECT, tmp_path)
    fill_shop(arena, orders=200)
    job.call("compile")
    process = job.start_run()
    try:
        with write(arena, seed=seed, rate=20.0):
            wait_for(job, process, "the snapshot is complete", lambda reported: bool(reported["snapshot_complete"]))
            os.killpg(process.pid, number)
            assert process.wait(timeout=300) == 130, job.end_of_log()
        said = job.end_of_log(200)
        assert "stopping: finishing the batch and the chunks in flight" in said
        assert "Traceback" not in said and "error SW" not in said, said
        _require_no_process_left(process.pid)
    finally:
        kill_tree(process)
    job.run_until_caught_up()
    require_equal(arena)


def _require_no_process_left(session: int) -> None:
    """Spark's processes end a moment after their driver."""
    wait_until("nothing of it runs", lambda: not _members(session), show=lambda: _members(session))


def _members(session: int) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _parent, _group, its_session = (entry / "stat").read_text().rpartition(") ")[2].split()[:4]
                if int(its_session) == session and state not in "ZX":
                    found.append((entry / "cmdline").read_text().replace("\0", " ")[:100])
            except OSError:
                continue
    return found
