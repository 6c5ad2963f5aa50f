"""`write: changed`: an update writes what changed at the source and leaves what others wrote on the shards."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from shardwright.runtime.rehearsal.dry_run.batch import Event
from tests.keys.bench import Bench
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server

_SPEC = """
version: 1
migration: shared
source: {dialect: mariadb, databases: [shop], schema: schema.sql}
target: {databases: "shared_{0..1}"}
sharding:
  by_place: {shard_key: [place], database: place % 2}
tables:
  - table: person
    sharding: by_place
    write: changed
    groups: {address: {columns: [street, town], on_change: event}}
"""
_SCHEMA = """
CREATE TABLE person (
  id int NOT NULL PRIMARY KEY,
  place int unsigned NOT NULL,
  street varchar(20),
  town varchar(20),
  mark varchar(20),
  note varchar(20),
  UNIQUE KEY by_mark (mark)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""
Row = tuple[Any, ...]
_NAMES = ("id", "place", "street", "town", "mark", "note")


class Town:
    """The bench, and the log that its source would write."""

    def __init__(self, arena: Arena, folder: Path) -> None:
        self.bench = Bench(arena, folder, _SPEC, _SCHEMA)
        self._offset = 0
        self._log: list[Event] = []

    def change(self, before: Row | None, after: Row | None) -> None:
        self._offset += 1
        op = "I" if before is None else "D" if after is None else "U"
        images = [
            None if row is None else [None if value is None else str(value) for value in row] for row in (before, after)
        ]
        self._log.append(Event("shop.person", op, (1, 1, self._offset, 0), 0, *images))

    def flow(self) -> None:
        """All changes since the last time, as one batch."""
        self.bench.deliver({"person": self._log})
        self._log = []

    def others(self, sql: str, values: Sequence[object] = ()) -> None:
        for shard in (0, 1):
            connection = self.bench.servers.connect_shard(shard)
            with connection, connection.cursor() as cursor:
                cursor.execute(sql, values)

    def rows(self) -> list[Row]:
        (table,) = self.bench.plan.tables
        return sorted(present.row for present in self.bench.read_rows(table))

    def events(self) -> int:
        connection = self.bench.servers.connect_shard(0)
        with connection, connection.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM _sw_events_person")
            return int(cursor.fetchall()[0][0])


@pytest.fixture
def town(arena: Arena, tmp_path: Path) -> Town:
    town = Town(arena, tmp_path)
    town.change(None, (1, 0, "s", "t", "m", "n"))
    town.flow()
    return town


def test_a_column_that_no_one_changed_keeps_what_others_wrote(town: Town) -> None:
    town.others("UPDATE person SET note = 'theirs'")
    town.change((1, 0, "s", "t", "m", "n"), (1, 0, "s", "t", "ours", "n"))
    town.flow()
    assert town.rows() == [(1, 0, "s", "t", "ours", "theirs")]


def test_a_group_is_written_whole_and_makes_an_event_only_then(town: Town) -> None:
    before = town.events()
    town.others("UPDATE person SET town = 'theirs', note = 'theirs'")
    town.change((1, 0, "s", "t", "m", "n"), (1, 0, "s", "t", "m2", "n"))
    town.flow()
    assert town.rows() == [(1, 0, "s", "theirs", "m2", "theirs")]
    assert town.events() == before
    town.change((1, 0, "s", "t", "m2", "n"), (1, 0, "s2", "t", "m2", "n"))
    town.flow()
    assert town.rows() == [(1, 0, "s2", "t", "m2", "theirs")]
    assert town.events() == before + 1


def test_a_column_that_changed_and_changed_back_is_written(town: Town) -> None:
    """The shards have seen its first half: the batch is a replay that goes further."""
    town.others("UPDATE person SET note = 'half'")
    town.change((1, 0, "s", "t", "m", "n"), (1, 0, "s", "t", "m", "half"))
    town.change((1, 0, "s", "t", "m", "half"), (1, 0, "s", "t", "m", "n"))
    town.flow()
    assert town.rows() == [(1, 0, "s", "t", "m", "n")]


def test_a_row_that_comes_or_moves_is_written_whole(town: Town) -> None:
    town.others("UPDATE person SET note = 'theirs'")
    town.change((1, 0, "s", "t", "m", "n"), (1, 1, "s", "t", "m", "n"))
    town.change((2, 0, "s", "t", "x", "n"), (2, 0, "s", "t", "y", "n"))  # not there: the after image is a whole row
    town.flow()
    assert town.rows() == [(1, 1, "s", "t", "m", "n"), (2, 0, "s", "t", "y", "n")]


def test_c6_d10_unique_values_are_exchanged_and_the_rest_stays(town: Town) -> None:
    town.change(None, (2, 0, "s", "t", "m2", "n"))
    town.flow()
    town.others("UPDATE person SET note = CONCAT('theirs ', id)")
    town.change((1, 0, "s", "t", "m", "n"), (1, 0, "s", "t", None, "n"))
    town.change((2, 0, "s", "t", "m2", "n"), (2, 0, "s", "t", "m", "n"))
    town.change((1, 0, "s", "t", None, "n"), (1, 0, "s", "t", "m2", "n"))
    town.flow()
    assert town.rows() == [(1, 0, "s", "t", "m2", "theirs 1"), (2, 0, "s", "t", "m", "theirs 2")]


def test_j1_random_writers_on_both_sides(town: Town, dice: random.Random) -> None:
    """Each column of a row holds what was written to it last, street and town together; rows do not move."""
    source: dict[int, Row] = {number: (number, number % 2, "s", "t", None, "n") for number in range(2, 30)}
    for row in source.values():
        town.change(None, row)
    town.flow()
    expected = {number: list(row) for number, row in source.items()}
    for turn in range(4):
        for number in source:
            for _ in range(dice.randrange(3)):
                at = dice.choice((2, 3, 5))
                value = f"v{dice.randrange(3)}"
                changed = (*source[number][:at], value, *source[number][at + 1 :])
                if changed == source[number]:
                    continue
                town.change(source[number], changed)
                source[number] = changed
                for written in (2, 3) if at in (2, 3) else (at,):
                    expected[number][written] = changed[written]
        town.flow()
        for number in dice.sample(sorted(source), 4):
            at = dice.choice((2, 3, 5))
            town.others(f"UPDATE person SET {_NAMES[at]} = %s WHERE id = %s", (f"theirs {turn}", number))
            expected[number][at] = f"theirs {turn}"
        assert [list(row) for row in town.rows() if row[0] > 1] == [expected[number] for number in sorted(expected)]


_KINDS = """
CREATE TABLE person (
  id int NOT NULL PRIMARY KEY,
  place int unsigned NOT NULL,
  a_decimal decimal(30,10), a_float float, a_double double, a_bit bit(12), an_enum enum('x','y'), a_set set('x','y'),
  a_date date, a_time time(3), a_datetime datetime(6), a_stamp timestamp(6) NULL, a_year year,
  a_binary binary(4), a_blob blob, a_point geometry, a_latin varchar(9) CHARACTER SET latin1 COLLATE latin1_german2_ci,
  a_big bigint unsigned, a_long longtext
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""
_POINTS = [f"000000000101000000000000000000{x}3F0000000000000040" for x in ("F0", "E0")]
_VALUES = (
    ("12345678901234567890.0123456789", "-0.0000000001"),
    ("0.10000000149011612", "3.4028234663852886e38"),
    ("0.1", "1e-300"),
    ("FFF", "1"),
    ("x", "y"),
    ("x,y", ""),
    ("2024-02-29", "1000-01-01"),
    ("-838:59:59.000", "00:00:00.001"),
    ("9999-12-31 23:59:59.999999", "1000-01-01 00:00:00.000001"),
    ("2038-01-19 03:14:07.999999", "1970-01-01 00:00:01.000001"),
    ("2155", "1901"),
    ("00FF0000", "20202020"),
    ("", "00FF"),
    (_POINTS[0], _POINTS[1]),
    ("ß", "ÿ"),
    ("18446744073709551615", "0"),
    ("中\n\t\\", ""),
)


def test_values_of_every_type_are_kept_and_written(arena: Arena, tmp_path: Path) -> None:
    spec = _SPEC.replace("    groups: {address: {columns: [street, town], on_change: event}}\n", "")
    bench = Bench(arena, tmp_path, spec, _KINDS)
    (table,) = bench.plan.tables
    first: list[str | None] = ["1", "0", *(pair[0] for pair in _VALUES)]
    second: list[str | None] = ["1", "0", *(pair[1] for pair in _VALUES)]
    half = [new if at % 2 else old for at, (old, new) in enumerate(zip(first, second, strict=True))]
    seen = []
    for number, (before, after) in enumerate(((None, first), (first, half), (None, second), (half, first))):
        if before is None:
            bench.deliver({"person": [Event("shop.person", "D", (1, 1, 10 * number + 1, 0), 0, first, None)]})
        op = "I" if before is None else "U"
        bench.deliver({"person": [Event("shop.person", op, (1, 1, 10 * number + 2, 0), 0, before, after)]})
        seen.append([present.row for present in bench.read_rows(table)])
    # Written whole: first, second. Half of `first` became `second`; then that half of `second` became `first` again.
    (whole_first,), (then_half,), (whole_second,), (back,) = seen
    assert then_half == tuple(whole_second[at] if at % 2 else whole_first[at] for at in range(len(first)))
    assert back == tuple(whole_first[at] if at % 2 else whole_second[at] for at in range(len(first)))
