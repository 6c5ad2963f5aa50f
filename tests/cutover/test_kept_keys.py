"""Which keys a run forgets, and how many of them at a time: those of a day must not be deleted in one transaction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pymysql.connections import Connection

from shardwright.runtime.ledger import recent_keys
from shardwright.runtime.ledger.comparison import begin_record, void_verified
from shardwright.runtime.ledger.recent_batches import RecentBatches
from shardwright.runtime.ledger.tables import create_ledger
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.specs.environment.environment import FailoverSettings
from tests.servers.testbed import Arena

pytestmark = [pytest.mark.server]
NOWHERE = StreamPosition({})
BATCHES = 5_000


@pytest.fixture
def ledger(arena: Arena) -> Iterator[Connection[Any]]:
    """Of a migration that has closed `BATCHES` batches, of which the shard remembers the keys."""
    server = arena.targets[0]
    server.query("CREATE DATABASE part_0")
    with server.connect("part_0") as connection:
        create_ledger(connection, first=True)
        with connection.cursor() as cursor:
            cursor.executemany(recent_keys._ADD, [("m", batch, "t", 0, b"") for batch in range(1, BATCHES + 1)])
            cursor.execute(
                "INSERT INTO _shardwright_migration VALUES ('m', 'f', '{}', '{}', '{}', 1, '{}', '{}', 1, NOW(6))"
            )
        yield connection


def _oldest_kept(recent: RecentBatches, batch: int) -> int:
    remembering = recent.memory_for(batch, NOWHERE)
    assert remembering is not None
    return remembering.oldest


def test_the_keys_of_a_day_are_forgotten_step_by_step(ledger: Connection[Any]) -> None:
    recent = RecentBatches(ledger, "m", FailoverSettings())
    assert [_oldest_kept(recent, BATCHES + number) for number in range(1, 7)] == [1001, 2001, 3001, 4001, 5001, 5006]


def test_keys_behind_a_comparison_are_kept_until_it_is_void(ledger: Connection[Any]) -> None:
    begin_record(ledger, "m", fingerprint="f")
    recent = RecentBatches(ledger, "m", FailoverSettings())
    assert [_oldest_kept(recent, BATCHES + number) for number in range(1, 4)] == [2, 2, 2]
    void_verified(ledger, "m", why="a test")
    recent.keep(ledger)
    assert _oldest_kept(recent, BATCHES + 4) == 1002
    assert RecentBatches(ledger, "m", FailoverSettings(reread_rows=0)).memory_for(BATCHES + 5, NOWHERE) is None


def test_a_comparison_that_is_too_old_is_void_before_its_keys_go(ledger: Connection[Any]) -> None:
    begin_record(ledger, "m", fingerprint="f")
    with ledger.cursor() as cursor:
        cursor.execute("UPDATE _shardwright_verified SET began_at = NOW(6) - INTERVAL 61 MINUTE")
    assert RecentBatches(ledger, "m", FailoverSettings(), kept_seconds=3700).first_kept == 2
    assert RecentBatches(ledger, "m", FailoverSettings(), kept_seconds=3600).first_kept is None
    with ledger.cursor() as cursor:
        cursor.execute("SELECT void FROM _shardwright_verified")
        assert "more than 1 hours ago" in cursor.fetchall()[0][0]
