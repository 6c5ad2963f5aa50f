"""A stretch of long rows among short ones is cut into chunks by its bytes, so that no chunk is a straggler or larger
than a task's memory (hazard B6).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shardwright.runtime.snapshot.chunk_end import BYTES
from tests.servers.testbed import Arena
from tests.snapshot.given import make_project
from tests.support.job import ENVIRONMENT, SMALL_SPARK, Job

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

ROWS, FROM, LONG, LENGTH = 60_000, 30_000, 2_500, 40_000
SPEC = """
version: 1
migration: skew
source: {dialect: DIALECT, databases: [shop], schema: schema/shop.sql}
target: {databases: "letter_{0..1}", tables_suffix: "_{0..1}"}
sharding: {by_owner: {shard_key: [owner], database: owner % 2, table: (owner div 2) % 2}}
tables: [{table: letter, sharding: by_owner}]
ddl: ddl/
"""
SCHEMA = """CREATE TABLE letter (
  id INT PRIMARY KEY, owner INT UNSIGNED NOT NULL, body MEDIUMTEXT NOT NULL
) CHARSET=utf8mb4 COLLATE=utf8mb4_bin;"""


def test_b6_no_chunk_is_much_larger_than_others_where_rows_are_long(arena: Arena, tmp_path: Path) -> None:
    job = _prepare(arena, tmp_path)
    job.call("run", "--env", ENVIRONMENT, "--until", "snapshot")
    with arena.shard("letter_0") as shard, shard.cursor() as cursor:
        cursor.execute("SELECT low, high, rows_read FROM _shardwright_chunk ORDER BY chunk")
        chunks = cursor.fetchall()
    sizes, rows = [], 0
    for low, high, read in chunks:
        ((size, count),) = arena.source.query(
            "SELECT COALESCE(SUM(LENGTH(body)), 0), COUNT(*) FROM letter WHERE id > %s AND id <= %s",
            (int(json.loads(low)[0]) if low else -1, int(json.loads(high)[0]) if high else ROWS),
            database="shop",
        )
        assert read == count
        sizes.append(int(size))
        rows += count
    assert rows == ROWS
    assert max(sizes) < 1.5 * BYTES, [size >> 20 for size in sizes]
    assert len(chunks) < 40, "short rows are copied in large chunks all the same"
    expected = arena.source.query("SELECT COUNT(*), SUM(CRC32(CONCAT(id, owner, body))) FROM letter", database="shop")
    assert _on_shards(arena) == tuple(map(int, expected[0]))


def _prepare(arena: Arena, tmp_path: Path) -> Job:
    project = make_project(tmp_path, SPEC.replace("DIALECT", arena.source.sandbox.kind), SCHEMA)
    job = Job(arena, project, tmp_path, settings=SMALL_SPARK)
    arena.source.run_script(SCHEMA, database="shop")
    arena.source.query("INSERT INTO letter VALUES (0, 7, 'first')", database="shop")
    count = 1
    while count < ROWS:
        more = min(count, ROWS - count)
        arena.source.query(
            f"INSERT INTO letter SELECT id + {count}, id * 7 MOD 1009, 'short' FROM letter WHERE id < {more}",
            database="shop",
        )
        count += more
    arena.source.query(
        f"UPDATE letter SET body = REPEAT('long ', {LENGTH // 5}) WHERE id >= {FROM} AND id < {FROM + LONG}",
        database="shop",
    )
    job.call("compile")
    return job


def _on_shards(arena: Arena) -> tuple[int, int]:
    rows = hashes = 0
    for database in ("letter_0", "letter_1"):
        with arena.shard(database) as shard, shard.cursor() as cursor:
            for part in range(2):
                cursor.execute(f"SELECT COUNT(*), COALESCE(SUM(CRC32(CONCAT(id, owner, body))), 0) FROM letter_{part}")
                found = cursor.fetchone()
                assert found is not None
                rows, hashes = rows + int(found[0]), hashes + int(found[1])
    return rows, hashes
