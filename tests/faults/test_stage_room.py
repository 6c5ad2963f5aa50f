"""The rows of finished batches leave a stage at once, and nothing else does: other attempts, other runs, backups (A3,
A4, I7).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.steps.bookkeeping import STAGE_COLUMNS
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.fencing import Writer, take_over
from shardwright.runtime.mysql.load_data import connect_for_loading, load_rows
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.transactions import execute, query
from shardwright.runtime.stream.stage import cleanup as stage_room
from shardwright.runtime.stream.stage.cleanup import WORTH_TRUNCATING, forget_finished, make_room
from tests.keys.bench import Bench
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server

MANY = WORTH_TRUNCATING + 1


@pytest.fixture
def shard(bench: Bench) -> Connection[Any]:
    return connect_for_loading(bench.servers.shards[0], bench.servers.databases[0])


@pytest.fixture
def table(bench: Bench) -> TablePlan:
    return bench.plan.tables[0]


def _stage(shard: Connection[Any], table: TablePlan, batch: int, rows: int) -> None:
    lines = (f"{batch}\t0\tupsert\t{line}\t1\t4\t0\t0\t\\N\t{line}\t0\t\\N\n" for line in range(rows))
    names = [*STAGE_COLUMNS, *(column.target for column in table.columns)]
    load_rows(shard, table.ours.stage, names, hexadecimal=frozenset({"bytes"}), payload="".join(lines).encode())


def _count_staged(shard: Connection[Any], table: TablePlan) -> dict[int, int]:
    return dict(query(shard, f"SELECT sw_batch, COUNT(*) FROM `{table.ours.stage}` GROUP BY sw_batch"))  # type: ignore[arg-type]


def test_many_rows_go_at_once_and_few_with_the_next_batch(
    bench: Bench, shard: Connection[Any], table: TablePlan
) -> None:
    _stage(shard, table, 1, MANY)
    make_room(shard, table, 2, writer=bench.writer)
    assert _count_staged(shard, table) == {}
    _stage(shard, table, 2, 10)
    make_room(shard, table, 3, writer=bench.writer)
    assert _count_staged(shard, table) == {2: 10}
    bench.writer.transaction(shard, lambda c: forget_finished(c, table, 3))
    assert _count_staged(shard, table) == {}


def test_a4_what_another_attempt_has_staged_stays(bench: Bench, shard: Connection[Any], table: TablePlan) -> None:
    _stage(shard, table, 1, MANY)
    _stage(shard, table, 2, 3)
    make_room(shard, table, 2, writer=bench.writer)
    assert _count_staged(shard, table) == {1: MANY, 2: 3}


def test_a3_a_run_that_is_not_the_newest_empties_nothing(
    bench: Bench, shard: Connection[Any], table: TablePlan
) -> None:
    """Also one that lags so far behind that a migration which was begun anew counts its batches from 1 again."""
    _stage(shard, table, 1, MANY)
    newer = bench.servers.connect_shard(0)
    take_over(newer, role="data", epoch=bench.writer.token + 1, owner="another")
    with pytest.raises(Refused, match="a newer run") as refused:
        make_room(shard, table, 50, writer=bench.writer)
    assert refused.value.code == "SW8201" and _count_staged(newer, table) == {1: MANY}
    _stage(shard, table, 2, 1)  # the locks are gone
    make_room(shard, table, 3, writer=Writer(bench.writer.token + 1))
    assert _count_staged(newer, table) == {}


def test_g1_who_holds_the_stage_is_not_waited_for(
    bench: Bench, shard: Connection[Any], table: TablePlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage_room, "_PATIENCE_SECONDS", 1)
    _stage(shard, table, 1, MANY)
    backup = bench.servers.connect_shard(0)
    backup.begin()
    _count_staged(backup, table)
    before = query(shard, "SELECT @@SESSION.lock_wait_timeout")
    make_room(shard, table, 2, writer=bench.writer)
    assert _count_staged(backup, table) == {1: MANY}
    assert query(shard, "SELECT @@SESSION.lock_wait_timeout") == before, "later statements wait as long as they did"
    backup.rollback()
    make_room(shard, table, 2, writer=bench.writer)
    assert _count_staged(backup, table) == {}


def test_i7_an_account_that_may_not_lock_tables_deletes_rows(
    bench: Bench, arena: Arena, shard: Connection[Any], table: TablePlan
) -> None:
    database = bench.servers.databases[0]
    server = arena.placement[database]
    server.query("CREATE USER IF NOT EXISTS modest IDENTIFIED BY 'modest'")
    server.query(f"GRANT SELECT, INSERT, UPDATE, DELETE ON `{database}`.* TO modest")
    _stage(shard, table, 1, MANY)
    with connect(replace(bench.servers.shards[0], account="modest", password="modest"), database) as modest:
        make_room(modest, table, 2, writer=bench.writer)
        assert _count_staged(modest, table) == {1: MANY}
        bench.writer.transaction(modest, lambda c: forget_finished(c, table, 2))
        assert _count_staged(modest, table) == {}
        execute(modest, f"INSERT INTO `{table.ours.stage}` SELECT * FROM `{table.ours.stage}` LIMIT 0")
    server.query("DROP USER modest")
