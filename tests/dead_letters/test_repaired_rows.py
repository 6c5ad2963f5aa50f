"""Rows whose repair was asked for, and that events change before the stream has read them again."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.runtime.ledger.dead_letters import QuarantinedKey, order_reread
from tests.servers.testbed import Arena
from tests.support.lab import Lab

pytestmark = [pytest.mark.server, pytest.mark.spark]

MIGRATION = "lab"


def _repair(lab: Lab, id_: int) -> None:
    """As `repair` does for a row that is nowhere on the shards: it knows of no place."""
    held = QuarantinedKey("parent", "lab.parent", (str(id_),))
    with lab.arena.shard(lab.shards[0]) as control:
        order_reread(control, MIGRATION, held, code="SW8522", reason="verify: missing", places=frozenset())


@pytest.mark.long
def test_h6_a_row_that_comes_back_before_its_repair_leaves_its_place_as_the_source_says(
    arena: Arena, tmp_path: Path
) -> None:
    """The comparison found the rows missing. Before the run knows of their repair, an event brings them back; after
    that, and before they are read again, one is deleted and the other one moves. These events are left out of the
    stream, and what they would have deleted goes nevertheless."""
    lab = Lab(arena, tmp_path)
    lab.create_source()
    lab.fill({1: 0, 2: 1, 3: 2})
    lab.finish()
    with lab.run() as run:
        lab.write("UPDATE parent SET note = 'the copy is passed' WHERE id = 3")
        lab.drain(run)
        lab.at(0, "DELETE FROM parent_0 WHERE id = 1")
        lab.at(1, "DELETE FROM parent_0 WHERE id = 2")
        lab.write("UPDATE parent SET note = 'back' WHERE id IN (1, 2)")
        lab.drain(run)
        assert lab.places(1) == [0] and lab.places(2) == [1]
        lab.gates.hold("before-dead-letters-read")
        _repair(lab, 1)
        _repair(lab, 2)
        lab.reach(run, "before-dead-letters-read")
        lab.write("DELETE FROM child WHERE id = 1", "DELETE FROM parent WHERE id = 1")
        lab.write("UPDATE parent SET place = 2 WHERE id = 2", "UPDATE child SET place = 2 WHERE id = 2")
        lab.gates.open("before-dead-letters-read")
        lab.drain(run)
        assert lab.places(1) == [] and lab.places(2) == [2]
    lab.require_equal()
