"""A table that is copied onto 256 physical ones with few connections (G8), while applications write some hundred
changes a second where the copy is just reading: at the borders of its chunks, ahead of it and behind it (B1, B2,
B10).
"""

from __future__ import annotations

import json
import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.servers.testbed import Arena, Server
from tests.workload.job import ENVIRONMENT, SMALL_SPARK, Job

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow, pytest.mark.long]

ROWS = int(os.environ.get("SHARDWRIGHT_MANY_ROWS", "1000000"))
RATE = 500
SHARDS, PARTS = 4, 64
CAP = 2
_PATIENCE = 1500.0
_BETWEEN = 4
"""Between two of the first rows' keys, there is room for new ones."""

SPEC = f"""
version: 1
migration: many
source: {{dialect: DIALECT, databases: [shop], schema: schema/shop.sql}}
target: {{databases: "many_{{0..{SHARDS - 1}}}", tables_suffix: "_{{0..{PARTS - 1}}}"}}
sharding: {{by_owner: {{shard_key: [owner], database: owner % {SHARDS}, table: (owner div {SHARDS}) % {PARTS}}}}}
tables: [{{table: thing, sharding: by_owner}}]
ddl: ddl/
"""
SCHEMA = """CREATE TABLE thing (
  id BIGINT UNSIGNED NOT NULL PRIMARY KEY, owner INT UNSIGNED NOT NULL, amount INT NOT NULL, note VARCHAR(60) NOT NULL
) CHARSET=utf8mb4 COLLATE=utf8mb4_bin;"""


def test_g8_b1_b2_b10_many_tables_few_connections_hot_borders(arena: Arena, tmp_path: Path, seed: int) -> None:
    job = _prepared(arena, tmp_path)
    with job.running() as run:

        def until(what: str, holds: object) -> None:
            end = time.monotonic() + _PATIENCE
            while not holds():  # type: ignore[operator]
                assert run.poll() is None, f"run ended by itself with {run.returncode}:\n{job.end_of_log()}"
                assert time.monotonic() < end, f"it still does not hold that {what}\n{job.end_of_log()}"
                time.sleep(0.2)

        books = arena.placement["many_0"]
        until("a chunk is planned", lambda: _asked(books, "SELECT COUNT(*) FROM _shardwright_chunk") > 0)
        with _writing(arena, seed=seed) as written:
            with _counted(arena) as copying:
                until("all is copied", lambda: _asked(books, "SELECT COUNT(*) FROM _shardwright_migration WHERE snapshot_end IS NOT NULL") > 0)  # fmt: skip
            with _counted(arena) as following:
                until("the stream had its time", lambda: following.looks > 100)
        until("the stream has drained", lambda: json.loads(job.call("status", "--env", ENVIRONMENT, "--format", "json"))["caught_up"])  # fmt: skip
    print(
        f"{written.changes} changes, {written.changes / written.seconds:.0f} a second; {copying.most} {following.most}"
    )
    assert written.changes > 0
    assert _state(arena.source, [("shop", "thing")]) == _state_of_shards(arena)
    assert 0 < copying.loading <= CAP, "tasks of the copy that write to one server at the same time"
    assert max(copying.most["target 1"], following.most["target 1"]) <= CAP, "of the copy and the stream together"
    assert max(copying.most.values()) < PARTS, f"connections follow the number of physical tables: {copying.most}"


def _prepared(arena: Arena, tmp_path: Path) -> Job:
    project = tmp_path / "given"
    for name, text in (
        ("specs/many.yaml", SPEC.replace("DIALECT", arena.source.sandbox.kind)),
        ("schema/shop.sql", SCHEMA),
    ):
        (project / name).parent.mkdir(parents=True)
        (project / name).write_text(text, encoding="utf-8")
    (project / "ddl").mkdir()
    spark = {**SMALL_SPARK["spark"], "master": f"local[{3 * CAP}]"}
    settings = {
        "spark": spark,
        "throttle": {"connections": CAP},
        "snapshot": {"chunk_rows": 5_000, "parallel": 3 * CAP},
    }
    job = Job(arena, project, tmp_path, settings=settings)
    arena.source.run_script(SCHEMA, database="shop")
    arena.source.query("INSERT INTO thing VALUES (0, 7, 0, 'first')", database="shop")
    count = 1
    while count < ROWS:
        more = min(count, ROWS - count)
        arena.source.query(
            f"INSERT INTO thing SELECT id + {count * _BETWEEN}, (id * 2654435761 + {count}) MOD 1000003, id MOD 977, 'as it was' "
            f"FROM thing ORDER BY id LIMIT {more}",
            database="shop",
        )
        count += more
    job.call("compile")
    return job


