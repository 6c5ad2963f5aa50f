"""The way back begins, resumes after kills, and copes with what a live run of other tests cannot have: tables of
another shape, keys that are spelt otherwise.
"""

from __future__ import annotations

import shutil
import signal
import threading
from pathlib import Path

import pytest

from shardwright.runtime.cli.connecting import Deployment
from shardwright.runtime.failpoints import VARIABLE
from shardwright.runtime.failures import Refused, StoppedPartWay
from shardwright.runtime.run.may_start import require_may_start
from shardwright.runtime.run.order import RunOrder, Until
from shardwright.runtime.run.progress.listeners import Reporter
from shardwright.runtime.sources.open import open_sources
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.lab import PROJECT
from tests.support.way_back import turn_forward
from tests.support.way_back_lab import BackLab

pytestmark = [pytest.mark.server, pytest.mark.spark]

DIED_AT = {"before-arm", "after-arm", "before-rows-read-again", "after-rows-read-again"}


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> BackLab:
    made = BackLab(arena, tmp_path)
    made.create_source()
    made.fill({1: 0, 2: 1, 3: 2, 4: 3})
    made.finish()
    made.turn()
    return made


@pytest.mark.parametrize("point", ["before-arm", "after-arm"])
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


def test_no_run_goes_against_the_direction_in_force(lab: BackLab) -> None:
    """A run that is under way at the turn, and one that begins by another ledger than the command line asks."""
    forward = lab.deploy()
    for one in (forward, forward.reverse_deployment()):
        sources = open_sources(one.plan, one.servers, one.environment)
        if one is forward:
            with pytest.raises(Refused, match="go from the shards to the source now"):
                require_may_start(_order(one), sources, aside=())
        else:
            require_may_start(_order(one), sources, aside=())


def _order(one: Deployment) -> RunOrder:
    return RunOrder(one.plan, one.servers, one.environment, Reporter([]), Until.CAUGHT_UP, threading.Event())


def test_j7_both_directions_begin_again_with_a_newer_plan(lab: BackLab) -> None:
    """A table gets another weight; the stream of a new weight would skip what is before its beginning."""
    lab.insert(11, 1)
    lab.finish()
    spec = lab.job.project / "specs" / "lab.yaml"
    text = spec.read_text(encoding="utf-8")
    assert "weight: 5" in text
    spec.write_text(text.replace("weight: 5", "weight: 12"), encoding="utf-8")
    lab.job.call("compile")
    turn_forward(lab.job)
    lab.write("UPDATE child SET note = 'source' WHERE id = 1", "DELETE FROM child WHERE id = 3")
    lab.finish()
    lab.require_equal()
    lab.turn()
    lab.insert(20, 2)
    lab.on(1, "UPDATE child_0 SET note = 'shards' WHERE id = 2")
    lab.finish()
    lab.require_equal()


@pytest.mark.long
def test_tables_of_the_shards_may_have_their_columns_in_another_order(lab: BackLab) -> None:
    """DDL has brought a column to the end of some tables, where it is in the middle of others."""
    lab.at(
        0, "ALTER TABLE parent_0 MODIFY COLUMN note varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '' FIRST"
    )
    lab.at(3, "ALTER TABLE parent_1 ADD COLUMN own_index int NULL AFTER id")
    lab.turn_again()
    with lab.run(gated=False) as run:
        lab.on(0, "INSERT INTO parent_0 (id, place, name, note) VALUES (8, 0, 'n8', 'note first')")
        lab.on(3, "INSERT INTO parent_1 (id, own_index, place, name, note) VALUES (7, 70, 3, 'n7', 'one more column')")
        lab.drain(run)
        lab.on(0, "UPDATE parent_0 SET note = 'changed', name = 'other' WHERE id = 8")
        lab.on(3, "DELETE FROM parent_1 WHERE id = 7")
        lab.drain(run)
    assert lab.source("SELECT id, place, name, note FROM parent WHERE id > 4") == [(8, 0, "other", "changed")]


@pytest.mark.long
@pytest.mark.parametrize("point", ["before-rows-read-again", "after-rows-read-again", "after-mark-staged"])
def test_killed_while_a_moved_row_is_read_again(lab: BackLab, point: str) -> None:
    run = lab.start(gated=False, failpoints=f"{point}=kill")
    lab.on(3, "INSERT INTO parent_1 (id, place, name, note) VALUES (1, 3, 'n1', 'moved')")
    lab.on(0, "DELETE FROM parent_0 WHERE id = 1")
    assert run.wait(timeout=120) == -signal.SIGKILL
    lab.finish()
    lab.require_parents_equal()
    assert lab.source("SELECT place, note FROM parent WHERE id = 1") == [(3, "moved")]


@pytest.mark.long
@pytest.mark.parametrize("most_rows", [1, 1000])
def test_a_key_that_is_spelt_otherwise_where_the_row_goes(arena: Arena, tmp_path: Path, most_rows: int) -> None:
    """Hazard D1 between shards: the server takes 'Red' and 'red' for one key, in whatever order their logs are read,
    and in one batch."""
    example = tmp_path / "example"
    shutil.copytree(PROJECT, example)
    for file, old, new in (
        ("specs/lab.yaml", "ddl: ddl/", "  - table: tag\n    sharding: by_place\n\nddl: ddl/"),
        ("schema/lab.sql", "CREATE TABLE `parent`", f"{TAG};\n\nCREATE TABLE `parent`"),
    ):
        text = (example / file).read_text("utf-8")
        assert old in text
        (example / file).write_text(text.replace(old, new), "utf-8")
    lab = BackLab(arena, tmp_path, example=example, settings={"batch": {"max_rows": most_rows}})
    lab.create_source()
    lab.write("INSERT INTO tag VALUES ('red', 0, 1), ('green', 0, 1), ('blue', 1, 1)")
    lab.finish()
    lab.turn()
    with lab.run() as run:
        lab.gates.hold("before-open-batch")
        lab.on(1, "INSERT INTO tag_0 VALUES ('RED', 1, 2)")
        lab.on(0, "DELETE FROM tag_0 WHERE name = 'red'")
        for number in range(3):
            lab.on(0, f"UPDATE tag_0 SET v = {number} WHERE name = 'green'")
        lab.on(3, "INSERT INTO tag_1 VALUES ('Green', 3, 2)")
        lab.on(0, "DELETE FROM tag_0 WHERE name = 'green'")
        lab.on(1, "DELETE FROM tag_0 WHERE name = 'blue'", "INSERT INTO tag_0 VALUES ('BLUE', 1, 3)")
        lab.on(2, "INSERT INTO tag_1 VALUES ('blue', 2, 4)")
        lab.on(1, "DELETE FROM tag_0 WHERE name = 'BLUE'")
        lab.gates.open("before-open-batch")
        lab.drain(run)
    assert sorted(lab.source("SELECT * FROM tag")) == [("Green", 3, 2), ("RED", 1, 2), ("blue", 2, 4)]


TAG = """CREATE TABLE `tag` (
  `name` varchar(40) COLLATE utf8mb4_general_ci NOT NULL,
  `place` int unsigned NOT NULL,
  `v` int NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci"""
