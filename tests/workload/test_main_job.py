"""The main job under the demo's workload, judged by the oracle: undisturbed, and killed at ten random moments."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from pymysql.connections import Connection
from pymysql.cursors import Cursor

from tests.oracle.compare import Shards, compare, count
from tests.oracle.observer import Observer
from tests.oracle.tables import ORDER_DATABASES, ORDER_SUFFIXES, SHOP
from tests.servers.testbed import Arena
from tests.workload.job import Job, kill_tree
from tests.workload.shop import PROJECT, fill_shop, writing, written

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

SECONDS = float(os.environ.get("SHARDWRIGHT_WORKLOAD_SECONDS", "60"))
KILLS = int(os.environ.get("SHARDWRIGHT_WORKLOAD_KILLS", "10"))
ORDERS = 5_000


@pytest.fixture
def job(arena: Arena, tmp_path: Path) -> Job:
    """The shop on the source, its plan compiled, nothing on the targets."""
    made = Job(arena, PROJECT, tmp_path)
    fill_shop(arena, orders=ORDERS)
    made.call("compile")
    return made


def test_a_minute_of_the_workload(arena: Arena, job: Job, seed: int) -> None:
    with observed(arena) as observer, job.running():
        with writing(arena, seed=seed, rate=30.0, writers=2) as applications:
            time.sleep(SECONDS)
        print(written(applications))
    job.run_until_caught_up()
    _require_equal(arena, job)
    assert observer.looks > 10

    before = _contents(arena)
    job.run_until_caught_up()
    assert _contents(arena) == before, "a second run changed something"


def test_killed_at_random_moments(arena: Arena, job: Job, seed: int, dice: random.Random) -> None:
    with observed(arena), writing(arena, seed=seed, rate=20.0, writers=2) as applications:
        for number in range(KILLS):
            process = job.start_run()
            moment = dice.uniform(1.0, 30.0)
            try:
                time.sleep(moment)
                assert process.poll() is None, f"run ended by itself with {process.returncode}:\n{job.end_of_log()}"
            finally:
                kill_tree(process)
            print(f"{time.strftime('%H:%M:%S')} kill {number + 1} after {moment:.1f} s")
    print(written(applications))
    job.run_until_caught_up()
    _require_equal(arena, job)


@contextmanager
def observed(arena: Arena) -> Iterator[Observer]:
    """Within, the shards are watched; on leaving, nothing bad was seen."""
    connect: dict[str, Callable[[], Connection[Cursor]]] = {
        database: lambda database=database: arena.shard(database)  # type: ignore[misc]
        for database in ORDER_DATABASES
    }
    # A killed run leaves a moving row in two shards until the next one has started: that is not at rest.
    with Observer(connect, suffixes=ORDER_SUFFIXES, interval=0.2, rest=90.0) as observer:
        yield observer
    seen = observer.violations
    assert not seen, "\n".join([f"{len(seen)} violations", *seen[:20]])


def _require_equal(arena: Arena, job: Job) -> None:
    with ExitStack() as stack:
        source = stack.enter_context(arena.source.connect("shop"))
        shards: Shards = {name: stack.enter_context(arena.shard(name)) for name in ORDER_DATABASES}
        assert all(count(source, table) > 0 for table in SHOP)
        differences = compare(source, SHOP, shards)
    assert not differences, "\n".join([*differences, job.end_of_log()])


def _contents(arena: Arena) -> list[tuple[object, ...]]:
    tables = [f"{table.name}{suffix}" for table in SHOP for suffix in table.suffixes]
    return [row for name in ORDER_DATABASES for row in arena.placement[name].query(_checksums(name, tables))]


def _checksums(database: str, tables: list[str]) -> str:
    return "CHECKSUM TABLE " + ", ".join(f"{database}.{table}" for table in tables)
