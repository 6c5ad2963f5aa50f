"""How much there is to copy, as real servers tell it."""

from __future__ import annotations

import pytest

from shardwright.runtime.events.event import ignore
from shardwright.runtime.ledger.chunks import chunk_copied, plan_chunk
from shardwright.runtime.ledger.chunks_done import finishes, read_copied_on_shard
from shardwright.runtime.mysql.estimates import Estimate, estimate_sizes
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.runtime.mysql.transactions import execute
from shardwright.runtime.run.progress.copy_progress import CopyCounter
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from tests.keys.bench import Bench
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server


def test_an_estimate_is_never_more_than_an_integer_key_has_room_for(arena: Arena, bench: Bench) -> None:
    arena.source.query(
        f"INSERT INTO shop.person (id, place) VALUES {', '.join(f'({id_}, 1)' for id_ in range(-20, 30))}"
    )
    arena.source.query("ANALYZE TABLE shop.person")
    assert estimate_sizes(bench.plan, bench.servers)["person"].rows == 50
    with arena.source.connect("shop", autocommit=False) as other, other.cursor() as cursor:
        cursor.execute(f"INSERT INTO person (id, place) VALUES {', '.join(f'({id_}, 1)' for id_ in range(1000, 1500))}")
        if not is_mariadb(other):
            cursor.execute("SET SESSION information_schema_stats_expiry = 0")
        cursor.execute(
            "SELECT table_rows FROM information_schema.tables WHERE table_schema = 'shop' AND table_name = 'person'"
        )
        assert cursor.fetchall()[0][0] > 400  # the server counts what is not committed
        assert estimate_sizes(bench.plan, bench.servers)["person"].rows == 50
        other.rollback()


def test_what_earlier_runs_have_copied_is_not_left(arena: Arena, bench: Bench) -> None:
    arena.source.query(f"INSERT INTO shop.person (id, place) VALUES {', '.join(f'({id_}, 1)' for id_ in range(50))}")
    arena.source.query("ANALYZE TABLE shop.person")
    chunk, migration = ("person", "shop.person", 0), bench.plan.migration
    with bench.servers.connect_shard(0) as control:
        plan_chunk(control, migration, chunk, low=None, high='["19"]')
        chunk_copied(control, migration, chunk, high=StreamPosition({}), rows=20)
        control.commit()
    copy = CopyCounter(bench.plan, bench.servers, ignore)
    whole = copy.estimates["person"]
    assert copy.estimate_left()["person"] == Estimate(30, whole.bytes * 30 // 50)


def test_rows_of_each_shard_and_their_times_are_read_from_its_ledger(bench: Bench) -> None:
    shards = []
    for shard, connection in bench.servers.each_shard():
        for chunk in range(3):
            execute(
                connection,
                "INSERT INTO `_shardwright_chunk_done` VALUES (%s, 'person', 'shop.person', %s, 10, %s, NOW(6) - INTERVAL %s SECOND)",
                (bench.plan.migration, chunk, 9 - shard, 100 * (3 - chunk)),
            )
        shards.append(read_copied_on_shard(connection, bench.plan.migration))
    assert [(shard.chunks, dict(shard.rows)) for shard in shards] == [(3, {"person": 27}), (3, {"person": 24})]
    found = finishes(shards, "person", broadcast=False)
    assert len(found) == 6 and {rows for _, rows in found} == {10}
    assert all(
        low <= -at < low + 90 for (at, _), low in zip(sorted(found), (300, 300, 200, 200, 100, 100), strict=True)
    )
    assert len(finishes(shards, "person", broadcast=True)) == 3
