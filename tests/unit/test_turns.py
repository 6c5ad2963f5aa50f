"""Tests that take turns: each runs in one of three days."""

from __future__ import annotations

from tests.support.turns import TURNS, names_of_other_turns

NAMES = [f"test_{number}" for number in range(10)]


def test_each_test_has_one_turn() -> None:
    turns = [set(NAMES) - set(names_of_other_turns(NAMES, turn)) for turn in range(TURNS)]
    assert sorted(name for turn in turns for name in turn) == NAMES
    assert max(map(len, turns)) - min(map(len, turns)) <= 1


def test_the_turn_does_not_depend_on_the_order() -> None:
    assert names_of_other_turns(NAMES[::-1], 1) == names_of_other_turns(NAMES, 1)
