"""How long does a comparison wait for the shards? As long as a run does something."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.ledger.batches import MigrationState
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.position import StreamPosition
from shardwright.runtime.verify.beside_stream import BesideStream

PATIENCE = 60.0
STEP = 40.0
"""Seconds between two states: less than the patience, and two of them are more."""


def _at(offset: int) -> StreamPosition:
    return StreamPosition({"shop": LogPosition("binlog.000001", offset)})


class _Waiting(BesideStream):
    """The clock goes on by one state with every look."""

    def __init__(self, states: list[tuple[int, int]], wanted: int) -> None:
        """`states`: last closed batch and offset, one after the other; `wanted`: the offset to be reached."""
        self._states: Iterator[tuple[int, int]] = iter(states)
        self._wanted, self._seconds = _at(wanted), 0.0
        super().__init__(
            cast(Plan, None),
            cast(Servers, None),
            (),
            PATIENCE,
            began_at=_at(0),
            now=lambda: self._seconds,
            sleep=lambda _seconds: None,
        )

    def head(self) -> StreamPosition:
        return self._wanted

    def _lead_on(self) -> str:
        return "start a run"

    def _state(self) -> MigrationState:
        batch, offset = next(self._states)
        self._seconds += STEP
        return MigrationState("plan", {}, _at(0), _at(offset), batch, {}, _at(0), 0)


def test_h6_a_batch_that_moves_no_position_is_waited_for() -> None:
    """Rows that are read again are a batch of their own, whose range is empty."""
    _Waiting([(1, 10), (2, 10), (3, 10), (4, 10), (5, 99)], wanted=99).catch_up()


def test_a_position_that_moves_without_a_batch_is_waited_for() -> None:
    _Waiting([(1, 10), (1, 20), (1, 30), (1, 99)], wanted=99).catch_up()


def test_a_run_that_does_nothing_is_not() -> None:
    waiting = _Waiting([(1, 10), (2, 20), (2, 20), (2, 20), (3, 99), (3, 99)], wanted=99)
    with pytest.raises(CouldNotCheck, match=r"has not shrunk for 60 s"):
        waiting.catch_up()
    waiting.catch_up()  # later: it has got there
