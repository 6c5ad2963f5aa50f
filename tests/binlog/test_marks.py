"""Transactions that a run has written are known by their ledger row, and left out whole (direction D3)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from shardwright.runtime.ledger import chunks_done, steps
from shardwright.runtime.sources.binlog.log import Log, Own
from shardwright.runtime.sources.binlog.marks import MARKING
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.binlog.scan import next_boundary
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.specs.environment.environment import BatchLimits
from tests.binlog.log_source import Source

pytestmark = pytest.mark.server

LEDGER = "shop"
"""The database of the fixture's ledger."""
OURS = frozenset({(LEDGER, "ours")})


def _mark(migration: str, batch: int) -> str:
    return (
        "INSERT INTO _shardwright_step (migration, batch, step, summary, applied_at) "
        f"VALUES ('{migration}', {batch}, 'upsert:0', '{{}}', NOW(6))"
    )


@pytest.fixture
def marked(source: Source) -> Source:
    for statement in (steps.TABLE, chunks_done.TABLE):
        source.run(statement)
    source.run("DELETE FROM _shardwright_step", "CREATE OR REPLACE TABLE t (id INT PRIMARY KEY, v VARCHAR(50))")
    return source


def _ids(source: Source, start: LogPosition, own: Own, end: LogPosition | None = None) -> list[int]:
    found: list[int] = []
    for batch in read_changes(Log(source.settings, source.columns_of("t"), own=own), start, end or source.head()):
        for before, after in zip(batch["before"].to_pylist(), batch["after"].to_pylist(), strict=True):
            found.append(int((after or before)[0]))
    return found


def test_every_marking_table_begins_with_the_migration(marked: Source) -> None:
    for name in MARKING:
        first = marked.columns(name)[0]
        assert (first.name, first.type.name, first.nullable) == ("migration", "varchar", False)
    assert {"_shardwright_step", "_shardwright_chunk_done"} == MARKING


def test_whole_transactions_are_left_out_and_no_other(marked: Source) -> None:
    """Ours, those of another migration, and an application's before, between and after them."""
    start = marked.head()
    marked.run("INSERT INTO t VALUES (1, 'application')")
    marked.run(
        "BEGIN", _mark("ours", 1), "INSERT INTO t VALUES (2, 'ours')", "UPDATE t SET v = 'x' WHERE id = 2", "COMMIT"
    )
    marked.run("BEGIN", _mark("theirs", 1), "INSERT INTO t VALUES (3, 'theirs')", "COMMIT")
    marked.run("BEGIN", "INSERT INTO t VALUES (4, 'application')", "DELETE FROM t WHERE id = 2", "COMMIT")
    marked.run(_mark("ours", 2))
    marked.run("INSERT INTO t VALUES (5, 'application')")
    assert _ids(marked, start, OURS) == [1, 3, 4, 2, 5]
    assert _ids(marked, start, OURS | {(LEDGER, "theirs")}) == [1, 4, 2, 5]
    assert _ids(marked, start, frozenset()) == [1, 2, 2, 3, 4, 2, 5]


def test_a_savepoint_that_is_rolled_back_takes_no_mark_with_it(marked: Source) -> None:
    """Rows behind the savepoint are gone, the mark before it stands. A mark that was rolled back is in no log, and what
    the transaction writes else is the application's."""
    start = marked.head()
    marked.run(
        "BEGIN", _mark("ours", 3), "SAVEPOINT s", "INSERT INTO t VALUES (10, '')", "ROLLBACK TO s",
        "INSERT INTO t VALUES (11, '')", "COMMIT",
    )  # fmt: skip
    marked.run("BEGIN", "SAVEPOINT s", _mark("ours", 4), "ROLLBACK TO s", "INSERT INTO t VALUES (12, '')", "COMMIT")
    assert _ids(marked, start, OURS) == [12]


def test_a5_a_transaction_larger_than_a_batch_is_judged_whole(marked: Source) -> None:
    """The scan that cuts batches, and the read of each, agree: a cut is between transactions only."""
    start = marked.head()
    for number in range(3):
        rows = ", ".join(f"({number * 1_000 + index}, '{'y' * 40}')" for index in range(100, 900))
        marked.run("BEGIN", _mark("ours", 10 + number), f"INSERT INTO t VALUES {rows}", "COMMIT")
        marked.run(f"INSERT INTO t VALUES ({number}, 'application')")
    cuts = [start]
    while True:
        limits = BatchLimits(max_bytes=1 << 40, max_rows=1)
        found = next_boundary(Log(marked.settings, marked.columns_of("t"), own=OURS), cuts[-1], limits=limits)
        if found.end == cuts[-1]:
            break
        assert found.rows <= 1, "our own rows do not count"
        cuts.append(found.end)
    assert [_ids(marked, one, OURS, other) for one, other in pairwise(cuts)] == [[0], [1], [2]]


