"""Two applications write the same rows on both sides at the same time, and the run is killed meanwhile: both sides
become equal, and the list of conflicts is the one that the logs give.
"""

from __future__ import annotations

import os
import random
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pymysql
import pytest

from shardwright.runtime.mysql.errors import LOCK_DEADLOCK, LOCK_WAIT_TIMEOUT
from tests.both_sides.judge import concurrent_rows, describe, read_side
from tests.both_sides.lab import SHARDS, BothLab, Key
from tests.servers.testbed import Arena
from tests.support.job import kill_tree

pytestmark = [pytest.mark.server, pytest.mark.spark]

SEED = int(os.environ.get("SHARDWRIGHT_SEED") or secrets.randbits(32))
_TABLES = ("purse", "seat")
_ROWS = 60
_SECONDS = 12.0


@dataclass
class _Writer:
    """Writes values that nobody else writes, to rows that the other side writes, too."""

    lab: BothLab
    side: str
    chosen: random.Random
    number: int
    """Of the seed: each has rows and values of its own."""
    stop: threading.Event = field(default_factory=threading.Event)
    written: int = 0
    failure: BaseException | None = None

    def work(self) -> None:
        try:
            write = self._at_source() if self.side == "source" else self._at_shards()
            while not self.stop.is_set():
                self.written += 1
                value = self.written * 2 + (self.side == "shards")
                row = self.chosen.randrange(_ROWS)
                key = (row % 8, 10 * self.number + row // 8)
                write(self.chosen.choice(_TABLES), key, 100_000 * (self.number + 1) + value)
                time.sleep(self.chosen.random() / 20)
        except BaseException as error:  # noqa: BLE001 the test raises it
            self.failure = error

    def _at_source(self) -> Callable[[str, Key, int], object]:
        connection = self.lab.arena.source.connect("pair")

        def write(table: str, key: Key, value: int) -> object:
            return _update(connection, table, key, value)

        return write

    def _at_shards(self) -> Callable[[str, Key, int], object]:
        connections = {name: self.lab.arena.placement[name].connect(name) for name in SHARDS}

        def write(table: str, key: Key, value: int) -> object:
            database, name = self.lab.place(table, key)
            return _update(connections[database], name, key, value)

        return write


def _update(connection: Any, table: str, key: Key, value: int) -> object:
    statement = f"INSERT INTO {table} VALUES ({key[0]}, {key[1]}, {value}) ON DUPLICATE KEY UPDATE value = {value}"
    while True:
        try:
            with connection.cursor() as cursor:
                return cursor.execute(statement)
        except pymysql.err.OperationalError as error:  # as any application does: the run writes the same rows
            if error.args[0] not in (LOCK_DEADLOCK, LOCK_WAIT_TIMEOUT):
                raise


@pytest.mark.in_turn
def test_the_list_is_that_of_the_logs(arena: Arena, tmp_path: Path) -> None:
    print("seed", SEED)
    _write_and_judge(_begin(arena, tmp_path), SEED, kills=2)


@pytest.mark.long
def test_the_list_is_that_of_the_logs_many_times(arena: Arena, tmp_path: Path) -> None:
    seeds = [SEED + number for number in range(int(os.environ.get("SHARDWRIGHT_SEEDS") or 10))]
    print("seeds", seeds)
    lab = _begin(arena, tmp_path)
    for number, seed in enumerate(seeds):
        _write_and_judge(lab, seed, kills=1, number=number)


def _begin(arena: Arena, folder: Path) -> BothLab:
    lab = BothLab(arena, folder)
    lab.begin()
    return lab


def _write_and_judge(lab: BothLab, seed: int, *, kills: int, number: int = 0) -> None:
    chosen = random.Random(seed)
    run = lab.job.start_run()
    try:
        lab.settle_forward()
        lab.cutover("--both")
        writers = [_Writer(lab, side, random.Random(chosen.random()), number) for side in ("source", "shards")]
        threads = [threading.Thread(target=writer.work) for writer in writers]
        for thread in threads:
            thread.start()
        try:
            for _ in range(kills):
                time.sleep(chosen.uniform(0.5, 1.5) * _SECONDS / (kills + 1))
                kill_tree(run)
                run = lab.job.start_run()
            time.sleep(_SECONDS / (kills + 1))
        finally:
            for writer in writers:
                writer.stop.set()
            for thread in threads:
                thread.join()
        assert [writer.failure for writer in writers] == [None, None]
        lab.until_equal()
        time.sleep(1)
        lab.require_equal()
    finally:
        kill_tree(run)
    lab.write_source("UPDATE purse SET value = -1 WHERE owner_id = 7 AND id = 0")
    lab.write_shards("purse", (7, 0), "UPDATE {t} SET value = -2 WHERE {k}")
    lab.job.run_until_caught_up()
    lab.require_equal()
    _judge(lab)


def _judge(lab: BothLab) -> None:
    source = read_side({"pair": lab.arena.source}, _TABLES, lab.since)
    shards = read_side({name: lab.arena.placement[name] for name in SHARDS}, _TABLES, lab.since)
    expected = concurrent_rows(source, shards)
    found = {(one["table"], (int(one["key"][0]), int(one["key"][1]))) for one in lab.conflicts()}
    print(f"{len(expected)} rows with concurrent changes, {len(lab.conflicts())} conflicts")
    assert expected, "nothing met"
    wrong = "\n".join(describe(source, shards, row) for row in sorted(found ^ expected))
    assert found == expected, f"too many: {sorted(found - expected)}, too few: {sorted(expected - found)}\n{wrong}"
