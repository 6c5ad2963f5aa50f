"""A shard's primary dies while the source follows the shards, and its replica takes over (E5): nothing is lost, and
what the replica does not have is taken back at the source.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.servers.fixtures import FAST
from tests.servers.testbed import Arena
from tests.support.replicas import Node, replica_of
from tests.support.waiting import wait_until
from tests.support.way_back_lab import BackLab

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

_LOGGED = {"log-slave-updates": "ON", "slave-net-timeout": "5", **FAST}
SHARD = 1
"""The server of lab_1, which has places 1 and 3."""


@pytest.fixture
def replica(arena: Arena, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    with replica_of(arena.targets[SHARD], tmp_path_factory.mktemp("replica"), 208, _LOGGED) as node:
        yield node


def test_e5_the_replica_of_a_shard_takes_over(arena: Arena, replica: Node, tmp_path: Path) -> None:
    lab = BackLab(arena, tmp_path)
    lab.create_source()
    lab.fill({number: number % 4 for number in range(1, 21)}, lines=1)
    lab.finish()
    lab.turn()
    with lab.run(gated=False) as run:
        for number in range(1, 21, 4):
            lab.on(1, f"UPDATE parent_0 SET note = 'before' WHERE id = {number}")
        lab.insert(31, 3)
        lab.drain(run)
        _until(lambda: replica.run("SELECT COUNT(*) FROM lab_1.parent_1 WHERE id = 31") == [(1,)])
        replica.stop_copying()
        lab.on(1, "UPDATE parent_0 SET note = 'lost' WHERE id = 1")
        lab.on(3, "DELETE FROM parent_1 WHERE id = 3")
        lab.insert(33, 1)
        lab.on(
            0, "INSERT INTO parent_0 (id, place, name, note) VALUES (7, 0, 'n7', 'moved, and only the insert stays')"
        )
        lab.on(3, "DELETE FROM parent_1 WHERE id = 7")
        lab.drain(run)
        assert lab.source("SELECT note FROM parent WHERE id = 1") == [("lost",)]
        _kill_primary(arena)
        replica.stop()
        replica.start(port=arena.targets[SHARD].port)  # the address goes over, as a virtual one does
        replica.run("DELETE FROM lab_1.parent_1 WHERE id = 7")  # the application repairs what it lost
        replica.run("INSERT INTO lab_1.parent_0 (id, place, name, note) VALUES (35, 1, 'n35', 'after')")
        _until(lambda: lab.source("SELECT id FROM parent WHERE id = 35") == [(35,)], lab, run)
        _until(lambda: _of_source(lab) == _of_shards(arena, replica), lab, run)
    assert lab.source("SELECT note FROM parent WHERE id = 1") == [("before",)]
    assert lab.source("SELECT id FROM parent WHERE id IN (3, 33)") == [(3,)]
    said = arena.source.query(
        "SELECT detail FROM _shardwright_audit WHERE what = 'source changed'", database="_shardwright_lab"
    )
    assert said and all(line.startswith("lab_1: ") for (line,) in said)


def _kill_primary(arena: Arena) -> None:
    pid = arena.targets[SHARD].sandbox.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)


def _of_source(lab: BackLab) -> list[tuple[Any, ...]]:
    return sorted(lab.source("SELECT id, place, name, note FROM parent"))


def _of_shards(arena: Arena, replica: Node) -> list[tuple[Any, ...]]:
    sql = "SELECT id, place, name, note FROM {}.parent_{}"
    return sorted(
        [row for part in range(2) for row in arena.targets[0].query(sql.format("lab_0", part))]
        + [row for part in range(2) for row in replica.run(sql.format("lab_1", part))]
    )


def _until(holds: Callable[[], bool], lab: BackLab | None = None, run: Any = None) -> None:
    wait_until("it is so", holds, seconds=240, run=run, show=lab.job.end_of_log if lab else str)
