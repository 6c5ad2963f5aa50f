"""What a server's files go through: restarts, renumbering, damage on disk, files beyond the dump protocol's 4 GiB."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog import scan
from shardwright.runtime.sources.binlog.connection import log_head
from shardwright.runtime.sources.binlog.failover import resume
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.binlog.scan import next_boundary
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.specs.environment.environment import BatchLimits
from tests.support.replicas import TABLES, Node, Reader

pytestmark = pytest.mark.server
OTHER = {"shop.u": (Column("id", ColumnType("int"), nullable=False), Column("w", ColumnType("int"), nullable=True))}
OPTIONS = {"innodb-flush-log-at-trx-commit": "2", "sync-binlog": "0"}


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    made = Node(tmp_path_factory.mktemp("files") / "node", 103, OPTIONS)
    yield made
    made.remove()


@pytest.fixture
def empty(node: Node) -> Node:
    node.start()
    node.forget_everything()
    node.run("CREATE DATABASE shop", "CREATE TABLE shop.t (id INT PRIMARY KEY, v INT)")
    return node


def ids(node: Node, start: LogPosition, tables: dict[str, tuple[Column, ...]] = TABLES) -> list[tuple[str, str]]:
    batches = read_changes(Log(node.log, tables), start, log_head(node.log))
    return [(change["table"], change["after"][0]) for batch in batches for change in batch.to_pylist()]


def test_e20_table_ids_are_used_again_after_a_restart(empty: Node) -> None:
    empty.run("CREATE TABLE shop.u (id INT PRIMARY KEY, w INT)")
    start = empty.position()
    empty.stop()
    empty.start()
    empty.run("INSERT INTO shop.t VALUES (1, 1)", "INSERT INTO shop.u VALUES (2, 2)")
    empty.stop()
    empty.start()  # numbers begin again, and now the other table gets the first one
    empty.run("INSERT INTO shop.u VALUES (3, 3)", "INSERT INTO shop.t VALUES (4, 4)")
    assert ids(empty, start, TABLES | OTHER) == [("shop.t", "1"), ("shop.u", "2"), ("shop.u", "3"), ("shop.t", "4")]
    assert ids(empty, start) == [("shop.t", "1"), ("shop.t", "4")]


def test_e9_files_numbered_beyond_six_digits(empty: Node) -> None:
    begun = empty.position()
    empty.run("INSERT INTO shop.t VALUES (1, 1)")
    empty.stop()
    data = empty.folder / "data"
    last = max(data.glob("binlog.0*[0-9]"))  # 11.8 has an index of GTIDs beside each
    last.rename(data / "binlog.999999")
    index = data / "binlog.index"
    index.write_text(index.read_text().replace(last.name, "binlog.999999"))
    empty.start()
    start = LogPosition("binlog.999999", begun.offset)
    empty.run("INSERT INTO shop.t VALUES (2, 2)")
    assert log_head(empty.log).file == "binlog.1000000"
    reader = Reader(empty, resume(empty.log, start, tables=("shop.t",)).position)
    reader.follow(max_rows=1)
    assert reader.rows == {1: 1, 2: 2}
    assert reader.position == log_head(empty.log)
    assert reader.position > replace(start, offset=1 << 31)


def test_e13_a_bit_flipped_on_disk(empty: Node) -> None:
    start = empty.position()
    empty.run("INSERT INTO shop.t VALUES (1, 1)", f"INSERT INTO shop.t VALUES (2, {0x5A5A5A5A})")
    empty.flush()
    file = empty.folder / "data" / start.file
    content = bytearray(file.read_bytes())
    at = content.rindex(0x5A5A5A5A.to_bytes(4, "little"))
    content[at] ^= 0x04
    file.write_bytes(content)
    with pytest.raises(Refused, match=r"SW8116: the log of .* is damaged: the event at .* fails its checksum"):
        ids(empty, start)
    boundary = next_boundary(Log(empty.log, TABLES), start, limits=BatchLimits(max_bytes=1 << 30, max_rows=1000))
    assert boundary.rows == 1  # what lies before the damage can still be applied
    assert ids_until(empty, start, boundary.end) == ["1"]


def ids_until(node: Node, start: LogPosition, end: LogPosition) -> list[str]:
    return [c["after"][0] for batch in read_changes(Log(node.log, TABLES), start, end) for c in batch.to_pylist()]


def test_e10_no_boundary_beyond_what_a_dump_can_ask_for(empty: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is moved down here: no test writes 4 GiB."""
    start = empty.position()
    empty.run("INSERT INTO shop.t VALUES (1, 1)")
    before = log_head(empty.log)
    empty.run("INSERT INTO shop.t VALUES (2, 2), (3, 3)")
    monkeypatch.setattr(scan, "LARGEST_OFFSET", before.offset)
    reader = Reader(empty, start)
    reader.follow(max_rows=1)
    assert (reader.rows, reader.position) == ({1: 1}, before)
    reader.follow()
    assert reader.position == before  # as long as the server has not begun the next file
    empty.flush()
    reader.follow()
    assert reader.rows == {1: 1, 2: 2, 3: 3}
    assert reader.position.file_number == before.file_number + 1


def test_b9_an_idle_server_that_only_rotates_moves_the_position(empty: Node) -> None:
    reader = Reader(empty, empty.position())
    for _ in range(3):
        empty.flush()
    reader.follow()
    assert reader.position == log_head(empty.log)
    assert reader.go_over_to(empty) == ()
    empty.purge_to_newest()  # one file more, and only that one is left: nothing was in the others
    (line,) = reader.go_over_to(empty)
    assert "is purged and all before" in line
    empty.run("INSERT INTO shop.t VALUES (1, 1)")
    reader.follow()
    assert reader.rows == {1: 1}


_READ = """
import resource, sys
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.sources.binlog.connection import log_head
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.binlog.scan import next_boundary
from shardwright.specs.environment.environment import BatchLimits
from tests.support.replicas import TABLES
port, password, file, offset = sys.argv[1:]
log, start = Endpoint("127.0.0.1", int(port), "root", password), LogPosition(file, int(offset))
def used():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
before = used()
boundary = next_boundary(Log(log, TABLES), start, limits=BatchLimits(max_bytes=1 << 20, max_rows=1000))
assert boundary.end == log_head(log)
rows = sum(batch.num_rows for batch in read_changes(Log(log, TABLES), start, boundary.end))
print(rows, before, used())
"""


@pytest.mark.long
def test_e11_a_huge_transaction_is_read_in_bounded_memory(empty: Node) -> None:
    rows = int(os.environ.get("SHARDWRIGHT_HUGE_ROWS", "2000000"))
    start = empty.position()
    limit = "cte_max_recursion_depth" if empty.is_mysql else "max_recursive_iterations"
    numbers = (
        f"WITH RECURSIVE seq AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM seq WHERE n < {rows}) SELECT n, n FROM seq"
    )
    empty.run(f"SET SESSION {limit} = {rows + 1}", f"INSERT INTO shop.t {numbers}")
    arguments = [str(empty.server.port), empty.password, start.file, str(start.offset)]
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", _READ, *arguments], capture_output=True, text=True, check=False, cwd=root, timeout=900
    )
    assert done.returncode == 0, done.stderr
    read, before, after = map(int, done.stdout.split())
    print(f"{rows} rows in one transaction: {before} MiB before, {after} MiB at most")
    assert read == rows
    assert after - before < 100
