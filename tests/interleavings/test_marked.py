"""Every transaction that a run writes to a shard is known in the shard's log (direction D3): copying, staging, upserts,
moves, unique values that change hands, deletes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.files import read_plan
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.sources.binlog.connection import log_head
from shardwright.runtime.sources.binlog.log import Log, Own, Tables
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.positions.log_position import LogPosition
from tests.servers.testbed import Arena
from tests.support.lab import Lab, new_family

pytestmark = [pytest.mark.server, pytest.mark.spark]

Change = tuple[str, str, str | None]
"""Table, operation and id."""


def _shards(lab: Lab) -> list[Endpoint]:
    """The servers that hold shards, each once."""
    servers = {id(server): server for server in (lab.arena.placement[name] for name in lab.shards)}
    return [server.endpoint for server in servers.values()]


def _backward_tables(lab: Lab) -> Tables:
    """The shards' tables as the backward plan follows them."""
    plan = read_plan(lab.job.project / "build" / "lab" / "backward")
    return {
        str(source): tuple(Column(column.name, column.type, column.nullable) for column in table.source.columns)
        for table in plan.tables
        for source in table.sources
    }


def _changes(lab: Lab, starts: list[tuple[Endpoint, LogPosition]], own: Own) -> list[Change]:
    found: list[Change] = []
    for endpoint, start in starts:
        for batch in read_changes(Log(endpoint, _backward_tables(lab), own=own), start, log_head(endpoint)):
            rows = zip(*(batch[name].to_pylist() for name in ("table", "op", "before", "after")), strict=True)
            found += [(table, op, (after or before)[0]) for table, op, before, after in rows]
    return found


@pytest.mark.long
def test_every_write_of_a_run_is_known_in_the_shards_logs(arena: Arena, tmp_path: Path) -> None:
    lab = Lab(arena, tmp_path)
    lab.create_source()
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    lab.gates.hold("before-chunk-read")
    with lab.run(until="caught-up") as run:
        lab.reach(run, "before-chunk-read")
        starts = [(endpoint, log_head(endpoint)) for endpoint in _shards(lab)]
        lab.gates.open("before-chunk-read")
        lab.write(*new_family(5, 1))
        lab.wait_for_end(run, code=0)
    with lab.run() as run:
        lab.write("UPDATE parent SET place = 3 WHERE id = 1", "UPDATE child SET place = 3 WHERE id = 1")
        lab.write(
            "UPDATE parent SET name = 'free' WHERE id = 2",
            "UPDATE parent SET name = 'n2' WHERE id = 5",
            "UPDATE parent SET name = 'n5' WHERE id = 2",
        )
        lab.write("UPDATE parent SET note = 'changed' WHERE id = 4")
        lab.write("DELETE FROM child WHERE id = 3", "DELETE FROM parent WHERE id = 3")
        lab.drain(run)
    lab.finish()
    lab.require_equal()
    seen = _changes(lab, starts, frozenset())
    assert {op for _, op, _ in seen} == {"I", "U", "D"}
    assert {table.partition(".")[0] for table, _, _ in seen} == set(lab.shards)
    ours = frozenset((shard, "lab") for shard in lab.shards)
    assert _changes(lab, starts, ours) == []
    place = lab.places(4)[0]
    lab.at(place, f"UPDATE parent_{place // 2} SET note = 'an application writes' WHERE id = 4")
    assert _changes(lab, starts, ours) == [(f"{lab.shards[place % 2]}.parent_{place // 2}", "U", "4")]
