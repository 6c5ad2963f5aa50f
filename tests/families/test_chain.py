"""Parents that have a parent: rows of all levels are where the topmost row is, whatever moves, and wherever a run dies
(C1, C3, A2).
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.families.chain_driver import ChainLab, happenings
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.ledger_state import require_sound

pytestmark = [pytest.mark.server, pytest.mark.spark]

KILLED_AT = ("after-lookup-table-filled", "after-chunk-commit", "after-children-read", "after-stage", "after-upsert")


@pytest.mark.long
def test_a1_d13_all_levels_follow_the_topmost_row(arena: Arena, tmp_path: Path, dice: random.Random) -> None:
    """Snapshot under writes; batches of any size; a run that is killed in the middle of a move, and one that goes on."""
    lab = ChainLab(arena, tmp_path)
    lab.fill_chain()
    with lab.run(gated=False) as run:
        for transaction in happenings(dice, 60):
            lab.write(*transaction)
        lab.until(run, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        lab.drain(run)
        lab.require_placed()
    _die_at(lab, "after-upsert", dice)
    with lab.run(gated=False) as run:
        lab.write_all(happenings(dice, 40))
        lab.drain(run)
    lab.finish()
    lab.require_placed()
    assert "equal" in lab.job.call("verify", "--env", ENVIRONMENT)


@pytest.mark.long
def test_a1_b3_killed(arena: Arena, tmp_path: Path, dice: random.Random) -> None:
    lab = ChainLab(arena, tmp_path)
    lab.fill_chain()
    for name in KILLED_AT:
        _die_at(lab, name, dice)
    lab.finish()
    lab.require_placed()


@pytest.mark.long
def test_d1_lines_are_where_the_server_finds_their_order(arena: Arena, tmp_path: Path, dice: random.Random) -> None:
    lab = ChainLab(arena, tmp_path, collation="utf8mb4_general_ci")
    lab.fill_chain()
    with lab.run(gated=False) as run:
        for _ in range(3):
            lab.write_all(happenings(dice, 20))
            lab.drain(run)
    _die_at(lab, "after-stage", dice)
    lab.finish()
    lab.require_placed()
    assert "equal" in lab.job.call("verify", "--env", ENVIRONMENT)


def _die_at(lab: ChainLab, name: str, dice: random.Random) -> None:
    """Everybody moves; run until `name` is reached, and kill everything there."""
    lab.write("UPDATE customer SET place = (place + 1) % 4")
    lab.write_all(happenings(dice, 8))
    lab.gates.open_all()
    lab.gates.forget()
    lab.gates.hold(name)
    with lab.run() as run:
        lab.reach(run, name)
    require_sound(lab.arena, lab.ledger_state())