def test_s3_a_transaction_with_a_mark_behind_followed_rows_is_an_applications(marked: Source) -> None:
    """A run writes its ledger first. The stream reads on, and later transactions of ours are left out as before."""
    start = marked.head()
    marked.run("BEGIN", "INSERT INTO t VALUES (20, '')", _mark("ours", 30), "INSERT INTO t VALUES (21, '')", "COMMIT")
    marked.run("BEGIN", _mark("ours", 31), "INSERT INTO t VALUES (22, '')", "COMMIT")
    marked.run("INSERT INTO t VALUES (23, '')")
    assert _ids(marked, start, OURS) == [20, 21, 23]


def test_s2_a_table_of_that_name_in_another_database_marks_nothing(marked: Source) -> None:
    """Neither before nor behind rows of followed tables; nor does a database whose name with the table's reads alike."""
    marked.run("CREATE DATABASE IF NOT EXISTS dev", "CREATE DATABASE IF NOT EXISTS `dev.shop`")
    for place in ("dev._shardwright_step", "`dev.shop`._shardwright_step", "dev.`shop._shardwright_step`"):
        marked.run(f"DROP TABLE IF EXISTS {place}", f"CREATE TABLE {place} (migration VARCHAR(64) PRIMARY KEY, n INT)")
    start = marked.head()
    for number, place in enumerate(
        ("dev._shardwright_step", "`dev.shop`._shardwright_step", "dev.`shop._shardwright_step`")
    ):
        marked.run(
            "BEGIN", f"INSERT INTO {place} VALUES ('ours', 1)", f"INSERT INTO t VALUES ({40 + number}, '')", "COMMIT"
        )
        marked.run("BEGIN", f"INSERT INTO t VALUES ({50 + number}, '')", f"UPDATE {place} SET n = n + 1", "COMMIT")
    assert _ids(marked, start, OURS) == [40, 50, 41, 51, 42, 52]
    assert _ids(marked, start, OURS | {("dev", "ours")}) == [50, 41, 51, 42, 52]


def test_s2_what_is_left_out_is_counted_with_its_keys(marked: Source) -> None:
    """Up to the boundary, by transaction; of an update whose key changes both keys. Where a table has no key, or where
    there are more keys than may be kept, none are known."""
    start = marked.head()
    marked.run(
        "BEGIN", _mark("ours", 61), "INSERT INTO t VALUES (60, ''), (61, '')", "DELETE FROM t WHERE id = 60", "COMMIT"
    )
    marked.run("INSERT INTO t VALUES (62, '')")
    marked.run(
        "BEGIN", _mark("ours", 62), "UPDATE t SET id = 63 WHERE id = 61", "UPDATE t SET v = 'x' WHERE id = 62", "COMMIT"
    )
    marked.run(_mark("ours", 63))
    middle = marked.head()
    marked.run("BEGIN", _mark("ours", 64), "DELETE FROM t WHERE id = 62", "COMMIT")
    log = Log(marked.settings, marked.columns_of("t"), own=OURS)
    limits = BatchLimits(max_bytes=1 << 40, max_rows=1 << 40)
    (name,) = log.tables
    found = next_boundary(log, start, limits=limits, until=middle, keys={name: (0,)}).left_out
    assert (found.transactions, found.rows, found.unknown) == (2, 5, "")
    assert {table: sorted(keys) for table, keys in found.keys.items()} == {name: [("60",), ("61",), ("62",), ("63",)]}
    assert next_boundary(log, start, limits=limits, keys={name: (0,)}).left_out.transactions == 3
    assert next_boundary(log, start, limits=limits).left_out.unknown == f"{name} has no key"
    few = next_boundary(log, start, limits=BatchLimits(max_bytes=1 << 40, max_rows=3), keys={name: (0,)}).left_out
    assert few.unknown == "they are more than 3" and not few.keys and few.transactions == 3
    none = next_boundary(Log(marked.settings, marked.columns_of("t")), start, limits=limits, keys={name: (0,)})
    assert none.left_out.transactions == 0
