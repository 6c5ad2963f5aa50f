"""Transaction boundaries (contract C3): positions handed out never lie inside a transaction, ranges add up."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

from shardwright.compiler.ddl.logged.new_tables import MeantTables
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.ddl_statements import statement_at
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.binlog.scan import Boundary, next_boundary
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.specs.environment.environment import BatchLimits
from tests.binlog.log_source import Source

pytestmark = pytest.mark.server
PLENTY = 1 << 40
NUMBERS = (
    "(WITH RECURSIVE n AS (SELECT 1 AS seq UNION ALL SELECT seq + 1 FROM n WHERE seq < 20000) SELECT seq FROM n) AS n"
)


def table(source: Source, name: str, options: str = "") -> None:
    source.run(f"CREATE OR REPLACE TABLE {name} (id INT PRIMARY KEY, v VARCHAR(50)) {options}")


def boundary(source: Source, start: LogPosition, name: str, *, rows: int = PLENTY, size: int = PLENTY) -> Boundary:
    return next_boundary(
        Log(source.settings, source.columns_of(name)), start, limits=BatchLimits(max_bytes=size, max_rows=rows)
    )


def steps(
    source: Source, start: LogPosition, name: str, *, rows: int = PLENTY, size: int = PLENTY
) -> list[LogPosition]:
    """All boundaries up to the head, following one limit."""
    found = [start]
    while (step := boundary(source, found[-1], name, rows=rows, size=size)).end != found[-1]:
        found.append(step.end)
    assert step.end == step.head  # not the head of now: MariaDB notes checkpoints in the log by itself
    return found


def test_a5_boundaries_cut_the_log_only_between_transactions(source: Source) -> None:
    table(source, "a5")
    start = source.head()
    for n in range(6):
        rows = ", ".join(f"({n * 1000 + k}, '{'x' * 40}')" for k in range(300))
        source.run("BEGIN", f"INSERT INTO a5 VALUES {rows}", f"UPDATE a5 SET v = 'u{n}' WHERE id % 3 = 0", "COMMIT")
    whole = source.changes(start, "a5")
    for limits in ({"rows": 1}, {"size": 1}, {"rows": 1000}, {"size": 60_000}, {"size": 10**9}):
        cuts = steps(source, start, "a5", **limits)
        pieces = [source.changes(a, "a5", end=b) for a, b in pairwise(cuts)]
        assert [change for piece in pieces for change in piece] == whole
        assert all(len({c["offset"] for c in piece}) >= 2 for piece in pieces)  # no piece is half a transaction
    assert len(steps(source, start, "a5", rows=1)) == 7


def test_a5_one_transaction_larger_than_the_limits_is_taken_whole(source: Source) -> None:
    table(source, "a5_large")
    start = source.head()
    source.run(f"INSERT INTO a5_large SELECT seq, REPEAT('y', 50) FROM {NUMBERS}")
    end = source.head()
    found = boundary(source, start, "a5_large", rows=10, size=1000)
    assert found.end == found.head == end and found.committed_at is not None
    assert found.rows == pytest.approx(20000, rel=0.02)
    assert found.bytes == sum(size for _, size in source.list_sent_events(start, end))
    assert len(source.changes(start, "a5_large")) == 20000


def test_nothing_new_is_the_start_itself(source: Source) -> None:
    table(source, "quiet")
    start = source.head()
    assert boundary(source, start, "quiet") == Boundary(start, 0, 0, None, start)
    assert source.changes(start, "quiet", end=start) == []


def test_a7_start_inside_a_transaction_is_refused(source: Source) -> None:
    table(source, "a7")
    start = source.head()
    source.run("INSERT INTO a7 VALUES (1, 'one')", "INSERT INTO a7 VALUES (2, 'two')")
    (first, _) = source.changes(start, "a7")
    inside = LogPosition(start.file, first["offset"])
    with pytest.raises(Refused, match=r"SW8110.*inside a transaction"):
        source.changes(inside, "a7")
    with pytest.raises(Refused, match=r"SW8110.*not the end of a transaction"):
        source.changes(start, "a7", end=inside)
    with pytest.raises(Refused, match="SW8110"):
        source.changes(LogPosition(start.file, first["offset"] + 7), "a7")


def test_e9_rotation_inside_the_range(source: Source) -> None:
    table(source, "e9")
    start = source.head()
    for n in range(3):
        source.run(f"INSERT INTO e9 VALUES ({n}, 'v')", "FLUSH BINARY LOGS")
    changes = source.changes(start, "e9")
    assert [change["after"] for change in changes] == [("0", "v"), ("1", "v"), ("2", "v")]
    assert [change["file"] - start.file_number for change in changes] == [0, 1, 2]
    cuts = steps(source, start, "e9", rows=1)
    assert [c for a, b in pairwise(cuts) for c in source.changes(a, "e9", end=b)] == changes
    assert boundary(source, start, "e9").end.file_number == start.file_number + 3
    assert all(boundary(source, cut, "e9", size=1).committed_at for cut in cuts[:-2])  # never a file header alone


def test_e21_rollback_savepoint_myisam_and_multi_table_statements(source: Source) -> None:
    table(source, "e21")
    table(source, "e21_other")
    table(source, "e21_myisam", "ENGINE=MyISAM")
    start = source.head()
    source.run("BEGIN", "INSERT INTO e21 VALUES (1, 'gone')", "ROLLBACK")
    source.run("BEGIN", "INSERT INTO e21 VALUES (2, 'kept')", "SAVEPOINT s", "INSERT INTO e21 VALUES (3, 'gone')",
               "ROLLBACK TO s", "INSERT INTO e21_other VALUES (2, 'other')", "COMMIT")  # fmt: skip
    source.run("INSERT INTO e21_myisam VALUES (1, 'plain'), (2, 'plain')")
    source.run("UPDATE e21 JOIN e21_other USING (id) SET e21.v = 'joined', e21_other.v = 'joined'")
    source.run("DELETE e21, e21_other FROM e21 JOIN e21_other USING (id)")
    source.run("REPLACE INTO e21_myisam VALUES (1, 'replaced')")
    changes = source.changes(start, "e21", "e21_other", "e21_myisam")
    reported = [
        (c["table"][5:], c["op"], c["before"] and c["before"][1], c["after"] and c["after"][1]) for c in changes
    ]
    assert reported[:4] == [("e21", "I", None, "kept"), ("e21_other", "I", None, "other"),
                        ("e21_myisam", "I", None, "plain"), ("e21_myisam", "I", None, "plain")]  # fmt: skip
    assert sorted(reported[4:6]) == [("e21", "U", "kept", "joined"), ("e21_other", "U", "other", "joined")]
    assert sorted(reported[6:8]) == [("e21", "D", "joined", None), ("e21_other", "D", "joined", None)]
    assert reported[8:] == [("e21_myisam", "U", "plain", "replaced")]
    cuts = steps(source, start, "e21_myisam", rows=1)
    pieces = [source.changes(a, "e21_myisam", end=b) for a, b in pairwise(cuts)]
    assert [change["after"] for piece in pieces for change in piece] == [
        ("1", "plain"),
        ("2", "plain"),
        ("1", "replaced"),
    ]


def test_e24_other_tables_and_admin_statements_move_the_position(source: Source) -> None:
    table(source, "e24")
    table(source, "e24_other")
    start = source.head()
    source.run("INSERT INTO e24_other VALUES (1, 'x')", "CREATE USER IF NOT EXISTS e24@localhost", "FLUSH PRIVILEGES",
               "INSERT INTO e24 VALUES (1, 'last')", "GRANT SELECT ON shop.* TO e24@localhost")  # fmt: skip
    found = boundary(source, start, "e24")
    assert (found.end, found.rows) == (source.head(), 1)
    assert [change["after"] for change in source.changes(start, "e24")] == [("1", "last")]


def test_ranges_are_the_same_when_read_in_small_batches(source: Source) -> None:
    table(source, "batches")
    start = source.head()
    source.run(f"INSERT INTO batches SELECT seq, seq FROM {NUMBERS}")
    batches = list(read_changes(Log(source.settings, source.columns_of("batches")), start, source.head()))
    assert len(batches) >= 3 and max(batch.num_rows for batch in batches) < 6000
    ids = [int(image[0]) for batch in batches for image in batch.column("after").to_pylist()]
    assert ids == list(range(1, 20001))


def test_e13_files_with_and_without_checksums_in_one_range(source: Source) -> None:
    table(source, "e13")
    start = source.head()
    source.run(
        "INSERT INTO e13 VALUES (1, 'crc')", "SET GLOBAL binlog_checksum = NONE", "INSERT INTO e13 VALUES (2, 'none')"
    )
    without = source.head()
    source.run(
        "INSERT INTO e13 VALUES (3, 'none')", "SET GLOBAL binlog_checksum = CRC32", "INSERT INTO e13 VALUES (4, 'crc')"
    )
    assert [change["after"][0] for change in source.changes(start, "e13")] == ["1", "2", "3", "4"]
    assert [change["after"][0] for change in source.changes(without, "e13")] == ["3", "4"]


def test_a_statement_that_was_made_to_take_long_is_passed_in_a_moment(source: Source) -> None:
    """Any account may write one, in any database. Looking for the end of each of its comments anew took an hour for a
    megabyte."""
    source.run("CREATE OR REPLACE TABLE busy (id INT PRIMARY KEY)", "CREATE DATABASE IF NOT EXISTS elsewhere")
    start = source.head()
    source.run(
        "USE elsewhere", "DROP PROCEDURE IF EXISTS harmless", f"CREATE PROCEDURE harmless() SELECT '{'/* ' * 350_000}'"
    )
    source.run("INSERT INTO shop.busy VALUES (1)")
    began = time.monotonic()
    assert [change["after"] for change in source.changes(start, "busy")] == [("1",)]
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("rows", [0, 1])
def test_e17_a_table_that_one_statement_makes_and_fills_is_passed_whole(source: Source, rows: int) -> None:
    """MariaDB and MySQL log the statement and its rows in one transaction, also where it has no rows."""
    table(source, "e17_from")
    source.run("DROP TABLE IF EXISTS e17_made")
    before = source.head()
    source.run("INSERT INTO e17_from VALUES (1, 'one')")
    start = source.head()
    source.run(f"CREATE TABLE e17_made SELECT * FROM e17_from LIMIT {rows}")
    end = source.head()
    source.run("INSERT INTO e17_from VALUES (2, 'two')")
    pattern = MeantTables((("shop", "e17_mad?", "made"),), frozenset({"shop.e17_from"}))
    unknown = Log(source.settings, source.columns_of("e17_from"), meant=pattern)
    for log in (unknown, Log(source.settings, source.columns_of("e17_from", "e17_made"))):
        found = statement_at(log, start)
        assert found is not None and found.text.startswith("CREATE TABLE `e17_made`")
        assert found.after == end
        assert next_boundary(log, before, limits=BatchLimits(max_bytes=PLENTY, max_rows=PLENTY)).end == start
    if source.is_mysql:
        return  # it refuses a function that writes there
    source.run("CREATE OR REPLACE FUNCTION e17_writes() RETURNS INT BEGIN DELETE FROM e17_from; RETURN 1; END")
    start = source.head()
    source.run("CREATE OR REPLACE TABLE e17_made SELECT e17_writes() AS id")
    assert statement_at(unknown, start) is None
    with pytest.raises(Refused, match=r"a table is made that a pattern .* one transaction with rows of other tables"):
        next_boundary(unknown, start, limits=BatchLimits(max_bytes=PLENTY, max_rows=PLENTY))
