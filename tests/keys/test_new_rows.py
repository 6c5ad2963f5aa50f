"""Rows that the log inserts are taken for new, all at once, until the shard says that one of them is there (hazards
A9, D12).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.stream.apply.statements import UniqueCollision
from tests.keys.bench import Bench
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server

_SPEC = """
version: 1
migration: new-rows
source: {dialect: mariadb, databases: [shop], schema: schema.sql}
target: {databases: "new_{0..1}"}
sharding:
  by_id: {shard_key: [id], database: id % 2}
tables:
  - {table: note, sharding: by_id}
"""
_SCHEMA = """
CREATE TABLE note (
  id int unsigned NOT NULL PRIMARY KEY,
  mark varchar(20),
  word varchar(20),
  UNIQUE KEY by_mark (mark)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""


def _insert_events(at: int, *rows: tuple[int, str, str]) -> dict[str, list[Event]]:
    events = [
        Event("shop.note", "I", (1, 1, at, number), 0, None, [str(row[0]), *row[1:]]) for number, row in enumerate(rows)
    ]
    return {"note": events}


def test_a9_d12_one_that_is_there_is_written_over_and_the_others_are_inserted(arena: Arena, tmp_path: Path) -> None:
    bench = Bench(arena, tmp_path, _SPEC, _SCHEMA)
    (table,) = bench.plan.tables
    bench.deliver(_insert_events(1, (3, "b", "first")))
    bench.deliver(_insert_events(2, (1, "a", "second"), (3, "b", "again"), (5, "c", "second")))
    assert sorted(item.row for item in bench.read_rows(table)) == [
        (1, "a", "second"),
        (3, "b", "again"),
        (5, "c", "second"),
    ]
    connection = bench.servers.connect_shard(1)
    with connection, connection.cursor() as cursor:
        cursor.execute("INSERT INTO note VALUES (9, 'd', 'of somebody else')")
        connection.commit()
    with pytest.raises(UniqueCollision, match=r"row \(7\) .* row \(9\) holds"):
        bench.deliver(_insert_events(3, (7, "d", "third"), (11, "e", "third")))
    assert [item.row[0] for item in bench.read_rows(table)] == [1, 3, 5, 9]
