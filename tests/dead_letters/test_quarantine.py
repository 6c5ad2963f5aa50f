"""Rows that a target refuses, on real servers: held with their later events, while all others go on; tried again,
given up.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.fixtures import Some
from tests.servers.testbed import Arena
from tests.support.dead_letters import kill_at, letters, on_every_parent, run
from tests.support.job import ENVIRONMENT
from tests.support.lab import Lab, new_family

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

HELD_AND_DIED = ("after-row-held", "after-held-row-taken-out", "after-held-events-recorded")
ANSWERED_AND_DIED = ("before-dead-letters-read", "after-dead-letters-read", "after-dead-letter-answered")
DIED_AT = frozenset((*HELD_AND_DIED, *ANSWERED_AND_DIED))


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> Lab:
    """A lab whose parents may be held, and whose stream takes one transaction at a time."""
    made = Lab(arena, tmp_path, settings={"batch": {"max_rows": 1}})
    spec = made.job.project / "specs" / "lab.yaml"
    text = spec.read_text(encoding="utf-8")
    spec.write_text(
        text.replace("weight: 10\n", "weight: 10\n    errors: {policy: quarantine, at_most: 3}\n"), encoding="utf-8"
    )
    made.job.call("compile")
    made.create_source()
    return made


@pytest.mark.in_turn
def test_a1_d12_a_refused_row_is_held_with_its_events_and_comes_as_the_source_has_it_when_tried_again(
    lab: Lab, some: Some
) -> None:
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    run(lab, code=0)
    on_every_parent(lab, "ADD CONSTRAINT no_bad CHECK (note <> 'bad')")
    lab.at(0, "INSERT INTO parent_0 (id, place, name, note) VALUES (900, 0, 'taken', '')")
    lab.write("UPDATE parent SET note = 'the copy is passed' WHERE id = 4")
    lab.write("UPDATE parent SET note = 'bad' WHERE id = 1")
    lab.write("UPDATE parent SET place = 2, name = 'moved' WHERE id = 1")
    lab.write("UPDATE child SET place = 2 WHERE id = 1")
    lab.write(*new_family(5, 0, name="taken"))
    lab.write("UPDATE parent SET note = 'fine' WHERE id = 2")
    for name in some(HELD_AND_DIED, 1):
        kill_at(lab, name)
    log = run(lab, code=7)
    assert "2 rows are dead letters" in log
    found = letters(lab)
    assert {key: letter["code"] for key, letter in found.items()} == {"1": "SW8511", "5": "SW8303"}
    assert lab.places(1) == [0] and lab.places(5) == [], "nothing of a held row takes effect"
    assert lab.at(1, "SELECT note FROM parent_0 WHERE id = 2") == [("fine",)], "all others go on"
    assert lab.at(0, "SELECT id FROM parent_0 WHERE name = 'taken'") == [(900,)], "nothing is overwritten"
    on_every_parent(lab, "DROP CONSTRAINT no_bad")
    lab.at(0, "DELETE FROM parent_0 WHERE id = 900")
    lab.write("UPDATE parent SET note = 'later' WHERE id IN (1, 5)", "UPDATE parent SET place = 3 WHERE id = 1")
    lab.write("UPDATE child SET place = 3 WHERE id = 1")
    lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT)
    for name in some(ANSWERED_AND_DIED, 1):
        kill_at(lab, name)
    run(lab, code=0)
    assert lab.places(1) == [3]
    lab.require_equal()
    assert letters(lab) == {}


@pytest.mark.long
def test_a1_b3_g3_rows_that_a_chunk_or_the_stage_brings_are_held_before_the_others_are_written(lab: Lab) -> None:
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    lab.write("UPDATE parent SET note = 'bad' WHERE id = 3", "UPDATE parent SET note = 'worse' WHERE id = 4")
    lab.gates.hold("before-weight")
    with lab.run() as process:
        lab.reach(process, "before-weight")
        on_every_parent(lab, "ADD CONSTRAINT no_bad CHECK (note <> 'bad')")
        on_every_stage(lab, "ADD CONSTRAINT no_worse CHECK (note <> 'worse')")
        lab.gates.hold("after-row-held")
        lab.gates.open("before-weight")
        lab.reach(process, "after-row-held")
    lab.write("UPDATE parent SET place = 0, name = 'moved' WHERE id = 3", "UPDATE child SET place = 0 WHERE id = 3")
    run(lab, code=7)
    found = letters(lab)
    assert sorted(found) == ["3", "4"]
    # MySQL names the CHECKs of a copied table anew. Those of a physical table are called by their own names all the
    # same; a stage of ours
    # has none but this test's.
    worse = "_sw_trial_chk_1" if lab.arena.targets[0].sandbox.kind == "mysql" else "no_worse"
    assert "no_bad" in str(found["3"]["reason"]) and worse in str(found["4"]["reason"])
    assert (found["3"]["events"], found["4"]["events"]) == (1, 0), "events behind the copied row follow it"
    # The physical table takes row 4 as it was copied; it is its later event that the stage refuses.
    assert [lab.places(id_) for id_ in (1, 2, 3, 4)] == [[0], [1], [], [3]]
    on_every_parent(lab, "DROP CONSTRAINT no_bad")
    on_every_stage(lab, "DROP CONSTRAINT no_worse")
    on_every_stage(lab, "ADD CONSTRAINT no_evil CHECK (sw_action <> 'upsert' OR note <> 'evil')")
    lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT)
    lab.write("UPDATE parent SET note = IF(id = 2, 'evil', 'good')")
    run(lab, code=7)
    found = letters(lab)
    assert {key: letter["code"] for key, letter in found.items()} == {"2": "SW8511"}
    assert found["2"]["events"] == 1
    assert lab.at(0, "SELECT note FROM parent_0 WHERE id = 1") == [("good",)]
    lab.write("DELETE FROM child WHERE id = 2", "DELETE FROM parent WHERE id = 2")
    lab.job.call("dead-letters", "discard", "--env", ENVIRONMENT, "--key", "2", "--reason", "a test")
    run(lab, code=0)
    assert lab.places(2) == [], "the next event of a row that was given up is applied again"
    lab.require_equal()


def on_every_stage(lab: Lab, action: str) -> None:
    for shard in range(2):
        lab.at(shard, f"ALTER TABLE _sw_stage_parent {action}")
