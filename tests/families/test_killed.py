"""Runs of families that die where a parent's move, a chunk of its rows or the book of places is half done (C1, C3,
A2, B3).

Before each new start every parent moves to the other shard, so that whatever was written by the old places is wrong
by then.
"""

from __future__ import annotations

import random

import pytest

from tests.families.driver import FamilyLab, family, happenings
from tests.support.ledger_state import require_sound

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

WHILE_COPYING = (
    "after-lookup-table-filled",
    "after-chunk-read",
    "before-chunk-commit",
    "after-chunk-commit",
    "after-chunk-done",
)
WHILE_FOLLOWING = (
    "after-children-read",
    "after-stage",
    "before-mark-staged",
    "after-mark-staged",
    "after-upsert",
    "after-move-out",
    "before-close-batch",
)
DIED_AT = frozenset({*WHILE_COPYING, *WHILE_FOLLOWING, "after-chunks-forgotten"})


def test_a1_b3_killed_while_copying(lab: FamilyLab, dice: random.Random) -> None:
    """Chunks that stand on one shard only when their rows' parents leave for it, and for the other one."""
    _fill(lab)
    for name in WHILE_COPYING:
        _die_at(lab, name)
        _everybody_moves(lab, dice)
        if name == "after-chunk-read":  # a begun chunk is there to be forgotten
            _die_at(lab, "after-chunks-forgotten")
    lab.finish()
    lab.require_equal()


def test_a1_d13_killed_while_following(lab: FamilyLab, dice: random.Random) -> None:
    _fill(lab)
    lab.finish()
    for name in WHILE_FOLLOWING:
        _everybody_moves(lab, dice)
        _die_at(lab, name)
    lab.finish()
    lab.require_equal()


def _fill(lab: FamilyLab) -> None:
    for id_ in range(40):
        lab.write(*family(id_, id_ % 4, children=3, details=3))
    lab.write("INSERT INTO child VALUES ('orphan', 4711, 'o', NULL, ''), ('none', NULL, 'p', NULL, '')")


def _everybody_moves(lab: FamilyLab, dice: random.Random) -> None:
    lab.write("UPDATE parent SET place = (place + 1) % 4")
    lab.write_all(happenings(dice, 8))


def _die_at(lab: FamilyLab, name: str) -> None:
    """Run until somebody comes to `name`, and kill everything there."""
    lab.gates.open_all()
    lab.gates.forget()
    lab.gates.hold(name)
    with lab.run() as run:
        lab.reach(run, name)
    require_sound(lab.arena, lab.ledger_state())
