"""What a message tells an operator to do, done to the letter, leads on: batches that a shard refuses, held rows, tables
that are copied again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.commands import shardwright
from tests.support.dead_letters import letters, on_every_parent
from tests.support.dead_letters import run as run_held
from tests.support.job import ENVIRONMENT
from tests.support.lab import Lab

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

_QUARANTINED = "weight: 10\n    errors: {{policy: quarantine, at_most: {}}}\n"


def _call(lab: Lab, *arguments: str, code: int, saying: str) -> None:
    outcome = shardwright(lab.job.project, *arguments)
    assert outcome.code == code, outcome
    assert saying in outcome.out + outcome.err, outcome


@pytest.mark.long
def test_a_batch_that_a_shard_refuses_is_finished_once_that_is_fixed(arena: Arena, tmp_path: Path) -> None:
    """SW8302: run again."""
    lab = Lab(arena, tmp_path, flat=True)
    lab.create_source()
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    with lab.run(gated=False) as process:
        lab.until(process, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        lab.drain(process)
        lab.at(0, "CREATE TRIGGER logs BEFORE UPDATE ON parent_0 FOR EACH ROW INSERT INTO no_such_table VALUES (1)")
        lab.write("UPDATE parent SET note = 'changed'")
        lab.wait_for_end(process, code=5, saying="SW8302")
    lab.at(0, "DROP TRIGGER logs")
    lab.finish()
    lab.require_equal()


@pytest.mark.long
def test_d12_more_refused_rows_than_at_most_stop_the_run_until_it_is_raised(arena: Arena, tmp_path: Path) -> None:
    """SW8512: raise errors.at_most. SW8513: dead-letters list. SW8514: dead-letters retry."""
    lab = Lab(arena, tmp_path, settings={"batch": {"max_rows": 1}})
    spec = lab.job.project / "specs" / "lab.yaml"
    text = spec.read_text(encoding="utf-8")
    spec.write_text(text.replace("weight: 10\n", _QUARANTINED.format(2)), encoding="utf-8")
    lab.job.call("compile")
    lab.create_source()
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    run_held(lab, code=0)
    on_every_parent(lab, "ADD CONSTRAINT no_bad CHECK (note <> 'bad')")
    lab.write("UPDATE parent SET note = 'bad' WHERE id IN (1, 2)")
    lab.write("UPDATE parent SET note = 'bad' WHERE id = 3")
    assert "SW8512" in run_held(lab, code=6)

    spec.write_text(text.replace("weight: 10\n", _QUARANTINED.format(20)), encoding="utf-8")
    lab.job.call("compile")
    run_held(lab, code=7)
    assert sorted(letters(lab)) == ["1", "2", "3"]
    lab.write("UPDATE parent SET place = 3 WHERE id = 1", "UPDATE child SET place = 3 WHERE id = 1")
    run_held(lab, code=7)
    discard = ("dead-letters", "discard", "--env", ENVIRONMENT, "--reason", "a test", "--key")
    _call(lab, *discard, "77", code=1, saying="SW8513")
    _call(lab, *discard, "1", code=6, saying="SW8514")
    on_every_parent(lab, "DROP CONSTRAINT no_bad")
    lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT, "--key", "1")
    run_held(lab, code=7)
    assert sorted(letters(lab)) == ["2", "3"] and lab.places(1) == [3]
    _call(
        lab,
        "run",
        "--env",
        ENVIRONMENT,
        "--until",
        "caught-up",
        "--recopy",
        "parent",
        "--allow",
        "SW8147",
        code=0,
        saying="",
    )
    assert letters(lab) == {}, "the copy brings the rows that were held"
    lab.require_equal()
