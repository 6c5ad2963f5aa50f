"""Threads that build indexes: one that cannot be started ends the run with its own reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from shardwright.runtime.ddl.tables import build_indexes
from shardwright.runtime.ddl.tables.build_indexes import IndexBuilding
from shardwright.runtime.events.event import ignore
from shardwright.runtime.ledger.fencing import Writer


@dataclass
class _Item:
    logical: str
    shard: int


@dataclass
class _Address:
    host: str
    port: int


class _Anything:
    """A plan of one table on three shards, each on a server of its own."""

    shards = tuple(_Address("db", port) for port in (1, 2, 3))

    @property
    def deferred_indexes(self) -> dict[str, tuple[str, ...]]:
        return {"orders": ("placed",)}


class _Thread:
    """Only the first one can be started."""

    started = 0
    joined = 0

    def __init__(self, **_: Any) -> None:
        self._runs = False

    def start(self) -> None:
        if _Thread.started:
            raise RuntimeError("can't start new thread")
        _Thread.started, self._runs = 1, True

    def join(self, _timeout: float) -> None:
        if not self._runs:
            raise RuntimeError("cannot join thread before it is started")
        _Thread.joined += 1


def test_threads_that_never_started_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    items = [_Item("orders", shard) for shard in range(3)]
    monkeypatch.setattr(build_indexes, "find_lacking", lambda _plan, _servers: items)
    monkeypatch.setattr(build_indexes, "Thread", _Thread)
    monkeypatch.setattr(IndexBuilding, "_total", lambda _self, _logical: 3)
    both: Any = _Anything()
    building = IndexBuilding(
        plan=both,
        servers=both,
        writer=Writer(1),
        emit=ignore,
        may_build=lambda: True,
        on_step=lambda: None,
    )
    with pytest.raises(RuntimeError, match="start new thread"):
        building.begin()
    building.end()
    assert (_Thread.started, _Thread.joined) == (1, 1)
