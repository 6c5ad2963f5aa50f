"""A chunk of children that the stream overtakes: read before parents moved, written after (B2, C4)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.families.driver import FamilyLab, family, happenings
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]


@pytest.mark.long
def test_b2_a_chunk_brings_nothing_back_wherever_its_parents_went(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    """Rows that are gone by the time their chunk is written have no tombstone where their parent stands by then."""
    lab = FamilyLab(arena, tmp_path, chunk_rows=1000)  # one chunk: a task that waits at a gate holds a core
    lab.create_source()
    for id_ in range(60):
        lab.write(*family(id_, id_ % 4, children=2, details=2))
    lab.gates.hold("after-chunk-read")
    with lab.run() as run:
        lab.reach(run, "after-chunk-read")
        # The parent of a row that is deleted, or goes to another parent, moves after that, in another batch.
        lab.write(
            "DELETE FROM child WHERE parent_id < 10",
            "UPDATE child SET parent_id = parent_id + 30 WHERE cid LIKE '1%-0'",
        )
        lab.write("UPDATE parent SET place = (place + 1) % 4 WHERE id % 2 = 0", "DELETE FROM parent WHERE id = 21")
        lab.drain(run)
        lab.write("UPDATE parent SET place = (place + 1) % 4", "UPDATE parent SET id = 121 WHERE id = 22")
        lab.write("INSERT INTO child VALUES ('3-0', 4, 'again', NULL, 'came back with another parent')")
        lab.drain(run)
        lab.write_all(happenings(dice, 20))
        lab.drain(run)
        assert not lab.ledger_state().snapshot_done
        lab.gates.open_all()
        lab.until(run, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        lab.write("UPDATE parent SET place = (place + 1) % 4")
        lab.drain(run)
        lab.require_equal()
    lab.finish()
    lab.job.call("verify", "--env", ENVIRONMENT)


@pytest.mark.long
def test_b3_half_a_chunk_whose_parents_move_before_it_is_written_again(arena: Arena, tmp_path: Path) -> None:
    """What stands of it moves; what does not is not taken for written on the shard where it belongs by then."""
    lab = FamilyLab(arena, tmp_path, cores=6)
    lab.create_source()
    for id_ in range(60):
        lab.write(*family(id_, id_ % 4, children=2, details=2))
    lab.gates.hold("after-chunk-commit")
    with lab.run() as run:
        lab.reach(run, "after-chunk-commit")
    present = sum(len(lab.children(id_)) for id_ in range(60))
    assert 0 < present < 60, "the chunk is not half written"
    lab.gates.open_all()
    lab.gates.forget()
    lab.gates.hold("before-chunk-read")
    lab.write("UPDATE parent SET place = (place + 1) % 4", "DELETE FROM child WHERE parent_id % 10 = 0")
    with lab.run() as run:
        lab.reach(run, "before-chunk-read")
        lab.drain(run)
        assert sum(len(lab.children(id_)) for id_ in range(60)) < 60
        lab.gates.open_all()
        lab.until(run, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        lab.drain(run)
        lab.require_equal()
