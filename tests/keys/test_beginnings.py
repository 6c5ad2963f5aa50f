"""Unique keys over how values begin, `UNIQUE (name(3), shop)`, and over expressions, on real shards: values that change hands within a batch,
copied rows that give way to the stream, and foreign rows that stop it (contract C6, hazards D10, D12)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.stream.apply.statements import UniqueCollision
from tests.keys.bench import Bench
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server

_SPEC = """
version: 1
migration: beginnings
source: {dialect: DIALECT, databases: [shop], schema: schema.sql}
target: {databases: "begin_{0..1}"}
sharding:
  by_shop: {shard_key: [shop], database: shop % 2}
tables:
  - {table: person, sharding: by_shop}
"""
_SCHEMA = """
CREATE TABLE person (
  id int NOT NULL PRIMARY KEY,
  shop int unsigned NOT NULL,
  name varchar(20),
  note text,
  UNIQUE KEY by_name (name(3), shop),
  UNIQUE KEY by_note (note(2))
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
"""
_COMPUTED = """
CREATE TABLE person (
  id int NOT NULL PRIMARY KEY,
  shop int unsigned NOT NULL,
  name varchar(20),
  note json,
  UNIQUE KEY by_name ((lower(name) COLLATE utf8mb4_bin), shop),
  UNIQUE KEY by_note ((cast(json_unquote(json_extract(note, _utf8mb4'$.id')) as char(20) charset utf8mb4)))
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
"""
Row = tuple[Any, ...]


class Shop:
    """The bench, and the log that its source would write."""

    def __init__(self, arena: Arena, folder: Path, schema: str = _SCHEMA) -> None:
        spec = _SPEC.replace("DIALECT", arena.source.sandbox.kind)
        self.bench = Bench(arena, folder, spec, schema)
        self._offset = 0
        self._log: list[Event] = []

    def change(self, before: Row | None, after: Row | None) -> None:
        self._offset += 1
        op = "I" if before is None else "D" if after is None else "U"
        images = [
            None if row is None else [None if value is None else str(value) for value in row] for row in (before, after)
        ]
        self._log.append(Event("shop.person", op, (1, 1, self._offset, 0), 0, *images))

    def flow(self, *, copying: bool = False) -> None:
        """All changes since the last time, as one batch."""
        log, self._log = self._log, []
        self.bench.deliver({"person": log}, copying=copying)

    def by_hand(self, *rows: Row) -> None:
        """Rows that no batch has brought, in the shards where they belong."""
        for row in rows:
            connection = self.bench.servers.connect_shard(row[1] % 2)
            with connection, connection.cursor() as cursor:
                cursor.execute("INSERT INTO person VALUES (%s, %s, %s, %s)", row)

    def rows(self) -> list[Row]:
        (table,) = self.bench.plan.tables
        return sorted(present.row for present in self.bench.read_rows(table))


@pytest.fixture
def shop(arena: Arena, tmp_path: Path) -> Shop:
    return Shop(arena, tmp_path)


def test_d10_what_values_begin_with_changes_hands_within_a_batch(shop: Shop) -> None:
    old = [(1, 0, "Äpfel rot", "ab"), (2, 0, "birnen", "cd"), (3, 0, "ciao", None), (4, 0, "dora", "😀😀1")]
    for row in old:
        shop.change(None, row)
    shop.flow()
    new = [(1, 0, "BIRkenallee", "CDx"), (2, 0, "apfelwein", "aby"), (5, 0, "CIA", "xy"), (6, 0, "DÖRa", "😀😀2")]
    shop.change(old[2], None)
    shop.change(old[3], None)
    for before, after in zip([*old[:2], None, None], new, strict=True):
        shop.change(before, after)
    shop.flow()
    assert shop.rows() == sorted(new)


def test_d11_a_row_takes_what_a_row_that_moves_began_with(shop: Shop) -> None:
    shop.change(None, (1, 0, "abc", "1"))
    shop.change(None, (2, 0, "xyz", "2"))
    shop.flow()
    shop.change((1, 0, "abc", "1"), (1, 1, "abc", "1"))
    shop.change((2, 0, "xyz", "2"), (2, 0, "ABCdef", "2"))
    shop.flow()
    assert shop.rows() == [(1, 1, "abc", "1"), (2, 0, "ABCdef", "2")]


def test_d12_a_copied_row_yields_to_the_stream_and_no_other_does(shop: Shop) -> None:
    """It was copied later than the stream stands: its own event, which frees the value, is still to come."""
    shop.by_hand((1, 0, "Straße 1", "copied"), (2, 0, "other", "x"), (3, 1, "straw", "y"))
    shop.change(None, (9, 0, "STRandweg", "q"))
    shop.flow(copying=True)
    assert shop.rows() == [(2, 0, "other", "x"), (3, 1, "straw", "y"), (9, 0, "STRandweg", "q")]
    shop.change((9, 0, "STRandweg", "q"), (9, 0, "other one", "ya"))  # stashed, and its new values are taken
    shop.flow(copying=True)
    assert shop.rows() == [(3, 1, "straw", "y"), (9, 0, "other one", "ya")]


def test_d12_a_foreign_row_that_begins_alike_stops_the_run_and_both_are_named(shop: Shop) -> None:
    shop.by_hand((1, 0, "Straße 1", "foreign"))
    shop.change(None, (9, 0, "STRandweg", "q"))
    with pytest.raises(UniqueCollision, match=r"row \(9\) of the stream has a unique value that row \(1\) holds"):
        shop.flow()
    assert shop.rows() == [(1, 0, "Straße 1", "foreign")]


def test_rows_of_which_only_the_end_is_another_stay_where_they_are(shop: Shop) -> None:
    shop.change(None, (1, 0, "abc", "note"))
    shop.flow()
    shop.change((1, 0, "abc", "note"), (1, 0, "ABCDE", "nothing"))
    shop.change(None, (2, 1, "abcde", "Note"))  # of another shard, whose server compares its own rows
    shop.flow()
    assert shop.rows() == [(1, 0, "ABCDE", "nothing"), (2, 1, "abcde", "Note")]


@pytest.mark.mysql
def test_d10_d12_what_an_expression_gives_changes_hands_and_stops_at_foreign_rows(arena: Arena, tmp_path: Path) -> None:
    if arena.source.sandbox.kind != "mysql":
        pytest.skip("MySQL only: keys over expressions")
    shop = Shop(arena, tmp_path, _COMPUTED)
    old = [(1, 0, "Äpfel", '{"id": "a"}'), (2, 0, "birnen", '{"id": 7}'), (3, 0, "ciao", None), (4, 0, "Apfel", "{}")]
    for row in old:
        shop.change(None, row)
    shop.flow()
    new = [(1, 0, "BIRnen", '{"id": "7"}'), (2, 0, "äpfel", '{"id": "A"}'), (5, 0, "CIAO", "[1]"), (4, 1, "x", "{}")]
    shop.change(old[2], None)
    for before, after in zip([*old[:2], None, old[3]], new, strict=True):
        shop.change(before, after)
    shop.change(None, (6, 0, "APFEL", None))  # what a row that moves had
    shop.flow()
    present = sorted([*new, (6, 0, "APFEL", None)])
    assert shop.rows() == present
    shop.by_hand((7, 1, "copied", '{"id": "late"}'), (8, 1, "stays", None))
    shop.change(None, (9, 1, "Copied", '{"id": "LATE"}'))
    shop.flow(copying=True)
    present = sorted([*present, (8, 1, "stays", None), (9, 1, "Copied", '{"id": "LATE"}')])
    assert shop.rows() == present
    shop.change((6, 0, "APFEL", None), (6, 0, "ciao", None))
    with pytest.raises(UniqueCollision, match=r"row \(6\) of the stream has a unique value that row \(5\) holds"):
        shop.flow()
    assert shop.rows() == present
