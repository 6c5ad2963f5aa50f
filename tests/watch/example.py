"""A migration as observations, without servers: a third of its tables is copied, a third is not begun, some is wrong."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from shardwright.runtime.events.copy import ChunkCopied
from shardwright.runtime.events.run import RunStarted, Throttle
from shardwright.runtime.events.stream import BatchApplied
from shardwright.runtime.events.time_left import TimeLeft
from shardwright.runtime.ledger.audit import AuditLine
from shardwright.runtime.ledger.dead_letters import DeadLetterCount
from shardwright.runtime.rehearsal.sandbox.local import free_port
from shardwright.runtime.run.status.copy_status import TableStatus
from shardwright.runtime.run.status.status import ShardStatus, SourceStatus, Status
from shardwright.runtime.watch.newest import Newest
from shardwright.runtime.watch.observation import (
    CutoverObserved,
    Observation,
    RunObserved,
    ServerAnswer,
    ShardObserved,
    SourceObserved,
)
from shardwright.runtime.watch.page.access import Access
from shardwright.runtime.watch.page.cells import Cells
from shardwright.runtime.watch.page.differences import Differences
from shardwright.runtime.watch.page.feed import Feed
from shardwright.runtime.watch.page.heat import HeatInput, heat_map, rows_left
from shardwright.runtime.watch.page.history import History
from shardwright.runtime.watch.page.serve import serve_page
from shardwright.runtime.watch.page.state import plain
from shardwright.runtime.watch.purge_clock import PurgeClock

ODD = "<img src=x onerror=alert(1)>\x1b[2J\u202e"
"""The name of a table that would act on a page and on a terminal."""
FOLLOWING = CutoverObserved("following", 86_400.0, "source", 0, None, False, None, 1.4, None)


@dataclass(frozen=True)
class Example:
    """So many tables go to so many shards."""

    tables: int
    shards: int
    cutover: CutoverObserved = FOLLOWING
    away: int = 3
    """How many shards do not answer."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"order_db_{number:03}" for number in range(self.shards))

    def observe(self, step: int = 0) -> Observation:
        """The one that comes `step` observations after the first."""
        chance = random.Random(7)
        tables = tuple(_table(number, chance.randint(1_000, 90_000_000), step) for number in range(self.tables))
        copied = sum(table.rows_copied for table in tables) // self.shards
        shards = tuple(
            ShardStatus(name, 70 + step, "p", 400, copied + chance.randint(0, copied), None) for name in self.names
        )
        status = Status(
            migration="shop-split", fingerprint="0123456789abcdef", snapshot_complete=False, caught_up=False,
            position="binlog.000042:9000000", batch=70 + step, open_batch=None,
            sources=tuple(SourceStatus(f"shop-{one}", "a", "binlog.000042:9000000", "c", 4_000_000 + step, 2.5) for one in range(2)),
            shards=shards[: self.shards - self.away], tables=tables, rows_held=12, left=TimeLeft(14_000.0, 10_000.0, 20_000.0),
            audit=(AuditLine(datetime(2026, 5, 28, tzinfo=UTC), "run: begun", "epoch 3", "ann@ops:12", "u@h", "1", "f", "run"),),
        )  # fmt: skip
        clock = PurgeClock(90_000.0, "time", 172_800.0, None, False, 5_000_000, 70.0, 1.5)
        dead = tuple(DeadLetterCount(f"table_{number:04}", "held", "SW8511", number) for number in range(1, 150))
        return Observation(
            "shop-split", 1.0 + step, 0.4, True, False,
            (ServerAnswer("10.0.0.9:3306", "shard", not self.away, "SW8101", "away"), ServerAnswer("10.0.0.1:3306", "ledger", True)),
            status.direction, status,
            tuple(SourceObserved(f"shop-{one}", None, None, None, clock) for one in range(2)),
            tuple(ShardObserved(name, 3.0) for name in self.names[: self.shards - self.away]),
            RunObserved(3, "ops-1 pid 4711", True),
            dead[:: -(-1_000 // self.tables)], self.cutover, None,
        )  # fmt: skip

    def map_heat(self, found: Observation | None) -> Mapping[str, Any]:
        chance = random.Random(9)
        known = self.shards - self.away
        rows: dict[str, Sequence[int | None]] = {
            table.table: [
                table.rows_copied // self.shards * chance.randint(8, 12) // 10 if shard < known else None
                for shard in range(self.shards)
            ]
            for table in found.status.tables
        }
        wrong = {"table_0003": {self.names[0]: 41, self.names[2]: 9}, "table_0006": {self.names[1]: 2}}
        drawn = heat_map(HeatInput(Cells(self.names, rows), rows_left(found.status.tables), wrong))
        worst = (("order_db_000.table_0003_3", 41), ("order_db_002.table_0003_0", 9))
        return plain(drawn | {"differences": Differences("different", "verify.json", 52, wrong, worst).summary})

    @contextmanager
    def serve(self, *, token: str | None = None) -> Iterator[tuple[str, list[int], History]]:
        """Within, its page is served: the address, the step of the next observation, and what may get more events."""
        step, history, port = [0], History(), free_port()
        _fill_the_last_hour(history)
        for event in (RunStarted("f", 3, 8), Throttle("writing", f"replica {ODD} is behind", kinds=("replica_lag",))):
            history.handle(event)
        feed = Feed(Newest(lambda: self.observe(step[0])), lambda _direction: self.names, self.map_heat, history)
        with serve_page(feed.hub, Access("127.0.0.1", port, token)), feed.keep_current():
            yield f"http://127.0.0.1:{port}/", step, history


LARGE = Example(1_000, 256)
SMALL = Example(30, 8)


def _table(number: int, rows: int, step: int) -> TableStatus:
    name = ODD if number == 5 else f"table_{number:04}"
    copied = (rows, rows * (number % 97) // 100 + step, 0)[number % 3]
    left = None if copied in (0, rows) else TimeLeft((rows - copied) / 5_000, 1.0, 9e9)
    return TableStatus(
        name, copied // 50_000, copied // 50_000 + 4, copied, None, rows, 10**9, 5_000.0 if left else None, left
    )


def _fill_the_last_hour(history: History) -> None:
    """One peak of the lag; the copy is slower meanwhile."""
    chance, now = random.Random(11), time.time()
    for second in range(0, 3_600, 5):
        peak = 1_500 < second < 1_800
        rows = chance.randint(100_000, 160_000) // (3 if peak else 1)
        lag = 2 + 2 * chance.random() + (min(second - 1_500, 1_800 - second) / 4 if peak else 0)
        history.sample(None, now=now - 3_595 + second)
        history.handle(ChunkCopied("t", rows, 1, 1, "t/0", 1, 1, None, None, None))
        history.handle(BatchApplied(1, chance.randint(40_000, 60_000), "p", lag, 0.3))
