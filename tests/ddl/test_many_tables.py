"""256 physical tables on two servers: killed at a random one, again and again, and resumed (hazard E18)."""

from __future__ import annotations

import random
import subprocess
import time
from pathlib import Path

import pytest

from shardwright.runtime.ddl.routing.policy import DdlPolicy
from shardwright.runtime.ddl.routing.router import DdlResult, route_changes
from shardwright.runtime.ddl.routing.status import ddl_status
from shardwright.runtime.ddl.shard_access import ShardAccess
from shardwright.runtime.ddl.tables.create import create_tables
from shardwright.runtime.failures import StoppedPartWay
from tests.ddl.plans import wide_plan
from tests.ddl.shards import Shards
from tests.ddl.test_router import HASTY, lock, quiet

pytestmark = pytest.mark.server

FILES = {
    "ddl/0001_note.sql": "ALTER TABLE orders ADD COLUMN note varchar(40) AFTER amount;\n",
    "ddl/0002_index.sql": "ALTER TABLE orders ADD INDEX by_note (note(8)), ALTER COLUMN amount SET DEFAULT 1;\n",
}


def _create(shards: Shards) -> None:
    create_tables(wide_plan({}), connect=shards.connect, limit=8, on_progress=quiet)


def _tables(shards: Shards) -> set[str]:
    return {f"{database}.orders{suffix}" for database in shards.databases for suffix in shards.suffixes}


def _until(process: subprocess.Popen[str], lines: int) -> list[str]:
    assert process.stdout is not None
    return [line.strip() for _, line in zip(range(lines), process.stdout, strict=False)]


@pytest.mark.mysql
def test_e18_killed_at_any_of_256_tables_and_resumed(wide_shards: Shards, tmp_path: Path, dice: random.Random) -> None:
    shards = wide_shards
    _create(shards)
    everything, kills, said = _tables(shards), 0, 0
    while True:
        process = shards.start_process(tmp_path, FILES, pause=dice.choice([0.0, 0.02]))
        lines = _until(process, dice.randint(1, 200))
        time.sleep(dice.random() * 0.02)
        process.kill()
        assert process.stdout is not None
        process.stdout.close()
        process.wait(timeout=120)
        if lines and lines[-1].startswith("DdlResult"):
            break
        said += len(lines)
        kills += 1
        # What the record calls done has the column, and what was said is done: nothing is forgotten, nothing is
        # believed.
        done = shards.read_records().get("done", set())
        assert done <= shards.having_column("note")
        assert {line for line in lines if "." in line} <= done
        # The second change begins nowhere before the first stands everywhere.
        first, second = ddl_status(wide_plan(FILES), connect=shards.connect)
        assert first.total == 256 and (second.done == 0 or first.done == 256)
        assert kills < 80
    assert kills >= 2
    assert shards.having_column("note") == everything
    assert shards.read_records() == {"done": everything}
    assert all(row.done == row.total == 256 for row in ddl_status(wide_plan(FILES), connect=shards.connect))
    assert len(shards.shapes("orders")) == 1


@pytest.mark.mysql
def test_e18_one_of_256_tables_is_held(wide_shards: Shards) -> None:
    shards = wide_shards
    _create(shards)
    plan, stuck = wide_plan(FILES), "order_db_11.orders_7"

    def run() -> DdlResult:
        return route_changes(
            plan,
            ShardAccess(shards.connect, 4, shards.server_of),
            DdlPolicy(patience=HASTY),
            on_progress=quiet,
        )

    with lock(shards, "order_db_11", "orders_7"), pytest.raises(StoppedPartWay) as stopped:
        run()
    assert f"statement 1 of 0001_note.sql is missing on {stuck};" in stopped.value.message
    assert shards.having_column("note") == _tables(shards) - {stuck}
    first, second = ddl_status(plan, connect=shards.connect)
    assert (first.done, first.missing, second.done) == (255, (stuck,), 0)
    assert run() == DdlResult(applied=257, already=255)
    assert len(shards.shapes("orders")) == 1
