"""`ddl status` in words and as data."""

from __future__ import annotations

from shardwright.runtime.cli.ddl_status import status_data, status_table
from shardwright.runtime.ddl.routing.status import DdlStatus


def test_a_change_that_is_everywhere_is_one_short_line() -> None:
    row = DdlStatus("0001_note.sql", 1, "orders", 4, 4, (), ())
    assert status_table([row]).splitlines() == [
        "change           table   physical tables  missing",
        "0001_note.sql 1  orders  4 of 4",
    ]


def test_twelve_missing_tables_are_named_and_the_rest_counted() -> None:
    missing = tuple(f"db_{number}.orders" for number in range(14))
    row = DdlStatus("0001_note.sql", 2, "orders", 2, 16, missing, missing[:1])
    line = status_table([row]).splitlines()[1]
    assert line.startswith("0001_note.sql 2  orders  2 of 16          db_0.orders (started), db_1.orders, ")
    assert line.endswith("db_11.orders, and 2 more")
    assert status_data(row)["missing"] == list(missing) and status_data(row)["started"] == ["db_0.orders"]
