"""Equal keys of several source tables are several rows on the shards, told apart by a column that says where a row is
from: while rows are copied, while they are followed, and after runs that die in between.
"""

from __future__ import annotations

import random

import pymysql
import pytest

from shardwright.runtime.cli.exits import Exit
from tests.origin.lab import SOURCES, OriginLab, happenings
from tests.support.job import ENVIRONMENT
from tests.support.ledger_state import require_sound

pytestmark = [pytest.mark.server, pytest.mark.spark]

KILLED_AT = ("after-chunk-commit", "after-stage", "after-mark-staged", "after-upsert", "before-close-batch")


@pytest.mark.in_turn
def test_b11_equal_keys_are_rows_of_their_own(lab: OriginLab, dice: random.Random) -> None:
    lab.fill_all()
    lab.finish()
    lab.require_all_equal()
    lab.write_all(happenings(dice, 40))
    lab.finish()
    lab.require_all_equal()
    assert "equal" in lab.job.call("verify", "--env", ENVIRONMENT)
    lab.at(0, "UPDATE parent_0 SET remark = 'by hand' WHERE origin = 'depot' LIMIT 1")
    lab.at(1, "DELETE FROM child_0 WHERE origin = 'lab.child_b' LIMIT 1")
    lab.at(0, "INSERT INTO parent_1 (id, place, name, remark, origin) VALUES (999, 2, 'extra', '', 'depot')")
    result = str(lab.scratch / "result.json")
    said = lab.job.call("verify", "--env", ENVIRONMENT, "--report", f"json={result}", expect=Exit.INPUT_AT_FAULT)
    assert "depot" in said and "lab.child_b" in said
    assert len(lab.differences()) == 4
    lab.job.call("repair", result, "--env", ENVIRONMENT, "--timeout", "240", "--run", "--delete-extra")
    lab.require_all_equal()


@pytest.mark.in_turn
def test_b11_rows_return_to_the_source_that_they_are_from(lab: OriginLab, dice: random.Random) -> None:
    """Applications on the shards change, move, delete and insert rows whose keys are equal but for their source."""
    lab.fill_all()
    lab.finish()
    lab.turn()
    lab.on(3, "INSERT INTO parent_1 (id, place, name, remark, origin) VALUES (60, 3, 'n60', 'new', 'depot')")
    lab.work_on_shards(dice, 30)
    lab.finish()
    lab.require_all_equal()
    assert "equal" in lab.job.call("verify", "--env", ENVIRONMENT)
    kept = {seen for database in SOURCES for (seen,) in lab.source(f"SELECT seen FROM {database}.parent")}
    assert kept <= {0, 1, 7}, "a column that is not copied keeps its value, or has its default in a new row"
    assert lab.source("SELECT seen FROM depot.parent WHERE id = 60") == [(7,)]
    with pytest.raises(pymysql.err.MySQLError):  # no such source: the shards' servers refuse it
        lab.on(0, "INSERT INTO parent_0 (id, place, name, remark, origin) VALUES (500, 0, 'x', '', 'nowhere')")
    ((id_,),) = lab.source("SELECT MIN(id) FROM depot.parent")
    lab.source(f"UPDATE depot.parent SET note = 'by hand' WHERE id = {id_}")
    assert "depot" in lab.job.call("verify", "--env", ENVIRONMENT, expect=Exit.INPUT_AT_FAULT)


@pytest.mark.long
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_a1_b11_killed(lab: OriginLab, dice: random.Random, direction: str) -> None:
    lab.fill_all()
    if direction == "backward":
        lab.finish()
        lab.turn()
    for name in KILLED_AT[0 if direction == "forward" else 1 :]:
        if direction == "forward":
            lab.write_all(happenings(dice, 15))
        else:
            lab.work_on_shards(dice, 12)
        lab.gates.open_all()
        lab.gates.forget()
        lab.gates.hold(name)
        with lab.run() as run:
            lab.reach(run, name)
        if direction == "forward":
            require_sound(lab.arena, lab.ledger_state())
    lab.finish()
    lab.require_all_equal()
