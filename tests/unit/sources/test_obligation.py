"""What a position owes: set, carried on until a batch has reached it, kept in the ledger's text."""

from __future__ import annotations

import pytest

from shardwright.runtime.sources.binlog.obligation import after, fulfilled, must_repair, must_replay, replay_end
from shardwright.runtime.sources.binlog.position import LogPosition, Obligation

START = LogPosition("log.000007", 100, epoch=2)


def _at(file: int, offset: int, epoch: int = 0) -> LogPosition:
    return LogPosition(f"log.{file:06}", offset, epoch=epoch)


@pytest.mark.parametrize(
    ("place", "owed"),
    [
        (_at(7, 300), True),
        (_at(8, 399), True),
        (_at(8, 400), False),
        (_at(10, 4), False),
        (_at(8, 399, epoch=9), True),  # the scan's places have the epoch of their start, whatever they say
    ],
)
def test_a_replay_is_owed_until_a_boundary_reaches_its_end(place: LogPosition, owed: bool) -> None:
    start = must_replay(START, until=_at(8, 400, epoch=2))
    assert replay_end(start) == _at(8, 400, epoch=2)
    assert after(start, place) == (Obligation(replay_until=("log.000008", 400)) if owed else Obligation())


def test_rows_are_repaired_before_the_first_batch() -> None:
    start = must_repair(must_repair(must_repair(START, batch=5), batch=3), batch=8)
    assert start.owed.repair_from_batch == 3
    both = must_replay(start, until=_at(9, 4, epoch=2))
    assert both.owed == Obligation(("log.000009", 4), 3)
    assert after(both, _at(8, 4)) == Obligation(("log.000009", 4))


def test_a_position_that_owes_nothing() -> None:
    assert replay_end(START) is None and after(START, _at(7, 101)) == Obligation()
    assert fulfilled(must_repair(START, batch=1)).owed == START.owed == Obligation()


def test_what_is_owed_is_in_the_ledgers_text() -> None:
    start = must_repair(must_replay(START, until=_at(8, 400, epoch=2)), batch=3)
    assert start.to_json() == {
        "file": "log.000007", "pos": 100, "epoch": 2, "repair_from_batch": 3, "replay_until": ["log.000008", 400]
    }  # fmt: skip
    assert LogPosition.from_json(start.to_json()).owed == start.owed
    assert start == START, "what is owed is no part of the place"
