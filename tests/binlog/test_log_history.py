"""Changes of one key in a server's log, also where the table had other columns once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.history.former_columns import columns_before, find_renewed_tables
from shardwright.runtime.history.log_reader import KeyImages, Logged, LoggedDdl, LogReader, NotRead, RowChange
from shardwright.runtime.sources.binlog.before_columns import EVERYTHING
from shardwright.runtime.sources.binlog.source import LogStream
from shardwright.specs.environment.environment import BatchLimits
from tests.binlog.log_source import Source

INT = ColumnType("int")
ID, A, B, C = (Column(name, INT, nullable=name != "id") for name in ("id", "a", "b", "c"))


@pytest.mark.server
def test_e14_changes_are_read_with_the_columns_of_their_time(source: Source) -> None:
    source.run("CREATE OR REPLACE TABLE t (id INT PRIMARY KEY, a INT)")
    start = source.head()
    source.run(
        "INSERT INTO t VALUES (1, 10), (7, 70), (8, 80)",
        "UPDATE t SET a = a + 1 WHERE id > 5",
        "ALTER TABLE t ADD COLUMN b INT AFTER id",
        "UPDATE t SET b = 5 WHERE id = 7",
        "ALTER TABLE t ADD KEY by_a (a), ADD COLUMN c INT",
        "TRUNCATE TABLE t",
        "INSERT INTO t VALUES (7, 1, 2, 3)",
        "UPDATE t SET id = 9 WHERE id = 7",
    )
    found = _read(source, start, [ID, B, A, C])
    assert [_words(one) for one in found] == [
        "I None -> {'id': '7', 'a': '70'}",
        "U {'id': '7', 'a': '70'} -> {'id': '7', 'a': '71'}",
        "ALTER TABLE t ADD COLUMN b INT AFTER id",
        "U {'id': '7', 'b': None, 'a': '71'} -> {'id': '7', 'b': '5', 'a': '71'}",
        "ALTER TABLE t ADD KEY by_a (a), ADD COLUMN c INT",
        "TRUNCATE TABLE t",
        "I None -> {'id': '7', 'b': '1', 'a': '2', 'c': '3'}",
        "U {'id': '7', 'b': '1', 'a': '2', 'c': '3'} -> {'id': '9', 'b': '1', 'a': '2', 'c': '3'}",
    ]
    last = found[-1]
    assert isinstance(last, RowChange) and (last.was_key, last.is_key, last.effective) == (True, False, "D")
    assert [one.row for one in found if isinstance(one, RowChange)][:2] == [1, 0]


@pytest.mark.server
def test_e14_what_cannot_be_read_is_named_and_the_rest_is_read(source: Source) -> None:
    source.run("CREATE OR REPLACE TABLE t (id INT PRIMARY KEY, a INT, b INT)")
    start = source.head()
    source.run(
        "INSERT INTO t VALUES (7, 1, 2)",
        "ALTER TABLE t DROP COLUMN b",
        "UPDATE t SET a = 3 WHERE id = 7",
    )
    first, *others = _read(source, start, [ID, A])
    assert isinstance(first, NotRead) and "other columns there" in first.why
    assert [_words(one) for one in others] == [
        "ALTER TABLE t DROP COLUMN b",
        "U {'id': '7', 'a': '1'} -> {'id': '7', 'a': '3'}",
    ]


@pytest.mark.server
@pytest.mark.parametrize("columns", ["(id INT PRIMARY KEY, a INT)", "(id INT PRIMARY KEY, z VARCHAR(9), a INT)"])
def test_h7_rows_of_a_table_of_the_same_name_are_left_out(source: Source, columns: str) -> None:
    """The log has a table that was dropped, with the same columns or others: its rows are not those of now."""
    start = source.head()
    source.run(
        f"CREATE OR REPLACE TABLE t {columns}",
        "INSERT INTO t (id, a) VALUES (7, 1)",
        "ALTER TABLE t DROP COLUMN a",
        "DELETE FROM t WHERE id = 7",
        "DROP TABLE t",
        "CREATE TABLE t (id INT PRIMARY KEY, a INT)",
        "INSERT INTO t VALUES (7, 2)",
        "CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY, a INT)",
        "UPDATE t SET a = 3 WHERE id = 7",
    )
    found = _read(source, start, [ID, A])
    assert [_words(one) for one in found if not isinstance(one, LoggedDdl)] == [
        "I None -> {'id': '7', 'a': '2'}",
        "U {'id': '7', 'a': '2'} -> {'id': '7', 'a': '3'}",
    ]


@pytest.mark.server
def test_h7_another_table_of_the_log_keeps_its_rows(source: Source) -> None:
    """One of two tables is made anew while the other one has rows."""
    source.run("CREATE OR REPLACE TABLE t (id INT PRIMARY KEY, a INT)")
    start = source.head()
    source.run(
        "CREATE OR REPLACE TABLE t2 (id INT PRIMARY KEY, a VARCHAR(9))",
        "INSERT INTO t2 VALUES (7, 'old')",
        "INSERT INTO t VALUES (7, 1)",
        "CREATE OR REPLACE TABLE t2 (id INT PRIMARY KEY, a INT)",
        "INSERT INTO t2 VALUES (7, 2)",
    )
    found = _read(source, start, [ID, A], "shop.t", "shop.t2")
    assert [(one.table, one.after) for one in found if isinstance(one, RowChange)] == [
        ("shop.t", {"id": "7", "a": "1"}),
        ("shop.t2", {"id": "7", "a": "2"}),
    ]
    assert not [one for one in found if isinstance(one, NotRead)]


@pytest.mark.parametrize(
    ("statement", "renewed"),
    [
        ("CREATE TABLE `t` (id INT)", {"shop.t"}),
        ("create or replace table shop.T2 (id INT)", {"shop.t2"}),
        ("CREATE TABLE IF NOT EXISTS t (id INT)", set()),
        ("CREATE TABLE other.t (id INT)", set()),
        ("CREATE TABLE u LIKE t", set()),
        ("DROP TABLE IF EXISTS `t`,`shop`.`t2` /* generated by server */", {"shop.t", "shop.t2"}),
        ("DROP TABLE other.t, u", set()),
        ("DROP TEMPORARY TABLE t", set()),
        ("DROP DATABASE IF EXISTS `shop`", {"shop.t", "shop.t2"}),
        ("DROP SCHEMA other", set()),
        ("TRUNCATE TABLE t", set()),
        ("RENAME TABLE t TO u", set()),
    ],
)
def test_tables_that_a_statement_renews(statement: str, renewed: set[str]) -> None:
    assert find_renewed_tables(statement, "shop", ["shop.t", "shop.t2"]) == renewed


@pytest.mark.parametrize(
    ("statement", "before"),
    [
        ("ALTER TABLE t ADD COLUMN b INT FIRST, ADD COLUMN c INT", (ID, A)),
        ("ALTER TABLE shop.t ADD INDEX (a), ALGORITHM = INPLACE", (ID, B, A, C)),
        ("CREATE UNIQUE INDEX i ON t (a)", (ID, B, A, C)),
        ("CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY)", (ID, B, A, C)),
        ("truncate t", (ID, B, A, C)),
        ("ALTER TABLE t DROP COLUMN d", None),
        ("ALTER TABLE t MODIFY a BIGINT", None),
        ("ALTER TABLE t RENAME COLUMN z TO a", None),
        ("ALTER TABLE t ADD COLUMN elsewhere INT", None),
        ("RENAME TABLE t TO u", None),
    ],
)
def test_columns_before_a_statement(statement: str, before: Sequence[Column] | None) -> None:
    assert columns_before((ID, B, A, C), statement) == before


def _read(source: Source, start: Any, columns: Sequence[Column], *tables: str) -> tuple[Logged, ...]:
    described = dict.fromkeys(tables or ["shop.t"], tuple(columns))
    stream = LogStream("source", source.settings, "shop", described, EVERYTHING, BatchLimits())
    return tuple(LogReader(stream, KeyImages(frozenset({("7",)}), ("id",), (INT,))).read(start, source.head()))


def _words(one: Logged) -> str:
    if isinstance(one, RowChange):
        assert one.gtid and one.committed_at and one.place.offset
        return f"{one.op} {one.before} -> {one.after}"
    return one.statement if isinstance(one, LoggedDdl) else one.why
