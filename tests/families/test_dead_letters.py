"""Rows of families that a target refuses: quarantined with their later events, while parents and the other rows move;
tried again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.families.driver import FamilyLab, family
from tests.servers.testbed import Arena
from tests.support.dead_letters import kill_at, letters, run
from tests.support.job import ENVIRONMENT
from tests.support.lab import SUFFIXES

pytestmark = [pytest.mark.server, pytest.mark.spark]

HELD_AND_DIED = ("after-row-held", "after-held-row-taken-out", "after-held-events-recorded")
ANSWERED_AND_DIED = ("before-dead-letters-read", "after-dead-letters-read", "after-dead-letter-answered")


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> FamilyLab:
    """A lab whose parents and children may be held."""
    made = FamilyLab(arena, tmp_path)
    spec = made.job.project / "specs" / "lab.yaml"
    text = spec.read_text(encoding="utf-8")
    for weight in ("weight: 5\n", "weight: 10\n"):
        assert weight in text
        text = text.replace(weight, f"{weight}    errors: {{policy: quarantine, at_most: 9}}\n")
    spec.write_text(text, encoding="utf-8")
    made.job.call("compile")
    made.create_source()
    return made


@pytest.mark.in_turn
def test_d13_refused_rows_of_a_family_are_held_and_the_others_follow_their_parents(lab: FamilyLab) -> None:
    """By a chunk and by the stream, of a child and of a parent."""
    _fill(lab)
    lab.write("UPDATE child SET note = 'bad' WHERE cid = '1-0'", "UPDATE parent SET note = 'bad' WHERE id = 2")
    lab.gates.hold("after-lookup-table-filled")
    with lab.run() as process:
        lab.reach(process, "after-lookup-table-filled")
        _refuse(lab)
        lab.gates.open("after-lookup-table-filled")
        lab.until(process, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        assert set(letters(lab)) == {"1-0", "2"}
        assert lab.children(1) == {1: 1} and lab.children(2) == {2: 2} and lab.places(2) == []
        _continue(lab)
        lab.drain(process)
        _require_held(lab)
        _make_good(lab)
        lab.drain(process)
        lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT)
        lab.until(process, "no row is held", lambda: not letters(lab))
        lab.drain(process)
        lab.require_equal()
    run(lab, code=0)
    lab.job.call("verify", "--env", ENVIRONMENT)


@pytest.mark.long
def test_a1_d13_killed_while_rows_of_a_family_are_held_and_tried_again(lab: FamilyLab) -> None:
    _fill(lab)
    run(lab, code=0)
    _refuse(lab)
    lab.write("UPDATE child SET note = 'bad' WHERE cid = '1-0'", "UPDATE parent SET note = 'bad' WHERE id = 2")
    for name in HELD_AND_DIED[:2]:
        kill_at(lab, name)
    run(lab, code=7)
    _continue(lab)
    kill_at(lab, HELD_AND_DIED[2])
    run(lab, code=7)
    _require_held(lab)
    _make_good(lab)
    lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT)
    for name in ANSWERED_AND_DIED:
        kill_at(lab, name)
    run(lab, code=0)
    lab.require_equal()
    assert letters(lab) == {}
    lab.job.call("verify", "--env", ENVIRONMENT)


def _fill(lab: FamilyLab) -> None:
    for id_ in range(8):
        lab.write(*family(id_, id_ % 4))


def _refuse(lab: FamilyLab) -> None:
    for place in range(4):
        for table in ("parent", "child"):
            name = f"{table}{SUFFIXES[place // 2]}"
            lab.at(place, f"ALTER TABLE {name} ADD CONSTRAINT {name}_note CHECK (note <> 'bad')")


def _continue(lab: FamilyLab) -> None:
    """What is held moves, and parents with held rows; more rows are refused where they came to."""
    lab.write("UPDATE parent SET place = 3 WHERE id IN (1, 2)")
    lab.write("UPDATE child SET note = 'bad' WHERE cid = '3-0'", "UPDATE child SET parent_id = 5 WHERE cid = '1-0'")
    lab.write("UPDATE parent SET place = 2, note = 'bad' WHERE id = 4", "UPDATE parent SET place = 1 WHERE id = 3")
    lab.write("DELETE FROM parent WHERE id = 6", "INSERT INTO child VALUES ('2-9', 2, NULL, NULL, 'new')")


def _require_held(lab: FamilyLab) -> None:
    assert set(letters(lab)) == {"1-0", "2", "3-0", "4"}
    assert lab.children(2) == {3: 3}, "the rows of a parent that is held follow it"
    assert lab.children(4) == {2: 2} and lab.places(4) == [0], "nothing of a held row takes effect"
    assert lab.children(3) == {1: 1, 3: 1}, "the held child stays, the other one follows"


def _make_good(lab: FamilyLab) -> None:
    lab.write("UPDATE child SET note = 'good' WHERE note = 'bad'", "UPDATE parent SET note = 'good' WHERE note = 'bad'")
    lab.write("UPDATE parent SET place = 0 WHERE id IN (2, 3)", "UPDATE child SET parent_id = 7 WHERE cid = '3-0'")
