"""Changes of one key in a server's log, also where the table had other columns once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.history.former_columns import columns_before
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


@pytest.mark.parametrize(
    ("statement", "before"),
    [
        ("ALTER TABLE t ADD COLUMN b INT FIRST, ADD COLUMN c INT", (ID, A)),
        ("ALTER TABLE shop.t ADD INDEX (a), ALGORITHM = INPLACE", (ID, B, A, C)),
        ("CREATE UNIQUE INDEX i ON t (a)", (ID, B, A, C)),
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


def _read(source: Source, start: Any, columns: Sequence[Column]) -> tuple[Logged, ...]:
    stream = LogStream("source", source.settings, "shop", {"shop.t": tuple(columns)}, EVERYTHING, BatchLimits())
    return tuple(LogReader(stream, KeyImages(frozenset({("7",)}), ("id",), (INT,))).read(start, source.head()))


def _words(one: Logged) -> str:
    if isinstance(one, RowChange):
        assert one.gtid and one.committed_at and one.place.offset
        return f"{one.op} {one.before} -> {one.after}"
    return one.statement if isinstance(one, LoggedDdl) else one.why
