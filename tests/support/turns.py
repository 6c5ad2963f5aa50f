"""Which of the tests marked `in_turn` does this run have? They take long, and other tests have their subject, too.

`make test` runs a third of them, and another third the next day: SHARDWRIGHT_TEST_TURN=0, 1 or 2 chooses it. Without
the variable all of them run.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Final

import pytest

TURNS: Final = 3
_CHOICE: Final = "SHARDWRIGHT_TEST_TURN"


def describe_turn() -> list[str]:
    """For the head of the report."""
    turn = _read_turn()
    return [] if turn is None else [f"tests in turn: {turn} of {TURNS} (repeat with {_CHOICE}={turn})"]


def leave_out_other_turns(config: pytest.Config, items: list[pytest.Item]) -> None:
    turn = _read_turn()
    if turn is not None:
        marked = [item for item in items if item.get_closest_marker("in_turn")]
        others = set(names_of_other_turns([item.nodeid for item in marked], turn))
        config.hook.pytest_deselected(items=[item for item in marked if item.nodeid in others])
        items[:] = [item for item in items if item.nodeid not in others]


def names_of_other_turns(names: Collection[str], turn: int) -> list[str]:
    """Neighbours have different turns, so each turn has some tests of each file with many."""
    return [name for number, name in enumerate(sorted(names)) if number % TURNS != turn]


def _read_turn() -> int | None:
    text = os.environ.get(_CHOICE, "")
    if not text:
        return None
    if text not in map(str, range(TURNS)):
        raise pytest.UsageError(f"{_CHOICE} is {text!r}, and has to be from 0 to {TURNS - 1}")
    return int(text)
