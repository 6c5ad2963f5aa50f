"""A table that is copied onto 256 physical ones with few connections (G8), while applications write some hundred
changes a second where the copy is just reading: at the borders of its chunks, ahead of it and behind it (B1, B2,
B10). They change primary keys, too: a row goes from one side of the copy to the other, and two rows exchange their
keys.

`make test` has a small form of it.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.oracle.compare import compare, count
from tests.oracle.tables import Table
from tests.servers.testbed import Arena, Server
from tests.snapshot.border_writers import BETWEEN, Load, Writers, write
from tests.snapshot.given import make_project
from tests.support.job import ENVIRONMENT, SMALL_SPARK, Job
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

SHARDS = tuple(f"many_{number}" for number in range(4))
RATE = 500
CAP = 2
_CONNECTIONS = 64
"""One server has fewer than these: there are as many physical tables on each of its shards in the large form."""
_PATIENCE = 1500.0


@dataclass(frozen=True)
class _Size:
    """`parts`: physical tables of a shard. `looks`: how often connections are counted after the copy."""

    rows: int
    parts: int
    chunk_rows: int
    looks: int

    @property
    def suffixes(self) -> tuple[str, ...]:
        return tuple(f"_{number}" for number in range(self.parts))

    def place(self, values: tuple[bytes | None, ...]) -> tuple[str, str]:
        """The rule of the spec, read by a person."""
        (value,) = values
        assert value is not None
        return SHARDS[int(value) % len(SHARDS)], self.suffixes[int(value) // len(SHARDS) % self.parts]

    @property
    def table(self) -> Table:
        """For the oracle."""
        return Table("thing", ("shop.thing",), ("id",), SHARDS, self.suffixes, ("owner",), self.place)


SMALL = _Size(8_000, parts=8, chunk_rows=200, looks=10)
LARGE = _Size(int(os.environ.get("SHARDWRIGHT_MANY_ROWS", "1000000")), parts=64, chunk_rows=5_000, looks=100)

SPEC = """
version: 1
migration: many
source: {{dialect: {dialect}, databases: [shop], schema: schema/shop.sql}}
target: {{databases: "many_{{0..3}}", tables_suffix: "_{{0..{last}}}"}}
sharding: {{by_owner: {{shard_key: [owner], database: owner % 4, table: (owner div 4) % {parts}}}}}
tables: [{{table: thing, sharding: by_owner}}]
ddl: ddl/
"""
SCHEMA = """CREATE TABLE thing (
  id BIGINT UNSIGNED NOT NULL PRIMARY KEY, owner INT UNSIGNED NOT NULL, amount INT NOT NULL, note VARCHAR(60) NOT NULL
) CHARSET=utf8mb4 COLLATE=utf8mb4_bin;"""


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "size", [pytest.param(SMALL, id="small"), pytest.param(LARGE, id="large", marks=pytest.mark.long)]
)
def test_g8_b1_b2_b10_many_tables_few_connections_hot_borders(
    arena: Arena, tmp_path: Path, seed: int, size: _Size
) -> None:
    job = _prepare(arena, tmp_path, size)
    load = Load(RATE, highest=size.rows * BETWEEN, ledger=SHARDS[0])
    with job.run() as run:

        def until(what: str, holds: Callable[[], bool]) -> None:
            wait_until(what, holds, seconds=_PATIENCE, run=run, show=job.end_of_log)

        ledger_state = arena.placement[SHARDS[0]]
        until("a chunk is planned", lambda: _ask(ledger_state, "SELECT COUNT(*) FROM _shardwright_chunk") > 0)
        with write(arena.source, ledger_state, load, seed=seed) as writers:
            with _count(arena) as copying:
                copied = "SELECT COUNT(*) FROM _shardwright_migration WHERE snapshot_end IS NOT NULL"
                until("all is copied", lambda: _ask(ledger_state, copied) > 0)
            _require_load(writers, "while rows were copied")
            with _count(arena) as following:
                until("the stream had its time", lambda: following.looks > size.looks)
        _require_load(writers, "in all")
        until("the stream has drained", lambda: json.loads(job.call("status", "--env", ENVIRONMENT, "--format", "json"))["caught_up"])  # fmt: skip
    print(copying.most, following.most)
    _require_equal(arena, size)
    assert 0 < copying.loading <= CAP, "tasks of the copy that write to one server at the same time"
    assert max(copying.most["target 1"], following.most["target 1"]) <= CAP, "of the copy and the stream together"
    assert max(copying.most.values()) < _CONNECTIONS, (
        f"connections follow the number of physical tables: {copying.most}"
    )


def _require_load(writers: Writers, when: str) -> None:
    """A load that was not there has shown nothing."""
    print(f"{when}: {writers}")
    assert writers.has_reached, f"the writers did not reach their rate {when}: {writers}"
    missing = [kind for kind, number in writers.kinds.items() if not number]
    assert not missing, f"{missing} never happened {when}: {writers}"


def _require_equal(arena: Arena, size: _Size) -> None:
    with ExitStack() as stack:
        source = stack.enter_context(arena.source.connect("shop"))
        shards = {name: stack.enter_context(arena.shard(name)) for name in SHARDS}
        assert count(source, size.table) > 0
        differences = compare(source, [size.table], shards)
    assert not differences, "\n".join(differences)


def _prepare(arena: Arena, tmp_path: Path, size: _Size) -> Job:
    spec = SPEC.format(dialect=arena.source.sandbox.kind, parts=size.parts, last=size.parts - 1)
    project = make_project(tmp_path, spec, SCHEMA)
    spark = {**SMALL_SPARK["spark"], "master": f"local[{3 * CAP}]"}
    settings = {
        "spark": spark,
        "throttle": {"connections": CAP},
        "snapshot": {"chunk_rows": size.chunk_rows, "parallel": 3 * CAP},
    }
    job = Job(arena, project, tmp_path, settings=settings)
    arena.source.run_script(SCHEMA, database="shop")
    arena.source.query("INSERT INTO thing VALUES (0, 7, 0, 'first')", database="shop")
    rows = 1
    while rows < size.rows:
        more = min(rows, size.rows - rows)
        arena.source.query(
            f"INSERT INTO thing SELECT id + {rows * BETWEEN}, (id * 2654435761 + {rows}) MOD 1000003, id MOD 977, 'as it was' "
            f"FROM thing ORDER BY id LIMIT {more}",
            database="shop",
        )
        rows += more
    job.call("compile")
    return job


def _ask(server: Server, sql: str) -> int:
    try:
        return int(server.query(sql, database=SHARDS[0])[0][0])
    except Exception as error:
        if "1146" not in str(error):
            raise
        return 0


@dataclass
class _Counted:
    """The most connections of the run to each server, and how many loaded rows into physical tables at the same
    time."""

    looks: int = 0
    loading: int = 0
    most: dict[str, int] = field(default_factory=dict)


@contextmanager
def _count(arena: Arena) -> Iterator[_Counted]:
    """What is seen within."""
    counted, done = _Counted(), threading.Event()
    servers = {"source": arena.source, **{f"target {number}": each for number, each in enumerate(arena.targets)}}

    def look() -> None:
        while not done.wait(0.05):
            for name, server in servers.items():
                ((all_of_them, loading),) = server.query(
                    "SELECT COUNT(*), COALESCE(SUM(info LIKE 'LOAD DATA%INTO TABLE %`thing%'), 0) FROM information_schema.processlist "
                    "WHERE user = 'shardwright'"
                )
                counted.most[name] = max(counted.most.get(name, 0), int(all_of_them))
                counted.loading = max(counted.loading, int(loading))
            counted.looks += 1

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield counted
    finally:
        done.set()
        looking.join()
