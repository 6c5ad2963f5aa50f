"""One transaction of very many rows, from the log onto the shards (hazard E11). SHARDWRIGHT_HUGE_ROWS makes it
larger.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support import waiting
from tests.support.job import session_members
from tests.support.lab import Lab

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long, pytest.mark.cold]

ROWS = int(os.environ.get("SHARDWRIGHT_HUGE_ROWS", "1000000"))
MIB = 1024
HASHES = "SELECT COUNT(*), SUM(CAST(CONV(LEFT(MD5(CONCAT_WS('#', id, line, place, note)), 12), 16, 10) AS UNSIGNED)) FROM {table}"
"""How many rows there are, and the sum of a hash of each: not linear, so that no two errors cancel."""


def test_e11_a_huge_transaction_is_applied_in_bounded_memory(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows come, most of them; of those that stood some change, some move from shard to shard, some get other keys, and
    some go."""
    monkeypatch.setattr(waiting, "PATIENCE", 3600.0)
    lab = Lab(arena, tmp_path, settings={"spark": {"master": "local[2]"}})
    lab.create_source()
    existing = ROWS // 10
    lab.write(*_rows(1, existing))
    lab.finish()
    before = lab.ledger_state()
    lab.write(
        *_rows(existing + 1, ROWS),
        f"UPDATE child SET note = CONCAT('changed ', id) WHERE id <= {existing // 3}",
        f"UPDATE child SET place = (place + 1) MOD 4 WHERE id BETWEEN {existing // 4} AND {existing // 2}",
        f"DELETE FROM child WHERE id BETWEEN {existing // 2} AND {existing * 2 // 3}",
        f"UPDATE child SET line = line + 1 WHERE id > {ROWS - existing}",
    )
    with lab.run(gated=False) as run, _watch(run.pid) as peaks:
        lab.drain(run)
        after = lab.ledger_state()
    print({name: f"{kib // 1024} MiB" for name, kib in peaks.items()})
    driver_has, java_has = peaks.pop("shardwright"), peaks.pop("java")
    assert driver_has < 300 * MIB, "row data is never collected by the driver"
    assert java_has < 1800 * MIB, "Spark's heap is of 1 GiB, however many rows there are"
    assert sum(peaks.values()) < 1400 * MIB, "a task that stages holds a piece of its shards' changes, as text"
    assert after.batch == before.batch + 1, "one transaction is one batch"
    tables = [f"child_{place // 2}" for place in range(4)]
    shards = [lab.at(place, HASHES.format(table=table))[0] for place, table in enumerate(tables)]
    ((count, total),) = arena.source.query(HASHES.format(table="child"), database="lab")
    assert count > ROWS * 0.9
    assert (sum(row[0] for row in shards), sum(row[1] for row in shards)) == (count, total)
    for place, table in enumerate(tables):
        assert lab.at(place, f"SELECT COUNT(*) FROM {table} WHERE place <> {place}") == [(0,)]


def _rows(first: int, last: int) -> list[str]:
    return [
        "SET SESSION max_recursive_iterations = 100000000",
        f"INSERT INTO child WITH RECURSIVE seq AS (SELECT {first} AS n UNION ALL SELECT n + 1 FROM seq WHERE n < {last}) "
        "SELECT n, 1, n MOD 4, CONCAT('note ', n) FROM seq",
    ]


@contextmanager
def _watch(session: int) -> Iterator[dict[str, int]]:
    """The most memory that each program of a session has had, all its processes together, in KiB of resident memory."""
    peaks: dict[str, int] = {}
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.5):
            now: dict[str, int] = {}
            for pid in session_members(session):
                try:
                    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
                except OSError:
                    continue
                name = status["Name"].strip()
                now[name] = now.get(name, 0) + int(status.get("VmRSS", "0 kB").split()[0])
            for name, kib in now.items():
                peaks[name] = max(peaks.get(name, 0), kib)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield peaks
    finally:
        ended.set()
        watcher.join()
