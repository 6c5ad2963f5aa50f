"""Each kind of damage (hazard H1) is found, and named with its key and column. One row of 1,200 is broken each time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.runtime.verify.mismatch_lines import mismatch_lines
from shardwright.runtime.verify.report import as_text
from shardwright.runtime.verify.result import MismatchKind, Verdict
from shardwright.runtime.verify.table_run import Manner
from tests.verify.layout import Layout, home
from tests.verify.plans import BIGINT, DATABASES, INT, NAME, SOURCE, SUFFIXES, UTF8, column, plan, table

pytestmark = pytest.mark.server

DEFINITION = """
  id BIGINT NOT NULL PRIMARY KEY, user_id INT NOT NULL,
  name VARCHAR(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  shown VARCHAR(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL,
  amount DECIMAL(30,10) NOT NULL, at DATETIME(6) NULL, made TIMESTAMP(6) NULL, took TIME(6) NULL,
  ratio DOUBLE NULL, small FLOAT NULL, flags BIT(8) NULL, kind ENUM('a','b') NULL, tags SET('x','y') NULL,
  born YEAR NULL, code CHAR(10) CHARACTER SET latin1 COLLATE latin1_bin NULL, raw VARBINARY(20) NULL,
  body LONGTEXT CHARACTER SET utf8mb4 NULL, data LONGBLOB NULL
"""
ORDERS = table(
    "orders",
    (
        column("id", BIGINT),
        column("user_id", INT),
        column("name", NAME, nullable=True),
        column("shown", ColumnType("varchar", length=60, charset="utf8mb4", collation="utf8mb4_general_ci")),
        column("amount", ColumnType("decimal", precision=30, scale=10)),
        column("at", ColumnType("datetime", precision=6), nullable=True),
        column("made", ColumnType("timestamp", precision=6), nullable=True),
        column("took", ColumnType("time", precision=6), nullable=True),
        column("ratio", ColumnType("double"), nullable=True),
        column("small", ColumnType("float"), nullable=True),
        column("flags", ColumnType("bit", length=8), nullable=True),
        column("kind", ColumnType("enum", labels=("a", "b"), **UTF8), nullable=True),
        column("tags", ColumnType("set", labels=("x", "y"), **UTF8), nullable=True),
        column("born", ColumnType("year"), nullable=True),
        column("code", ColumnType("char", length=10, charset="latin1", collation="latin1_bin"), nullable=True),
        column("raw", ColumnType("varbinary", length=20), nullable=True),
        column("body", ColumnType("longtext", **UTF8), nullable=True),
        column("data", ColumnType("longblob"), nullable=True),
    ),
    ("id",),
)
PLAN = plan((ORDERS, "user_id"))
BROKEN = 777
USER = BROKEN * 7


def row(number: int) -> tuple[object, ...]:
    return (
        number,
        number * 7,
        f"王小明 {number}",
        f"Shown {number}",
        f"{number}.1234567891",
        "2024-02-29 23:59:59.123456",
        "2024-02-29 23:59:59.123456",
        "-838:59:58.999999",
        number / 7,
        0.1,
        number % 256,
        "ab"[number % 2],
        "x,y",
        1999,
        "é",
        b"\x00\xff",
        "字" * 300 + str(number),
        bytes(range(256)) * 4,
    )


@dataclass(frozen=True)
class Damage:
    """SQL for the broken row's own physical table, and what must be said about it."""

    assignment: str
    column: str
    source: str | None
    target: str | None


DAMAGES = {
    "one_bit": Damage("data = INSERT(data, 500, 1, CHAR(ASCII(SUBSTR(data, 500, 1)) ^ 1))", "data", "", ""),
    "one_bit_of_a_bit_column": Damage("flags = flags ^ 1", "flags", "9", "8"),
    "null_for_text": Damage("name = NULL", "name", f"王小明 {BROKEN}", None),
    "empty_for_text": Damage("name = ''", "name", f"王小明 {BROKEN}", ""),
    "case": Damage("shown = UPPER(shown)", "shown", f"Shown {BROKEN}", f"SHOWN {BROKEN}"),
    "trailing_space": Damage("shown = CONCAT(shown, ' ')", "shown", f"Shown {BROKEN}", f"Shown {BROKEN} "),
    "accent": Damage("code = 'e'", "code", "é", "e"),
    "zero_byte": Damage("raw = CONCAT(raw, 0x00)", "raw", "00FF", "00FF00"),
    "last_digit_of_decimal": Damage(
        "amount = amount + 0.0000000001", "amount", f"{BROKEN}.1234567891", f"{BROKEN}.1234567892"
    ),
    "microsecond_of_datetime": Damage(
        "at = at + INTERVAL 1 MICROSECOND", "at", "2024-02-29 23:59:59.123456", "2024-02-29 23:59:59.123457"
    ),
    "microsecond_of_timestamp": Damage(
        "made = made - INTERVAL 1 MICROSECOND", "made", "2024-02-29 23:59:59.123456", "2024-02-29 23:59:59.123455"
    ),
    "microsecond_of_time": Damage("took = '-838:59:58.999998'", "took", "-838:59:58.999999", "-838:59:58.999998"),
    "last_bit_of_double": Damage("ratio = ratio * (1 + 2.3e-16)", "ratio", "", ""),
    "last_bit_of_float": Damage("small = 0.10000001", "small", "0.10000000149011612", "0.10000000894069672"),
    "enum": Damage("kind = 'a'", "kind", "b", "a"),
    "empty_set_for_null": Damage("tags = ''", "tags", "x,y", ""),
    "year": Damage("born = 2000", "born", "1999", "2000"),
    "end_of_a_long_text": Damage("body = CONCAT(body, '.')", "body", "", ""),
}


@pytest.fixture
def orders(layout: Layout) -> Layout:
    layout.create_sharded(DEFINITION, "orders")
    layout.fill("orders", [row(number) for number in range(1, 1201)], shard_key=1)
    return layout


def own_table(number: int) -> tuple[str, str]:
    database, part = home(number * 7)
    return DATABASES[database], "orders" + SUFFIXES[part]


def other_table(number: int, *, same_database: bool) -> tuple[str, str]:
    database, part = home(number * 7)
    return (DATABASES[database], "orders" + SUFFIXES[1 - part]) if same_database else (
        DATABASES[1 - database], "orders" + SUFFIXES[part]
    )  # fmt: skip


def test_h3_equal_data_of_every_type_is_equal(orders: Layout) -> None:
    result = orders.verify(PLAN)
    [found] = result.tables
    assert result.verdict is Verdict.EQUAL, found
    assert (found.rows_source, found.rows_target, found.mismatches) == (1200, 1200, ())


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_h1_a_changed_value_is_named_with_key_and_column(orders: Layout, damage: Damage) -> None:
    database, name = own_table(BROKEN)
    assert orders.execute(database, f"UPDATE {name} SET {damage.assignment} WHERE id = {BROKEN}") == 1
    result = orders.verify(PLAN)
    [mismatch] = result.tables[0].mismatches
    assert result.verdict is Verdict.DIFFERENT
    assert (mismatch.kind, mismatch.key, mismatch.places) == (
        MismatchKind.DIFFERENT, (str(BROKEN),), (f"{database}.{name}",)
    )  # fmt: skip
    [difference] = mismatch.columns
    assert difference.column == damage.column
    if damage.source or damage.target:
        assert (difference.source, difference.target) == (damage.source, damage.target)
    assert difference.source != difference.target


def _lose(layout: Layout) -> tuple[str, ...]:
    database, name = own_table(BROKEN)
    layout.execute(database, f"DELETE FROM {name} WHERE id = {BROKEN}")
    return ()


def _add(layout: Layout) -> tuple[str, ...]:
    database, name = own_table(BROKEN)
    layout.execute(SOURCE, f"DELETE FROM orders WHERE id = {BROKEN}")
    return (f"{database}.{name}",)


def _put_elsewhere(layout: Layout, *, same_database: bool, keep: bool) -> tuple[str, ...]:
    database, name = own_table(BROKEN)
    place, other = other_table(BROKEN, same_database=same_database)
    layout.insert(place, other, [row(BROKEN)])
    if not keep:
        layout.execute(database, f"DELETE FROM {name} WHERE id = {BROKEN}")
        return (f"{place}.{other}",)
    return tuple(sorted([f"{database}.{name}", f"{place}.{other}"]))


ROW_DAMAGES: dict[str, tuple[MismatchKind, Callable[[Layout], tuple[str, ...]]]] = {
    "missing_row": (MismatchKind.MISSING, _lose),
    "extra_row": (MismatchKind.EXTRA, _add),
    "misplaced_between_tables": (
        MismatchKind.MISPLACED, lambda layout: _put_elsewhere(layout, same_database=True, keep=False)
    ),
    "misplaced_between_databases": (
        MismatchKind.MISPLACED, lambda layout: _put_elsewhere(layout, same_database=False, keep=False)
    ),
    "duplicate_in_two_tables": (
        MismatchKind.DUPLICATE, lambda layout: _put_elsewhere(layout, same_database=True, keep=True)
    ),
    "duplicate_in_two_shards": (
        MismatchKind.DUPLICATE, lambda layout: _put_elsewhere(layout, same_database=False, keep=True)
    ),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "damage"), ROW_DAMAGES.values(), ids=ROW_DAMAGES)
def test_h1_a_row_out_of_place_is_named(
    orders: Layout, kind: MismatchKind, damage: Callable[[Layout], tuple[str, ...]]
) -> None:
    places = damage(orders)
    result = orders.verify(PLAN)
    [mismatch] = result.tables[0].mismatches
    assert (mismatch.kind, mismatch.key, mismatch.places) == (kind, (str(BROKEN),), places)
    assert result.verdict is Verdict.DIFFERENT
    right = ".".join(own_table(BROKEN))
    assert mismatch.belongs == (None if kind is MismatchKind.EXTRA else right)
    assert (f"should be in {right}\n" in as_text(result)) == (kind is not MismatchKind.EXTRA)


def test_h1_every_one_of_many_differing_keys_is_listed(orders: Layout) -> None:
    broken = list(range(3, 1200, 13))
    for number in broken:
        database, name = own_table(number)
        orders.execute(database, f"UPDATE {name} SET name = 'x' WHERE id = {number}")
    found = orders.verify(PLAN).tables[0]
    assert sorted(int(mismatch.key_text) for mismatch in found.mismatches) == broken


def test_h1_h2_the_same_change_to_all_rows_does_not_cancel_and_each_is_reported_while_few_are_kept(
    orders: Layout, tmp_path: Path
) -> None:
    for database in DATABASES:
        for suffix in SUFFIXES:
            orders.execute(database, f"UPDATE orders{suffix} SET at = at + INTERVAL 10 MINUTE")
    with mismatch_lines(tmp_path / "all.jsonl") as file:
        result = orders.verify(PLAN, manner=Manner(found=file.add, kept=50))
    (found,) = result.tables
    assert (len(found.mismatches), found.mismatch_count, found.verdict) == (50, 1200, Verdict.DIFFERENT)
    assert re.search("orders: 1,200 mismatches\n.*and 1,180 more, see --report jsonl=PATH", as_text(result), re.DOTALL)
    reported = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text(encoding="utf-8").splitlines()]
    assert sorted(int(one["key"][0]) for one in reported) == list(range(1, 1201))
    assert {tuple(column["column"] for column in one["columns"]) for one in reported} == {("at",)}, "with all values"


