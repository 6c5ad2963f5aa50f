"""The cut of a cutover, at rest: keys and counts of sharded, broadcast and single tables, and of several sources."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from shardwright.runtime.verify.at_rest import AtRest
from shardwright.runtime.verify.result import Mismatch, MismatchKind
from shardwright.runtime.verify.sessions import Sessions
from tests.verify.layout import Layout, home
from tests.verify.plans import BIGINT, DATABASES, NAME, SOURCE, SUFFIXES, column, plan, table

COLUMNS = (column("id", BIGINT), column("name", NAME, nullable=True))
DDL = "id BIGINT PRIMARY KEY, name VARCHAR(60) COLLATE utf8mb4_bin"
ORDERS = table("orders", COLUMNS, ("id",), sources=("orders_a", "orders_b"))
REGION = table("region", COLUMNS, ("id",), distribution="broadcast")
JOB = table("job", COLUMNS, ("id",), distribution="single", database=1)
PLAN = plan((ORDERS, "id"), (REGION, None), (JOB, None))
ROWS = [(number, f"row {number}") for number in range(1, 2501)]


def _fill(layout: Layout) -> None:
    layout.create_sharded(DDL, "orders", sources=("orders_a", "orders_b"))
    layout.fill("orders", ROWS, shard_key=0, sources=("orders_a", "orders_b"))
    layout.create(DDL, "region", databases=[SOURCE, *DATABASES])
    layout.create(DDL, "job", databases=[SOURCE, DATABASES[1]])
    for database in (SOURCE, *DATABASES):
        layout.insert(database, "region", ROWS[:5])
    for database in (SOURCE, DATABASES[1]):
        layout.insert(database, "job", ROWS[:3])


def _faults(layout: Layout, keys: dict[str, list[tuple[str, ...]]]) -> list[Mismatch]:
    sessions = Sessions(lambda _database: layout.connect(SOURCE), lambda shard: layout.connect(DATABASES[shard]))
    try:
        with ThreadPoolExecutor(4) as pool:
            return [one for some in AtRest(PLAN, sessions, pool).faults(keys) for one in some()]
    finally:
        sessions.close()


def _counts(layout: Layout) -> dict[str, tuple[int, dict[str, int]]]:
    sessions = Sessions(lambda _database: layout.connect(SOURCE), lambda shard: layout.connect(DATABASES[shard]))
    try:
        with ThreadPoolExecutor(4) as pool:
            found = [count() for count in AtRest(PLAN, sessions, pool).counts(PLAN.tables)]
            return {one.table: (one.followed, dict(one.copies)) for one in found}
    finally:
        sessions.close()


def test_every_kind_of_table_is_read_by_keys_and_counted(layout: Layout) -> None:
    _fill(layout)
    keys = [(str(number),) for number in range(1, 2502)]
    assert _faults(layout, {"orders": keys, "region": keys[:9], "job": keys[:9]}) == []
    assert _counts(layout) == {
        "orders": (2500, {"shards": 2500}),
        "region": (5, {"part_0": 5, "part_1": 5}),
        "job": (3, {"part_1": 3}),
    }


def test_each_fault_has_its_name_and_copies_are_apart(layout: Layout) -> None:
    _fill(layout)
    layout.execute(DATABASES[1], "UPDATE region SET name = 'other' WHERE id = 2")
    layout.execute(DATABASES[0], "DELETE FROM region WHERE id = 3")
    layout.execute(DATABASES[1], "INSERT INTO job VALUES (9, 'extra')")
    database, part = home(7)
    own = f"{DATABASES[database]}.orders{SUFFIXES[part]}"
    other = f"orders{SUFFIXES[1 - part]}"
    layout.execute(DATABASES[database], f"INSERT INTO {other} VALUES (7, 'row 7')")
    layout.execute(*_misplace(2200))
    layout.execute(DATABASES[home(2200)[0]], f"DELETE FROM orders{SUFFIXES[home(2200)[1]]} WHERE id = 2200")
    some = [(str(number),) for number in (7, 8, 2200)]
    found = _faults(layout, {"orders": some, "region": [("2",), ("3",), ("4",)], "job": [("9",), ("1",)]})
    assert [(one.kind, one.table, one.key) for one in found] == [
        (MismatchKind.DUPLICATE, "orders", ("7",)),
        (MismatchKind.MISPLACED, "orders", ("2200",)),
        (MismatchKind.MISSING, "region", ("3",)),
        (MismatchKind.DIFFERENT, "region", ("2",)),
        (MismatchKind.EXTRA, "job", ("9",)),
    ]
    assert own in found[0].places
    assert _counts(layout) == {
        "orders": (2500, {"shards": 2501}),
        "region": (5, {"part_0": 4, "part_1": 5}),
        "job": (3, {"part_1": 4}),
    }


def _misplace(number: int) -> tuple[str, str]:
    """Where the row does not belong."""
    database, part = home(number)
    return DATABASES[1 - database], f"INSERT INTO orders{SUFFIXES[part]} VALUES ({number}, 'row {number}')"
