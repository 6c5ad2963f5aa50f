"""An application is cut over to the shards while it writes, and back, and is finished."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from shardwright.runtime.cli.exits import Exit
from tests.cutover.lab import CutoverLab
from tests.servers.testbed import Arena
from tests.workload.job import kill_tree

pytestmark = [pytest.mark.server, pytest.mark.spark]


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> CutoverLab:
    made = CutoverLab(arena, tmp_path, fence={"source": "triggers", "shards": "read_only"})
    made.begin()
    return made


@pytest.mark.long
def test_h8_h9_there_and_back_and_there_for_good(lab: CutoverLab) -> None:
    with lab.live() as run:
        rehearsed = lab.cutover("--rehearse")
        assert "rehearsed: writers would have waited" in rehearsed
        assert lab.status()["writes_to"] == "source"
        _two_operators_at_once(lab, run)
        before = lab.application.written
        lab.until(run, "the application writes to the shards", lambda: lab.application.written > before + 20)
        assert lab.status()["state"] == "reversing"
        lab.drain(run)
        lab.killed("rollback", failpoints="after-switch=kill")
        lab.cutover("rollback")
        before = lab.application.written
        lab.until(run, "the application writes to the source", lambda: lab.application.written > before + 20)
        lab.drain_forward(run)
        lab.killed("begin", failpoints="after-stream-ends=kill")
        lab.cutover()
        before = lab.application.written
        lab.until(run, "the application writes to the shards", lambda: lab.application.written > before + 20)
        lab.application.stop()
        lab.drain(run)
        lab.equal()
    lab.cutover("finish")


@pytest.mark.long
def test_h9_minutes_of_writes_to_the_shards_come_back(lab: CutoverLab) -> None:
    """SHARDWRIGHT_MINUTES (default 1) between the cutover and the rollback."""
    with lab.live() as run:
        lab.cutover()
        end = time.monotonic() + 60 * float(os.environ.get("SHARDWRIGHT_MINUTES", "1"))
        before = lab.application.written
        while time.monotonic() < end:
            assert run.poll() is None, lab.job.end_of_log()
            time.sleep(1)
        print(f"{lab.application.written - before} transactions on the shards")
        lab.drain(run)
        lab.cutover("rollback")
        lab.writes_on(run)
        lab.application.stop()
        lab.drain_forward(run)
        lab.equal()


def _two_operators_at_once(lab: CutoverLab, run: subprocess.Popen[bytes]) -> None:
    """The second command is refused, also `abort`; the first one does its work."""
    gate = lab.scratch / "gate"
    first = lab.start_cutover(failpoints=f"before-proved=wait:{gate}")
    try:
        lab.until(run, "the first one waits", lambda: gate.with_name("gate.reached").exists())
        for action in ("begin", "abort"):
            said = lab.refused(action, code=Exit.REFUSED)
            assert "SW8911" in said, said
        gate.touch()
        assert first.wait(timeout=60) == 0, lab.job.end_of_log()
    finally:
        kill_tree(first)
    assert "SW8915" in lab.refused("begin", code=Exit.REFUSED)  # writes go there already
