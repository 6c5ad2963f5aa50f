"""Transactions that a run has written are known by their ledger row, and left out whole (direction D3)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger import chunks_done, steps
from shardwright.runtime.sources.binlog.log_range import Log
from shardwright.runtime.sources.binlog.marks import MARKING
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.binlog.scan import next_boundary
from shardwright.specs.environment.environment import BatchLimits
from tests.binlog.log_source import Source

pytestmark = pytest.mark.server

OURS = frozenset({"ours"})


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


def _ids(source: Source, start: LogPosition, own: frozenset[str], end: LogPosition | None = None) -> list[int]:
    found: list[int] = []
    for batch in read_changes(Log(source.settings, source.followed("t"), own=own), start, end or source.head()):
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
    assert _ids(marked, start, OURS | {"theirs"}) == [1, 4, 2, 5]
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
        found = next_boundary(Log(marked.settings, marked.followed("t"), own=OURS), cuts[-1], limits=limits)
        if found.end == cuts[-1]:
            break
        assert found.rows <= 1, "our own rows do not count"
        cuts.append(found.end)
    assert [_ids(marked, one, OURS, other) for one, other in pairwise(cuts)] == [[0], [1], [2]]


def test_a_mark_behind_followed_rows_is_refused(marked: Source) -> None:
    start = marked.head()
    marked.run("BEGIN", "INSERT INTO t VALUES (20, '')", _mark("ours", 30), "COMMIT")
    with pytest.raises(Refused, match=r"SW8119: .* has a row of our ledger behind rows of followed tables"):
        _ids(marked, start, OURS)
    assert _ids(marked, start, frozenset()) == [20]