def test_h2_values_exchanged_between_two_rows_do_not_cancel(orders: Layout) -> None:
    database, name = own_table(BROKEN)
    other = next(number for number in range(BROKEN + 1, 1200) if own_table(number) == (database, name))
    for number, value in ((BROKEN, other), (other, BROKEN)):
        orders.execute(database, f"UPDATE {name} SET amount = '{value}.1234567891' WHERE id = {number}")
    found = orders.verify(PLAN).tables[0]
    assert [mismatch.key for mismatch in found.mismatches] == [(str(BROKEN),), (str(other),)]


def test_h1_minus_zero_is_distinguished_where_the_server_keeps_it(orders: Layout) -> None:
    """MariaDB stores -0.0 as 0.0 and prints both alike: there nothing is lost that the server had. MySQL keeps it."""
    database, name = own_table(BROKEN)
    for place, one, value in ((SOURCE, "orders", "0"), (database, name, "-0")):
        orders.execute(place, f"UPDATE {one} SET ratio = '{value}' WHERE id = {BROKEN}")
    with orders.connect(database) as connection, connection.cursor() as cursor:
        cursor.execute(f"SELECT CONCAT(ratio) FROM {name} WHERE id = {BROKEN}")
        kept = cursor.fetchall()[0][0] == "-0"
    assert len(orders.verify(PLAN).tables[0].mismatches) == int(kept)
