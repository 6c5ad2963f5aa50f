"""Tombstones of an earlier version, of a table with several source tables, get a source table each (hazard J7)."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path

import pytest

from shardwright.compiler.plan.plan import StepName
from shardwright.runtime.cli.connecting import deployment
from shardwright.runtime.failpoints import VARIABLE
from shardwright.runtime.failures import StoppedPartWay
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.takeover import first_writer
from shardwright.runtime.run.begin import create_bookkeeping
from shardwright.runtime.run.earlier_tombstones import give_sources
from tests.field.case import SHARDS, Case
from tests.servers.testbed import Arena
from tests.workload.job import ENVIRONMENT

pytestmark = [pytest.mark.server]

DIED_AT = frozenset({"before-tombstones-divided"})
"""In this process: it stops there."""
_TABLES = """tables:
  - {table: "item_?", expect: 2, to: item, sharding: by_id}
  - {table: note, sharding: by_id}"""


def test_j7_b11_tombstones_of_an_earlier_version_forbid_the_row_of_every_source(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [f"CREATE TABLE {name} (id INT PRIMARY KEY)" for name in ("item_0", "item_1", "note")]
    case = Case(arena, tmp_path, _TABLES, setup=made)
    case.plan()
    deployed = deployment(argparse.Namespace(project=case.project, env=ENVIRONMENT, migration="field", quiet=True))
    now = deployed.plan.step("item", StepName.BOOKKEEPING).statement("tombstone")
    earlier = now.replace("  `sw_source` INT NOT NULL,\n", "").replace(", `sw_source`)", ")")
    assert "sw_source" not in earlier
    with closing(deployed.servers.connect_shard(0)) as control:
        context = RunContext(deployed.plan, deployed.servers, control, first_writer(deployed.servers))
        give_sources(context)  # there are none yet
        for number, shard in enumerate(SHARDS):
            arena.placement[shard].query(earlier, database=shard)
            rows = f"(0, {number}, 1, 2, 3), (1, {number}, 4, 5, 6)"
            arena.placement[shard].query(f"INSERT INTO _sw_gone_item VALUES {rows}", database=shard)
        create_bookkeeping(deployed.plan, deployed.servers)
        for name in DIED_AT:
            monkeypatch.setenv(VARIABLE, f"{name}=error")
            with pytest.raises(StoppedPartWay, match=name):
                give_sources(context)
        monkeypatch.delenv(VARIABLE)
        give_sources(context)
        for number, shard in enumerate(SHARDS):
            found = arena.placement[shard].query(
                "SELECT sw_part, id, sw_file, sw_offset, sw_row, sw_source FROM _sw_gone_item", database=shard
            )
            every = [(part, number, *at) for part, at in enumerate([(1, 2, 3), (4, 5, 6)])]
            assert sorted(found) == [(*each, source) for each in every for source in (0, 1)]
        # The earlier version has gone on before the newer plan was adopted, and has remembered one of them again.
        insert = "INSERT INTO _sw_gone_item (sw_part, id, sw_file, sw_offset, sw_row) VALUES (0, 0, 7, 7, 7), (0, 9, 7, 7, 7)"
        arena.placement[SHARDS[0]].query(insert, database=SHARDS[0])
        give_sources(context)
        found = arena.placement[SHARDS[0]].query("SELECT id, sw_source FROM _sw_gone_item", database=SHARDS[0])
        assert sorted(found) == [(0, 0), (0, 0), (0, 1), (0, 1), (9, 0), (9, 1)]
