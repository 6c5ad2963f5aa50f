"""New rows that go in place while their batch is staged (C1; hazards A1, A2, A9, J1): also by batches that end before
they are staged whole, and are read again as far as they went, or further.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from shardwright.runtime.rehearsal.dry_run.batch import Event
from tests.keys.bench import Bench
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server

HISTORIES = int(os.environ.get("SHARDWRIGHT_EXAMPLES") or 60)
_SPEC = """
version: 1
migration: placed
source: {dialect: mariadb, databases: [shop], schema: schema.sql}
target: {databases: "placed_{0..1}", tables_suffix: "_{0..1}"}
sharding:
  by_place: {shard_key: [place], database: place % 2, table: place div 2 % 2}
tables:
  - {table: note, sharding: by_place, weight: 1}
  - {table: page, sharding: by_place, weight: 2}
"""
_SCHEMA = """
CREATE TABLE note (
  id int unsigned NOT NULL PRIMARY KEY,
  place int unsigned NOT NULL,
  word varchar(40),
  raw varbinary(20)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE page (
  id int unsigned NOT NULL PRIMARY KEY,
  place int unsigned NOT NULL,
  word varchar(40),
  raw varbinary(20)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""
WORDS = (None, "", "a\tb", "line\nfeed", "back\\slash", "\\N", "NULL", "😀", " ends ", "\0")
Row = tuple[int, int, str | None, bytes | None]


@dataclass
class Table:
    """The plain model: what stands at the source, and the events that made it."""

    name: str
    rows: dict[int, Row] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def happen(self, chance: random.Random) -> None:
        """One change: a few keys come, change, move and go again and again."""
        key = chance.randrange(8)
        before = self.rows.get(key)
        after = None
        if before is None or chance.random() < 0.7:
            after = (key, chance.randrange(4), chance.choice(WORDS), chance.choice((None, b"", b"\0\xff\t")))
        what = "I" if before is None else "D" if after is None else "U"
        at = (1, 1, 100 + len(self.events), 0)
        self.events.append(Event(f"shop.{self.name}", what, at, 0, _image(before), _image(after)))
        if after is None:
            del self.rows[key]
        else:
            self.rows[key] = after


def _image(row: Row | None) -> list[str | None] | None:
    if row is None:
        return None
    return [str(row[0]), str(row[1]), row[2], None if row[3] is None else row[3].hex().upper()]


def _bench(arena: Arena, folder: Path) -> Bench:
    return Bench(arena, folder, _SPEC, _SCHEMA)


def _require_equal(bench: Bench, tables: list[Table], told: str) -> None:
    for table in tables:
        found = sorted(
            ((item.row, item.shard, item.part) for item in bench.standing(bench.plan.table(table.name))), key=str
        )
        wanted = sorted(((row, row[1] % 2, row[1] // 2 % 2) for row in table.rows.values()), key=str)
        assert found == wanted, f"{table.name}, {told}"


def test_a1_a2_a9_j1_any_history_whose_batches_end_half_way(arena: Arena, tmp_path: Path, seed: int) -> None:
    """A batch ends with some of its shards staged; the next one begins where it began and reaches as far, or
    further."""
    bench, chance = _bench(arena, tmp_path), random.Random(seed)
    tables = [Table("note"), Table("page")]
    done = 0
    for number in range(HISTORIES):
        for _ in range(chance.randrange(1, 12)):
            for table in tables:
                table.happen(chance)
        half_way = chance.randrange(done, len(tables[0].events) + 1)
        for _ in range(chance.randrange(3)):
            shards = chance.choice(((), (0,), (1,), (0, 1)))
            bench.begin({table.name: table.events[done:half_way] for table in tables}, shards=shards)
            half_way = chance.randrange(half_way, len(tables[0].events) + 1)
        bench.deliver({table.name: table.events[done:] for table in tables})
        done = len(tables[0].events)
        _require_equal(bench, tables, f"history {number} of seed {seed}")
    assert bench.placed, "nothing went in place"


def test_c7_only_tables_of_the_lightest_weight_go_first(arena: Arena, tmp_path: Path) -> None:
    """What a batch places is there when another shard has not even begun; heavier tables wait for all shards."""
    bench = _bench(arena, tmp_path)
    rows = {
        name: [Event(f"shop.{name}", "I", (1, 1, 100, 0), 0, None, ["1", "0", "new", None])]
        for name in ("note", "page")
    }
    bench.begin(rows, shards=[0])
    assert [len(bench.standing(bench.plan.table(name))) for name in ("note", "page")] == [1, 0]
    bench.begin({"page": rows["page"]}, shards=[0])
    assert len(bench.standing(bench.plan.table("page"))) == 1


def test_a9_what_stands_there_is_written_over_and_what_is_refused_is_told(arena: Arena, tmp_path: Path) -> None:
    """One row that stands there already, or that the table does not take, and all of the share is staged instead."""
    bench = _bench(arena, tmp_path)
    bench.deliver({"note": [_insert(1, "first"), _insert(3, "first")]})
    assert bench.placed == 2
    bench.deliver({"note": [_insert(3, "again"), _insert(5, "second")]})
    assert bench.placed == 2
    found = {item.row[0]: item.row[2] for item in bench.standing(bench.plan.table("note"))}
    assert found == {1: "first", 3: "again", 5: "second"}


def _insert(number: int, word: str) -> Event:
    return Event("shop.note", "I", (1, 1, 100 + number, 0), 0, None, [str(number), "1", word, None])
