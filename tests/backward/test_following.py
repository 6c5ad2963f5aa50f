"""After a cutover the source follows the shards: what an application writes there comes back to the source's tables."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from shardwright.runtime.failpoints import VARIABLE
from shardwright.runtime.failures import Refused, StoppedPartWay
from shardwright.runtime.run.may_start import require_may_start
from shardwright.runtime.sources.open import open_sources
from tests.backward.lab import BackLab
from tests.servers.testbed import Arena
from tests.workload.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]

QUARANTINE = "errors: {policy: quarantine, at_most: 5}"


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> BackLab:
    return _turned(BackLab(arena, tmp_path))


def _turned(lab: BackLab) -> BackLab:
    lab.create_source()
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    lab.finish()
    lab.turn()
    return lab


def test_rows_come_back_and_are_compared_and_repaired(lab: BackLab) -> None:
    with lab.running(gated=False) as run:
        lab.insert(5, 3, lines=2, note="born on the shards")
        lab.on(0, "UPDATE parent_0 SET note = 'changed' WHERE id = 1", "DELETE FROM child_0 WHERE id = 1 AND line = 2")
        lab.on(2, "DELETE FROM child_1 WHERE id = 3", "DELETE FROM parent_1 WHERE id = 3")
        lab.drain(run)
        lab.require_equal()
        assert lab.source("SELECT id, note FROM parent ORDER BY id") == [
            (1, "changed"), (2, ""), (4, ""), (5, "born on the shards")
        ]  # fmt: skip
        assert "equal" in lab.job.call("verify", "--env", ENVIRONMENT)
        lab.arena.source.query("UPDATE parent SET note = 'a late writer' WHERE id = 2", database="lab")
        lab.arena.source.query("INSERT INTO parent VALUES (9, 1, 'n9', 'another one')", database="lab")
        result = lab.job.project / "result.json"
        said = lab.job.call("verify", "--env", ENVIRONMENT, "--report", f"json={result}", expect=1)
        assert "shards rows  source rows" in said
        assert "note: shards '', source 'a late writer'" in said
        found = json.loads(result.read_text("utf-8"))
        assert found["direction"] == "backward"
        lab.job.call("repair", "--env", ENVIRONMENT, "--delete-extra", str(result))
        lab.require_equal()
        assert "SW8218" in _refused(lab, "ddl", "apply")


def _refused(lab: BackLab, *command: str) -> str:
    lab.job.call(*command, "--env", ENVIRONMENT, expect=6)
    return lab.job.end_of_log(3)


def test_no_run_goes_against_the_direction_in_force(lab: BackLab) -> None:
    """A run that is under way at the turn, and one that begins by another ledger than the command line asks."""
    forward = lab.deployed()
    for one in (forward, forward.turned()):
        sources = open_sources(one.plan, one.servers, one.environment)
        if one is forward:
            with pytest.raises(Refused, match="go from the shards to the source now"):
                require_may_start(one.plan, one.servers, sources, aside=())
        else:
            require_may_start(one.plan, one.servers, sources, aside=())


def test_a_row_in_two_places_stops_the_run_until_one_is_left(lab: BackLab) -> None:
    with lab.running(gated=False) as run:
        lab.on(1, "INSERT INTO parent_0 (id, place, name, note) VALUES (1, 1, 'twice', 'copied, not moved')")
        lab.until(run, "the run says so", lambda: "SW8309" in lab.job.end_of_log())
        lab.on(0, "DELETE FROM parent_0 WHERE id = 1")
        lab.drain(run)
    assert lab.source("SELECT place, name FROM parent WHERE id = 1") == [(1, "twice")]


def test_a_row_that_the_source_refuses_is_a_dead_letter_of_the_way_back(arena: Arena, tmp_path: Path) -> None:
    """Two shards have one value of a unique key, which they cannot check; the row moves before it is tried again."""
    lab = BackLab(arena, tmp_path)
    spec = lab.job.project / "specs" / "lab.yaml"
    text = spec.read_text("utf-8").replace("    weight: 10\n", f"    weight: 10\n    {QUARANTINE}\n")
    assert QUARANTINE in text
    spec.write_text(text, "utf-8")
    lab.job.call("compile")
    _turned(lab)
    with lab.running(gated=False) as run:
        lab.insert(5, 3, name="n1")
        lab.insert(6, 2)
        lab.drain(run)
        assert lab.source("SELECT id FROM parent ORDER BY id") == [(1,), (2,), (3,), (4,), (6,)]
        assert "parent  5    held" in lab.job.call("dead-letters", "list", "--env", ENVIRONMENT)
        lab.on(0, "INSERT INTO parent_0 (id, place, name, note) VALUES (5, 0, 'n5', 'it has moved')")
        lab.on(3, "DELETE FROM parent_1 WHERE id = 5")
        lab.drain(run)
        lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT)
        lab.until(run, "it is back", lambda: bool(lab.source("SELECT 1 FROM parent WHERE id = 5")))
        lab.on(0, "UPDATE parent_0 SET note = 'and changes' WHERE id = 5")
        lab.drain(run)
        lab.job.call("dead-letters", "list", "--env", ENVIRONMENT)
    assert lab.source("SELECT place, name, note FROM parent WHERE id = 5") == [(0, "n5", "and changes")]


def test_tables_of_the_shards_may_have_their_columns_in_another_order(lab: BackLab) -> None:
    """DDL has brought a column to the end of some tables, where it is in the middle of others."""
    lab.at(
        0, "ALTER TABLE parent_0 MODIFY COLUMN note varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '' FIRST"
    )
    lab.at(3, "ALTER TABLE parent_1 ADD COLUMN own_index int NULL AFTER id")
    lab.turn_again()
    with lab.running(gated=False) as run:
        lab.on(0, "INSERT INTO parent_0 (id, place, name, note) VALUES (8, 0, 'n8', 'note first')")
        lab.on(3, "INSERT INTO parent_1 (id, own_index, place, name, note) VALUES (7, 70, 3, 'n7', 'one more column')")
        lab.drain(run)
        lab.on(0, "UPDATE parent_0 SET note = 'changed', name = 'other' WHERE id = 8")
        lab.on(3, "DELETE FROM parent_1 WHERE id = 7")
        lab.drain(run)
    assert lab.source("SELECT id, place, name, note FROM parent WHERE id > 4") == [(8, 0, "other", "changed")]


@pytest.mark.parametrize("point", ["before-rows-read-again", "after-rows-read-again", "after-mark-staged"])
def test_killed_while_a_moved_row_is_read_again(lab: BackLab, point: str) -> None:
    run = lab.start(gated=False, failpoints=f"{point}=kill")
    lab.on(3, "INSERT INTO parent_1 (id, place, name, note) VALUES (1, 3, 'n1', 'moved')")
    lab.on(0, "DELETE FROM parent_0 WHERE id = 1")
    assert run.wait(timeout=120) == -signal.SIGKILL
    lab.finish()
    lab.require_parents_equal()
    assert lab.source("SELECT place, note FROM parent WHERE id = 1") == [(3, "moved")]


DIED_AT = {"before-begin-back", "after-begin-back", "before-rows-read-again", "after-rows-read-again"}


@pytest.mark.parametrize("point", ["before-begin-back", "after-begin-back"])
def test_the_way_back_begins_once(arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str) -> None:
    """Stopped before or after it is recorded, it begins when the command is repeated."""
    lab = BackLab(arena, tmp_path)
    lab.create_source()
    lab.fill({1: 0})
    lab.finish()
    monkeypatch.setenv(VARIABLE, f"{point}=error")
    with pytest.raises(StoppedPartWay, match=point):
        lab.turn()
    assert "source" in lab.job.call("verify", "--env", ENVIRONMENT)  # still the way there
    lab.on(0, "UPDATE parent_0 SET note = 'between' WHERE id = 1")
    monkeypatch.delenv(VARIABLE)
    lab.turn()
    lab.finish()
    changed = point == "after-begin-back"  # what came behind the recorded start comes back
    assert lab.source("SELECT note FROM parent") == [("between" if changed else "",)]
