"""What can go wrong around a cutover: clients that pass the fence, a pause that grows, hooks and servers that fail."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cutover.finish import FINISH
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER, password_file
from tests.cutover.lab import CutoverLab
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT, kill_tree
from tests.support.waiting import PATIENCE

pytestmark = [pytest.mark.server, pytest.mark.spark]

DIED_AT = tuple(point for step in FINISH for point in step.failpoints)

_INSERT = "INSERT INTO parent (id, place, name) VALUES ({id}, 0, 'late {id}')"


def _lab_with_hook(arena: Arena, folder: Path) -> tuple[CutoverLab, Path]:
    """A lab whose hook writes what it gets into a file, and fails while `broken` exists beside it."""
    script = folder / "hook.py"
    script.write_text(
        "import pathlib, sys\n"
        f"folder = pathlib.Path({str(folder)!r})\n"
        "sys.exit('broken') if (folder / 'broken').exists() else None\n"
        "(folder / 'hook.json').open('a').write(sys.stdin.read() + '\\n')\n"
    )
    lab = CutoverLab(arena, folder, hooks={"switched": {"command": [sys.executable, str(script)], "timeout": "10s"}})
    lab.begin()
    return lab, folder


def _passes_the_fence(lab: CutoverLab, sql: str) -> None:
    """Our own account is the one that every fence lets through."""
    password = password_file(RUNTIME_USER, secrets=lab.arena.folder / "secrets").read_text(encoding="utf-8")
    lab.arena.source.learn_password(RUNTIME_USER, password_file(RUNTIME_USER, secrets=lab.arena.folder / "secrets"))
    with (
        lab.arena.source.connect("lab", user=RUNTIME_USER, password=password) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)


@pytest.mark.in_turn
def test_h8_a_late_writer_is_found_before_and_after_the_switch(arena: Arena, tmp_path: Path) -> None:
    lab, folder = _lab_with_hook(arena, tmp_path)
    _steps_are_printed_and_nothing_changes(lab)
    gate = lab.scratch / "gate"
    with lab.live() as run:
        assert json.loads(lab.cutover("--dry-run", "--format", "json"))["exit_code"] == 0
        assert lab.status()["state"] == "following"
        # Before the switch: the stream brings a change behind the comparison.
        with _applying_another_servers_rows(lab):
            process = lab.start_cutover("--allow", "SW8943", failpoints=f"before-proved=wait:{gate}")
            try:
                lab.until(run, "both sides are compared", lambda: gate.with_name("gate.reached").exists())
                _passes_the_fence(lab, _INSERT.format(id=77))
                gate.touch()
                assert process.wait(timeout=120) == Exit.REFUSED, lab.job.end_of_log()
            finally:
                kill_tree(process)
        said = lab.job.end_of_log()
        assert "SW8914" in said and "which applies the rows of p.test:3306" in said, said
        assert "warning: " in said and "(allowed)" in said, said
        assert lab.status()["state"] == "following"
        assert not (folder / "hook.json").exists()
        lab.writes_on(run)
        lab.follow_to_end(run)
        # After it: the source has a row that the shards lack.
        lab.cutover()
        assert json.loads((folder / "hook.json").read_text()) == {
            "migration": "lab", "writes_to": "shards", "generation": 1
        }  # fmt: skip
        _passes_the_fence(lab, _INSERT.format(id=78))
        lab.writes_on(run)
        lab.application.stop()
        lab.follow_to_end(run)
        assert "78" in lab.job.call("verify", "--env", ENVIRONMENT, expect=Exit.INPUT_AT_FAULT)
        said = lab.expect_refusal("finish", code=Exit.REFUSED)
        assert "SW8926" in said and "lab.parent (1 events)" in said, said
        assert lab.status()["state"] == "reversing"
    for point in DIED_AT:
        lab.expect_kill("finish", failpoints=f"{point}=kill")
    assert "is finished: writes go to the shards" in lab.cutover("finish")
    assert lab.source("SHOW TABLES") == [("child",), ("parent",)]
    assert lab.arena.source.query("SHOW TABLES", database="_shardwright_lab") == [("_shardwright_switch",)]
    tables = {name for place in (0, 1) for (name,) in lab.at(place, "SHOW TABLES")}
    assert not {name for name in tables if name.startswith("_sw_")}, tables
    assert "SW8219" in _expect_refusal(lab)
    with pytest.raises(Exception, match="lab"):  # the fence stays
        lab.write(_INSERT.format(id=79))
    assert "the fence of the source" in lab.cutover("unfence")
    lab.write(_INSERT.format(id=79))


@contextmanager
def _applying_another_servers_rows(lab: CutoverLab) -> Iterator[None]:
    server, mysql = lab.arena.source, lab.arena.source.sandbox.kind == "mysql"
    change = "REPLICATION SOURCE TO SOURCE_HOST='p.test'" if mysql else "MASTER TO MASTER_HOST='p.test'"
    word = "REPLICA" if mysql else "SLAVE"
    server.query(f"CHANGE {change}")
    try:
        server.query(f"START {word} SQL_THREAD")
        yield
    finally:
        server.query(f"STOP {word}")
        server.query(f"RESET {word} ALL")


def _expect_refusal(lab: CutoverLab) -> str:
    lab.job.call("run", "--env", ENVIRONMENT, expect=Exit.REFUSED)
    return lab.job.end_of_log()


@pytest.mark.long
def test_a_long_pause_and_a_hook_that_fails(arena: Arena, tmp_path: Path) -> None:
    lab, folder = _lab_with_hook(arena, tmp_path)
    with lab.live() as run:
        # The stream is frozen: writers are let in again.
        run.send_signal(signal.SIGSTOP)
        try:
            said = lab.expect_refusal("begin", "--max-pause", "3", code=Exit.REFUSED)
        finally:
            run.send_signal(signal.SIGCONT)
        assert "SW8918" in said, said  # so far behind already that nothing is fenced
        gate = lab.scratch / "gate"
        process = lab.start_cutover("--max-pause", "3", failpoints=f"before-fence=wait:{gate}")
        try:
            lab.until(run, "it is to be fenced", lambda: gate.with_name("gate.reached").exists())
            run.send_signal(signal.SIGSTOP)
            gate.touch()
            assert process.wait(timeout=120) == Exit.STOPPED_PART_WAY, lab.job.end_of_log()
        finally:
            run.send_signal(signal.SIGCONT)
            kill_tree(process)
        assert "SW8913" in lab.job.end_of_log()
        assert (lab.status()["state"], lab.status()["fences"]) == ("following", {})
        lab.writes_on(run)
        lab.follow_to_end(run)
        # The hook fails behind the switch: the same command calls it again.
        (folder / "broken").touch()
        said = lab.expect_refusal("begin", code=Exit.STOPPED_PART_WAY)
        assert "SW8906" in said and "broken" in said, said
        assert (lab.status()["state"], lab.status()["writes_to"]) == ("switched", "shards")
        assert "SW8915" in lab.expect_refusal("abort", code=Exit.REFUSED)
        (folder / "broken").unlink()
        lab.cutover()
        assert lab.status()["state"] == "reversing"
        assert len((folder / "hook.json").read_text().splitlines()) == 1
        lab.writes_on(run)
        lab.application.stop()
        lab.follow_to_end(run)
        lab.equal()


@pytest.mark.long
def test_a_shard_that_fails_behind_the_switch(arena: Arena, tmp_path: Path) -> None:
    lab = CutoverLab(arena, tmp_path)
    lab.begin()
    gate, server = lab.scratch / "gate", lab.arena.placement["lab_1"]
    with lab.live() as run:
        process = lab.start_cutover(failpoints=f"after-switch=wait:{gate}")
        try:
            lab.until(run, "it has switched", lambda: gate.with_name("gate.reached").exists())
            server.stop()
            gate.touch()
            assert process.wait(timeout=120) == Exit.UNREACHABLE, lab.job.end_of_log()
        finally:
            kill_tree(process)
            server.start()
        status = lab.status()
        assert (status["state"], status["switch_rows"]["lab_1"]["generation"]) == ("switched", 0)
        lab.cutover()
        assert {row["generation"] for row in lab.status()["switch_rows"].values()} == {1}
        lab.writes_on(run)
        lab.application.stop()
        lab.follow_to_end(run)
        lab.equal()


def test_case_h1_no_fence_is_set_in_front_of_a_run_that_has_finished_no_batch(arena: Arena, tmp_path: Path) -> None:
    """Writers would wait until Spark has planned the first one."""
    lab = CutoverLab(arena, tmp_path, max_lag="2s")
    lab.begin()
    lab.gates.hold("before-open-batch")
    with lab.run() as run:
        lab.write("UPDATE parent SET note = 'first batch'")
        lab.reach(run, "before-open-batch")
        assert "has not finished a batch since it started" in lab.cutover("--dry-run", expect=Exit.REFUSED)
        lab.gates.open("before-open-batch")
        lab.drain_forward(run)
        assert "SW8917" not in lab.cutover("--dry-run", expect=Exit.REFUSED)


def _steps_are_printed_and_nothing_changes(lab: CutoverLab) -> None:
    """Without a run, and before any comparison."""
    end = time.monotonic() + PATIENCE
    # The Spark workers of the run that has just ended may be connected for a moment.
    while "SW8917" not in (said := lab.cutover("--dry-run", expect=Exit.REFUSED)):
        assert time.monotonic() < end, said
    assert "SW8924" in said, said  # no run, no comparison
    assert "switch: writes go to the shards, generation 1" in said
    assert lab.status()["switch_rows"]["lab_0"] == {"writes_to": "source", "generation": 0}
    for action in ("--rehearse", "rollback", "finish", "unfence"):
        lab.expect_refusal(action, code=Exit.REFUSED)
    assert "in progress" in lab.cutover("abort")
