"""Key ranges cover every row once, whatever the key: each table is larger than one range, and is broken at the places
where ranges meet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import CopiedColumn, with_suffix
from shardwright.compiler.steps.verify import RANGE_ROWS
from shardwright.runtime.verify.key_range import KeyRange
from shardwright.runtime.verify.report import as_text
from shardwright.runtime.verify.result import MismatchKind, Verdict
from tests.verify.layout import Layout, home
from tests.verify.plans import BIGINT, DATABASES, INT, SOURCE, SUFFIXES, UTF8, column, plan, table

pytestmark = pytest.mark.server

ROWS = RANGE_ROWS + 1500
BIGINT_UNSIGNED = ColumnType("bigint", unsigned=True)
TEXT = ColumnType("varchar", length=20, **UTF8)
TEXT_SQL = "VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL"
LETTERS = "aAbBéßZ字🙂_"


@dataclass(frozen=True)
class Kind:
    """`make` gives the key of the n-th row, in no particular order."""

    definition: str
    columns: tuple[CopiedColumn, ...]
    key: tuple[str, ...]
    make: Callable[[int], tuple[object, ...]]


KINDS = {
    "negative": Kind(
        "k BIGINT NOT NULL", (column("k", BIGINT),), ("k",), lambda n: (-(2**63) + n * 3 if n % 2 else n * 5,)
    ),
    "unsigned_beyond_2_63": Kind(
        "k BIGINT UNSIGNED NOT NULL", (column("k", BIGINT_UNSIGNED),), ("k",), lambda n: (2**64 - 1 - n,)
    ),
    "text": Kind(
        f"k {TEXT_SQL}", (column("k", TEXT),), ("k",), lambda n: (LETTERS[n % 10] + "'\\%" + str(n // 10),)
    ),
    "composite": Kind(
        f"a INT NOT NULL, b {TEXT_SQL}",
        (column("a", INT), column("b", TEXT)),
        ("a", "b"),
        lambda n: (n // 3000 - 3, LETTERS[n % 10] + str(n % 3000)),
    ),
    "renamed_composite_of_time_and_bytes": Kind(
        "a DATETIME(6) NOT NULL, b BINARY(4) NOT NULL",
        (
            column("a", ColumnType("datetime", precision=6), target="moment"),
            column("b", ColumnType("binary", length=4), target="bytes"),
        ),
        ("moment", "bytes"),
        lambda n: (f"2024-03-31 01:59:59.{n // 100:06d}", (n % 100 * 2**24).to_bytes(4, "big")),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_b6_d4_ranges_cover_all_keys_once(layout: Layout, kind: Kind) -> None:
    width = len(kind.key)
    things = table("things", (*kind.columns, column("user_id", INT)), kind.key)
    names = ", ".join(one.source for one in kind.columns)
    layout.create(f"{kind.definition}, user_id INT NOT NULL, PRIMARY KEY ({names})", "things", databases=[SOURCE])
    target = ", ".join(f"`{one.target}`" for one in kind.columns)
    renamed = kind.definition
    for one in kind.columns:
        renamed = renamed.replace(f"{one.source} ", f"`{one.target}` ", 1)
    layout.create(
        f"{renamed}, user_id INT NOT NULL, PRIMARY KEY ({target})", "things_0", "things_1", databases=DATABASES
    )
    layout.fill("things", [(*kind.make(n), n) for n in range(ROWS)], shard_key=width)
    whole = plan((things, "user_id"))
    equal = layout.verify(whole)
    assert equal.verdict is Verdict.EQUAL, equal.tables[0]
    assert (equal.tables[0].rows_source, equal.tables[0].rows_target, equal.tables[0].chunks) == (ROWS, ROWS, 2)
    with layout.connect(SOURCE) as connection, connection.cursor() as cursor:
        cursor.execute(f"SELECT user_id FROM things ORDER BY {names}")
        users = [int(row[0]) for row in cursor.fetchall()]
    broken = [users[index] for index in (0, RANGE_ROWS - 1, RANGE_ROWS, ROWS - 1)]
    for user in broken:
        database, part = home(user)
        layout.execute(DATABASES[database], f"DELETE FROM things{SUFFIXES[part]} WHERE user_id = {user}")
    found = layout.verify(whole).tables[0].mismatches
    assert [mismatch.kind for mismatch in found] == [MismatchKind.MISSING] * 4
    assert [len(mismatch.key) for mismatch in found] == [width] * 4


def test_ranges_are_read_through_the_primary_key(layout: Layout) -> None:
    """The open-end flags and typed variables leave the index usable on both sides."""
    kind = KINDS["composite"]
    things = table("things", (*kind.columns, column("user_id", INT)), kind.key)
    whole = plan((things, "user_id"))
    layout.create_sharded(f"{kind.definition}, user_id INT NOT NULL, PRIMARY KEY (a, b)", "things")
    rows = [(*kind.make(n), n) for n in range(6000)]
    layout.insert(DATABASES[0], "things_0", rows)
    statement = with_suffix(whole.steps[1].statement("sum"), "_0")
    values = {**KeyRange(("-3", "a10"), ("-3", "a90")).variables(2), "sw_shard": 0, "sw_part": 0}
    with layout.connect(DATABASES[0]) as connection, connection.cursor() as cursor:
        cursor.execute("ANALYZE TABLE things_0")
        cursor.execute("SET " + ", ".join(f"@{name} = %s" for name in values), tuple(values.values()))
        cursor.execute("EXPLAIN FORMAT=TRADITIONAL " + statement)
        names = [item[0] for item in cursor.description]
        [plan_row] = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    assert (plan_row["type"], plan_row["key"]) == ("range", "PRIMARY")
    assert int(plan_row["rows"]) < 3000


def test_several_source_tables_are_added_up(layout: Layout) -> None:
    names = ("item_0", "item_1", "item_2")
    items = table("item", (column("id", BIGINT), column("user_id", INT)), ("id",), sources=names)
    layout.create_sharded("id BIGINT NOT NULL PRIMARY KEY, user_id INT NOT NULL", "item", sources=names)
    rows = [(number - 1000, number) for number in range(3000)]
    layout.fill("item", rows, shard_key=1, sources=names)
    whole = plan((items, "user_id"))
    assert layout.verify(whole).verdict is Verdict.EQUAL
    layout.insert(SOURCE, "item_0", [(2**62, 7)])
    layout.execute(SOURCE, "DELETE FROM item_1 WHERE id = 0")
    found = layout.verify(whole).tables[0].mismatches
    assert {(mismatch.kind, mismatch.key_text) for mismatch in found} == {
        (MismatchKind.EXTRA, "0"), (MismatchKind.MISSING, str(2**62))
    }  # fmt: skip


def test_a_key_in_two_source_tables_is_a_duplicate(layout: Layout) -> None:
    names = ("item_0", "item_1")
    items = table("item", (column("id", BIGINT), column("user_id", INT)), ("id",), sources=names)
    layout.create_sharded("id BIGINT NOT NULL PRIMARY KEY, user_id INT NOT NULL", "item", sources=names)
    layout.fill("item", [(number, number) for number in range(20)], shard_key=1, sources=names)
    layout.insert(SOURCE, "item_1", [(4, 4)])
    [mismatch] = layout.verify(plan((items, "user_id"))).tables[0].mismatches
    assert (mismatch.kind, mismatch.key_text) == (MismatchKind.DUPLICATE, "4")
    assert mismatch.places == ("shop.item_0", "shop.item_1")


def test_broadcast_compares_every_shard_and_single_only_its_own(layout: Layout) -> None:
    columns = (column("id", BIGINT), column("user_id", INT))
    region = table("region", columns, ("id",), distribution="broadcast")
    job = table("job", columns, ("id",), distribution="single", database=1)
    definition = "id BIGINT NOT NULL PRIMARY KEY, user_id INT NOT NULL"
    layout.create(definition, "region", databases=[SOURCE, *DATABASES])
    layout.create(definition, "job", databases=[SOURCE, DATABASES[1]])
    rows = [(number, number) for number in range(30)]
    for database, name in (
        (SOURCE, "region"), (DATABASES[0], "region"), (DATABASES[1], "region"), (SOURCE, "job"), (DATABASES[1], "job")
    ):  # fmt: skip
        layout.insert(database, name, rows)
    whole = plan((region, None), (job, None))
    result = layout.verify(whole)
    assert result.verdict is Verdict.EQUAL, result
    assert [shard.rows for shard in result.tables[0].rows_shards] == [30, 30]
    layout.execute(DATABASES[1], "DELETE FROM region WHERE id = 3")
    layout.execute(DATABASES[1], "UPDATE job SET user_id = 9 WHERE id = 3")
    one, other = layout.verify(whole).tables
    assert [(it.kind, it.key, it.places, it.belongs) for it in (*one.mismatches, *other.mismatches)] == [
        (MismatchKind.MISSING, ("3",), (), "part_1.region"),
        (MismatchKind.DIFFERENT, ("3",), ("part_1.job",), "part_1.job"),
    ]
    assert "  30  60 in 2 copies  " in as_text(result)
    assert "  missing    3, should be in part_1.region\n" in as_text(layout.verify(whole))
