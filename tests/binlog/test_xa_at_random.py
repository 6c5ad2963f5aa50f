"""XA and plain transactions in random order, read in random ranges and parts by readers that start anew at random: in
the end the rows are those of the server (hazard E21)."""

from __future__ import annotations

import random

import pytest

from shardwright.runtime.sources.binlog import prepared_transactions, scan
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.binlog.reading import LogReading
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.specs.environment.environment import BatchLimits
from tests.binlog.log_source import Row, Source
from tests.servers.xa import commit, prepare, roll_back

pytestmark = pytest.mark.server
STEPS = 80
SLOTS = 4
"""So many XA transactions may be open; each has a name and rows of its own."""


def _statements(dice: random.Random, slot: int, step: int) -> list[str]:
    first = slot * 1000
    keys = [first + dice.randrange(10) for _ in range(dice.randint(1, 4))]
    return [
        f"REPLACE INTO random_xa VALUES ({first + 500}, '{step}')",  # one without changes would not be prepared
        *(
            dice.choice(
                [
                    f"REPLACE INTO random_xa VALUES ({key}, 'r{step}')",
                    f"UPDATE random_xa SET v = CONCAT(v, '+') WHERE id BETWEEN {key} AND {first + 9}",
                    f"DELETE FROM random_xa WHERE id = {key}",
                    f"INSERT IGNORE INTO random_xa VALUES ({key}, 'i{step}')",
                ]
            )
            for key in keys
        ),
    ]


def _write(source: Source, dice: random.Random) -> None:
    def run(*statements: str) -> None:
        """Without locks of gaps: each transaction changes rows of its own only."""
        source.run("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", *statements)

    is_open: set[int] = set()
    for step in range(STEPS):
        slot = dice.randrange(SLOTS)
        if slot in is_open:
            dice.choice([commit, commit, roll_back])(run, f"'slot{slot}'")
            is_open.remove(slot)
        elif dice.random() < 0.6:
            prepare(run, f"'slot{slot}'", *_statements(dice, slot, step))
            is_open.add(slot)
        else:
            run(*_statements(dice, slot, step))
        if dice.random() < 0.1:
            run("FLUSH BINARY LOGS")
    for slot in is_open:
        commit(run, f"'slot{slot}'")


def _follow(
    log: Log, start: LogPosition, dice: random.Random, *, restarts: float
) -> tuple[dict[str | None, Row], list[tuple[int, int, int]]]:
    rows: dict[str | None, Row] = {}
    places: list[tuple[int, int, int]] = []
    limits, tasks = BatchLimits(max_rows=dice.randint(1, 20)), dice.randint(1, 3)
    reading = LogReading("shop", log, limits, tasks)
    while (ahead := reading.fetch(start)) is not None:
        for part in ahead.ranges:
            for batch in read_changes(log, part.start, part.end, pending=part.prepared):
                for change in batch.to_pylist():
                    places.append((change["file"], change["offset"], change["row"]))
                    if change["before"] is not None:
                        assert rows.pop(change["before"][0]) == tuple(change["before"])
                    if change["after"] is not None:
                        assert change["after"][0] not in rows
                        rows[change["after"][0]] = tuple(change["after"])
        start = ahead.end  # type: ignore[assignment]
        if dice.random() < restarts:
            reading.close()
            reading = LogReading("shop", log, limits, tasks)
    reading.close()
    return rows, places


def test_e21_random_transactions_read_at_random(
    source: Source, monkeypatch: pytest.MonkeyPatch, dice: random.Random
) -> None:
    source.run("CREATE OR REPLACE TABLE random_xa (id INT PRIMARY KEY, v VARCHAR(200))")
    start = source.head()
    _write(source, dice)
    log = Log(source.settings, source.columns_of("random_xa"))
    expected = {row[0]: row for row in source.select("random_xa")}
    monkeypatch.setattr(scan, "ROWS_IN_A_PART", 1)
    for held, restarts in ((1 << 20, 0.0), (150, 0.3), (0, 1.0)):
        monkeypatch.setattr(prepared_transactions, "HELD_BYTES", held)
        rows, places = _follow(log, start, dice, restarts=restarts)
        assert rows == expected, (held, restarts)
        assert places == sorted(set(places)), (held, restarts)
