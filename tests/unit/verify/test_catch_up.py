"""How long does a comparison wait for the shards? As long as a run does something."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import pytest

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.ledger.batches import MigrationState
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.verify.barrier import ReplicationBarrier

PATIENCE = 60.0
STEP = 40.0
"""Seconds between two states: less than the patience, and two of them are more."""


def _at(offset: int) -> StreamPosition:
    return StreamPosition({"shop": LogPosition("binlog.000001", offset)})


class _Waiting(ReplicationBarrier):
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

    def _run_is_live(self) -> bool:
        return False

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


def test_threads_that_come_while_one_waits_have_one_wait_together() -> None:
    """And each of them only when it asked for no later position than the wait's."""
    waiting, gate, heads = _Waiting([(number, 99) for number in range(9)], wanted=99), threading.Event(), list[int]()

    def head() -> StreamPosition:
        heads.append(len(heads))
        assert gate.wait(30)
        return _at(99)

    waiting.head = head  # type: ignore[method-assign]
    with ThreadPoolExecutor(5) as pool:
        first = pool.submit(waiting.catch_up)
        while not heads:
            time.sleep(0.01)
        others = [pool.submit(waiting.catch_up) for _ in range(4)]
        time.sleep(0.2)
        gate.set()
        for one in (first, *others):
            one.result(30)
    assert len(heads) == 2
    waiting.catch_up()
    assert len(heads) == 3, "what is asked for later is later"
