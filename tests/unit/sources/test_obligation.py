"""What a position owes: set, carried on until a batch has reached it, kept in the ledger's text."""

from __future__ import annotations

import pytest

from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.obligation import Obligation

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
    start = START.must_replay(until=_at(8, 400, epoch=2))
    assert start.replay_end == _at(8, 400, epoch=2)
    assert start.obligation_at(place) == (Obligation(replay_until=("log.000008", 400)) if owed else Obligation())


def test_rows_are_repaired_before_the_first_batch() -> None:
    start = START.must_repair(batch=5).must_repair(batch=3).must_repair(batch=8)
    assert start.owed.repair_from_batch == 3
    both = start.must_replay(until=_at(9, 4, epoch=2))
    assert both.owed == Obligation(("log.000009", 4), 3)
    assert both.obligation_at(_at(8, 4)) == Obligation(("log.000009", 4))


def test_a_position_that_owes_nothing() -> None:
    assert START.replay_end is None and START.obligation_at(_at(7, 101)) == Obligation()
    assert START.must_repair(batch=1).fulfil().owed == START.owed == Obligation()


def test_what_is_owed_is_in_the_ledgers_text() -> None:
    start = START.must_replay(until=_at(8, 400, epoch=2)).must_repair(batch=3)
    assert start.to_json() == {
        "file": "log.000007", "pos": 100, "epoch": 2, "repair_from_batch": 3, "replay_until": ["log.000008", 400]
    }  # fmt: skip
    assert LogPosition.from_json(start.to_json()).owed == start.owed
    assert start == START, "what is owed is no part of the place"