def _asked(server: Server, sql: str) -> int:
    try:
        return int(server.query(sql, database="many_0")[0][0])
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
def _counted(arena: Arena) -> Iterator[_Counted]:
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


@dataclass
class _Written:
    changes: int = 0
    seconds: float = 1e-9


@contextmanager
def _writing(arena: Arena, *, seed: int) -> Iterator[_Written]:
    """RATE changes a second, in transactions of five."""
    written, done, failed = _Written(), threading.Event(), []

    def write() -> None:
        try:
            _write(arena, random.Random(seed), written, done)
        except Exception as error:  # noqa: BLE001 - told by the test's thread
            failed.append(error)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield written
    finally:
        done.set()
        writer.join()
    assert not failed, failed


def _write(arena: Arena, dice: random.Random, written: _Written, done: threading.Event) -> None:
    books, began, border = arena.placement["many_0"].connect("many_0"), time.monotonic(), 0
    books.autocommit(True)
    last = ROWS * _BETWEEN
    with arena.source.connect("shop") as source, source.cursor() as cursor, books, books.cursor() as look:
        while not done.is_set():
            if written.changes % 50 == 0:
                look.execute("SELECT high FROM _shardwright_chunk ORDER BY chunk DESC LIMIT 1")
                found = look.fetchone()
                border = int(json.loads(found[0])[0]) if found and found[0] else border
            for _ in range(5):
                where = dice.choice((border, border, border, dice.randrange(last), dice.randrange(border + 1)))
                _change(cursor, dice, max(0, where + dice.randrange(-40, 41)))
            source.commit()
            written.changes += 5
            written.seconds = time.monotonic() - began
            time.sleep(max(0.0, written.changes / RATE - written.seconds))


def _change(cursor: object, dice: random.Random, key: int) -> None:
    kind = dice.randrange(100)
    if kind < 35:
        sql, values = (
            "UPDATE thing SET amount = amount + 1, note = 'changed' WHERE id >= %s ORDER BY id LIMIT 1",
            (key,),
        )
    elif kind < 65:
        sql, values = "UPDATE thing SET owner = %s WHERE id >= %s ORDER BY id LIMIT 1", (dice.randrange(10**6), key)
    elif kind < 80:
        sql, values = "DELETE FROM thing WHERE id >= %s ORDER BY id LIMIT 1", (key,)
    else:
        sql, values = "INSERT IGNORE INTO thing VALUES (%s, %s, 1, 'new')", (key, dice.randrange(10**6))
    cursor.execute(sql, values)  # type: ignore[attr-defined]


_HASHES = "SELECT COUNT(*), COALESCE(SUM(CAST(CONV(LEFT(MD5(CONCAT_WS('|', id, owner, amount, note)), 14), 16, 10) AS UNSIGNED)), 0)"


def _state(server: Server, tables: list[tuple[str, str]]) -> tuple[int, int]:
    found = [server.query(f"{_HASHES} FROM `{table}`", database=database)[0] for database, table in tables]
    return sum(int(count) for count, _ in found), sum(int(hashes) for _, hashes in found)


def _state_of_shards(arena: Arena) -> tuple[int, int]:
    """Each row counts only where it belongs."""
    rows = hashes = 0
    for shard in range(SHARDS):
        server = arena.placement[f"many_{shard}"]
        for part in range(PARTS):
            where = f"owner % {SHARDS} = {shard} AND owner DIV {SHARDS} % {PARTS} = {part}"
            ((count, total),) = server.query(f"{_HASHES} FROM thing_{part} WHERE {where}", database=f"many_{shard}")
            ((everywhere,),) = server.query(f"SELECT COUNT(*) FROM thing_{part}", database=f"many_{shard}")
            assert everywhere == count, f"rows of others in many_{shard}.thing_{part}"
            rows, hashes = rows + int(count), hashes + int(total)
    return rows, hashes
