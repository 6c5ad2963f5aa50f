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
from tests.support.job import ENVIRONMENT, kill_tree

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
        lab.expect_kill("rollback", failpoints="after-switch=kill")
        lab.cutover("rollback")
        before = lab.application.written
        lab.until(run, "the application writes to the source", lambda: lab.application.written > before + 20)
        lab.drain_forward(run)
        lab.expect_kill("begin", failpoints="after-stream-ends=kill")
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
            said = lab.expect_refusal(action, code=Exit.REFUSED)
            assert "SW8911" in said, said
        gate.touch()
        assert first.wait(timeout=60) == 0, lab.job.end_of_log()
    finally:
        kill_tree(first)
    assert "SW8915" in lab.expect_refusal("begin", code=Exit.REFUSED)  # writes go there already


def test_s7_the_audit_says_who_did_what_and_what_was_refused(lab: CutoverLab) -> None:
    with lab.live():
        lab.cutover("--rehearse")
        lab.expect_refusal("unfence", code=Exit.REFUSED)
    sql = "SELECT what, detail, who, account, version, plan, command FROM _shardwright_audit ORDER BY id"
    lines = lab.at(0, sql)
    assert all(
        "@" in who and ":" in who and account and version and plan for _, _, who, account, version, plan, _ in lines
    )
    reported = {what: (detail, command) for what, detail, _, _, _, _, command in lines}
    assert {"run: begun", "cutover begin: given", "fence set", "fence lifted", "cutover begin: done"} <= set(
        reported
    ), reported
    assert reported["cutover given up"][0] == "rehearsed"
    assert "connections of users ended" in reported["fence set"][0]
    assert reported["cutover unfence: refused"][0].startswith("SW8915: ")
    assert "--rehearse" in reported["cutover begin: done"][1] and reported["run: begun"][1].startswith("run ")
    shown = lab.job.call("status", "--env", ENVIRONMENT)
    assert "cutover unfence: refused" in shown and "SW8915" in shown
