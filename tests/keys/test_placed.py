"""New rows that go in place while their batch is staged (C1; hazards A1, A2, A9, J1): also by batches that end before
they are staged whole, and are read again as far as they went, or further.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
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
Row = tuple[int, int, *tuple[int | str | bytes | None, ...]]
"""Its key, its place, and other values."""


@dataclass
class Table:
    """The plain model: what stands at the source, and the events that made it."""

    name: str
    rows: dict[int, Row] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def happen(self, chance: random.Random) -> None:
        """One change: a few keys come, change, move and go again and again."""
        key = chance.randrange(8)
        row = (key, chance.randrange(4), chance.choice(WORDS), chance.choice((None, b"", b"\0\xff\t")))
        self.become(key, row if key not in self.rows or chance.random() < 0.7 else None)

    def become(self, key: int, after: Row | None) -> None:
        before = self.rows.get(key)
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
    return [None if v is None else v.hex().upper() if isinstance(v, bytes) else str(v) for v in row]


def _bench(arena: Arena, folder: Path) -> Bench:
    return Bench(arena, folder, _SPEC, _SCHEMA)


def _require_equal(bench: Bench, tables: Sequence[Table], reported: str) -> None:
    for table in tables:
        found = sorted(
            ((item.row, item.shard, item.part) for item in bench.read_rows(bench.plan.table(table.name))), key=str
        )
        wanted = sorted(((row, row[1] % 2, row[1] // 2 % 2) for row in table.rows.values()), key=str)
        assert found == wanted, f"{table.name}, {reported}"


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


_GUARDED_SPEC = """
version: 1
migration: guarded
source: {dialect: mariadb, databases: [shop], schema: schema.sql}
target: {databases: "guarded_{0..1}", tables_suffix: "_{0..1}"}
sharding:
  by_place: {shard_key: [place], database: place % 2, table: place div 2 % 2}
tables:
  - {table: note, sharding: by_place}
  - {table: page, sharding: by_place, version_column: version}
"""
_GUARDED_SCHEMA = """
CREATE TABLE note (
  id int unsigned NOT NULL PRIMARY KEY,
  place int unsigned NOT NULL,
  word varchar(40) NOT NULL,
  UNIQUE KEY (word)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE page (
  id int unsigned NOT NULL PRIMARY KEY,
  place int unsigned NOT NULL,
  word varchar(40) NOT NULL,
  version int unsigned NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""


@dataclass
class Guarded(Table):
    """A table whose words are unique, or whose rows have versions."""

    versions: bool = False

    def change(self, chance: random.Random, *, inserts: bool) -> None:
        """One change, if there is one: `inserts` alone, or any."""
        key = chance.randrange(12)
        if key in self.rows and inserts:
            return
        if key in self.rows and chance.random() < 0.3:
            self.become(key, None)
            return
        taken = {row[2] for other, row in self.rows.items() if other != key}
        word = chance.choice([f"word {number}" for number in range(16) if f"word {number}" not in taken])
        self.become(key, (key, chance.randrange(4), word, *([100 + len(self.events)] if self.versions else [])))


def test_a1_a9_d10_d11_inserts_into_tables_with_unique_keys_and_versions(
    arena: Arena, tmp_path: Path, seed: int
) -> None:
    """Inserts go in place, those of rows with versions where a batch has nothing else. Batches end half way, and are
    read again as far, or further, with changes of any kind behind."""
    bench, chance = Bench(arena, tmp_path, _GUARDED_SPEC, _GUARDED_SCHEMA), random.Random(seed)
    tables = [Guarded("note"), Guarded("page", versions=True)]
    done = [0, 0]

    def some(ends: list[int]) -> dict[str, list[Event]]:
        found = {table.name: table.events[first:end] for table, first, end in zip(tables, done, ends, strict=True)}
        return {name: events for name, events in found.items() if events}

    for number in range(HISTORIES):
        ends: list[list[int]] = []
        touched = chance.choice((tables, tables[:1], tables[1:]))
        for _ in range(chance.randrange(1, 4)):
            inserts = chance.random() < 0.6
            for _ in range(chance.randrange(1, 8)):
                for table in touched:
                    table.change(chance, inserts=inserts)
            ends.append([len(table.events) for table in tables])
        for end in ends[:-1] if chance.random() < 0.7 else ends:
            bench.begin(some(end), shards=chance.choice(((), (0,), (1,), (0, 1))))
        bench.deliver(some(ends[-1]))
        done = ends[-1]
        _require_equal(bench, tables, f"history {number} of seed {seed}")
    assert bench.placed and bench.refused, "nothing went in place, or nothing was refused"


def test_c7_only_tables_of_the_lightest_weight_go_first(arena: Arena, tmp_path: Path) -> None:
    """What a batch places is there when another shard has not even begun; heavier tables wait for all shards."""
    bench = _bench(arena, tmp_path)
    rows = {
        name: [Event(f"shop.{name}", "I", (1, 1, 100, 0), 0, None, ["1", "0", "new", None])]
        for name in ("note", "page")
    }
    bench.begin(rows, shards=[0])
    assert [len(bench.read_rows(bench.plan.table(name))) for name in ("note", "page")] == [1, 0]
    bench.begin({"page": rows["page"]}, shards=[0])
    assert len(bench.read_rows(bench.plan.table("page"))) == 1


def test_a9_what_is_there_is_written_over_and_what_is_refused_is_reported(arena: Arena, tmp_path: Path) -> None:
    """One row that stands there already, or that the table does not take, and all of the share is staged instead."""
    bench = _bench(arena, tmp_path)
    bench.deliver({"note": [_insert(1, "first"), _insert(3, "first")]})
    assert bench.placed == 2
    bench.deliver({"note": [_insert(3, "again"), _insert(5, "second")]})
    assert bench.placed == 2
    found = {item.row[0]: item.row[2] for item in bench.read_rows(bench.plan.table("note"))}
    assert found == {1: "first", 3: "again", 5: "second"}


def _insert(number: int, word: str) -> Event:
    return Event("shop.note", "I", (1, 1, 100 + number, 0), 0, None, [str(number), "1", word, None])
