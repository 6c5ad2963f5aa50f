"""All of it on 256 physical tables: copy and stream under writes, DDL while a shard refuses, processes and
connections killed at random, rows spoilt and repaired; and in the end `verify`, `ddl status` and the oracle say the
same.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.town_of_sixteen import PLACES, SHARDS, Sixteen, keys_of, spoil
from tests.servers.testbed import Arena
from tests.support.commands import Outcome, wait_for, wait_until_begun
from tests.support.job import ENVIRONMENT, kill_tree

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

APPLY = ("ddl", "apply", "--lock-wait-timeout", "1", "--allow", "SW8421,SW8422")


@pytest.mark.long
def test_e18_h1_h2_a_town_of_256_tables_through_all_that_happens(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    town = Sixteen(arena, tmp_path)
    with town.write_to(dice):
        _kill_while_it_copies(town, dice)
        with town.job.run() as run:
            wait_for(town.job, run, "all is copied", lambda reported: bool(reported["snapshot_complete"]))
            _a_table_is_in_use(town, dice)
            _apply_is_killed(town, dice)
            _connections_are_cut(town, dice)
            _verify_says(town, 0)
            assert run.poll() is None
    with town.job.run() as run:
        town.drain(run)
        assert town.judge() == []
        planted = spoil(town, dice)
        named = _verify_says(town, 1)
        assert named == keys_of(town.judge()) == set(planted.values())
        _repair(town)
        assert _verify_says(town, 0) == set()
    assert town.judge() == []
    status = town.calls("ddl", "status").require(0).out
    assert status.count("  256 of 256\n") == 3 and status.count("  16 of 16\n") == 1
    assert "definitions of orders: identical on 256\n" in status
    assert town.tables_with("paid") == set(PLACES)


def _kill_while_it_copies(town: Sixteen, dice: random.Random) -> None:
    process = town.job.start_run()
    try:
        wait_until_begun(town.job, process)
        time.sleep(6 * dice.random())
    finally:
        kill_tree(process)


def _a_table_is_in_use(town: Sixteen, dice: random.Random) -> None:
    database, table = dice.choice(PLACES[1:])
    with town.arena.shard(database) as observer, observer.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute(f"SELECT COUNT(*) FROM {table}")
        stopped = town.calls(*APPLY).require(5)
        assert f"SW8407: {database}.{table} stays locked" in stopped.err, stopped
        reported = json.loads(town.calls("ddl", "status", "--format", "json").require(3).out)
        assert reported["changes"][0]["missing"] in ([f"{database}.{table}"], _behind(database, table)), stopped
        # None begins before the one before it stands everywhere.
        assert all(change["done"] == 0 for change in reported["changes"][1:])
    assert (database, table) not in town.tables_with("paid")


def _behind(database: str, table: str) -> list[str]:
    """A canary shard that refuses keeps the others from the statement: all but what came before it."""
    if database != SHARDS[0]:
        return []
    return [f"{one}.{name}" for one, name in PLACES if one != database or name == table]


def _apply_is_killed(town: Sixteen, dice: random.Random) -> None:
    for _ in range(3):
        process = subprocess.Popen(
            town.job.command("ddl", "apply", "--env", ENVIRONMENT, *APPLY[2:]),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(0.8 + 2 * dice.random())
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=60)
        reported = json.loads(town.calls("ddl", "status", "--format", "json").out)
        first = reported["changes"][0]
        done = {(database, name) for database, name in PLACES if f"{database}.{name}" not in first["missing"]}
        # What the record calls done has it: nothing is believed.
        assert done <= town.tables_with("paid")


def _connections_are_cut(town: Sixteen, dice: random.Random) -> None:
    """Those of `ddl apply`, of the run and of `verify` alike; each goes on, or says that it stopped and goes on when
    asked again."""
    cut, outcome = 0, Outcome((), -1, "", "")
    for _ in range(12):
        process = subprocess.Popen(
            town.job.command("ddl", "apply", "--env", ENVIRONMENT, *APPLY[2:]),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(0.8 + 1.5 * dice.random())
        cut += town.cut_connections()
        _, said = process.communicate(timeout=200)
        outcome = Outcome(APPLY, process.returncode, "", said)
        assert outcome.code in (0, 4, 5), outcome
        if outcome.code == 0:
            break
    assert cut > 0
    if outcome.code != 0:
        town.calls(*APPLY).require(0)


def _verify_says(town: Sixteen, code: int) -> set[str]:
    result = town.job.project / "result.json"
    town.calls("verify", "--report", f"json={result}").require(code)
    (table,) = json.loads(result.read_text("utf-8"))["tables"]
    return {",".join(one["key"]) for one in table["mismatches"]}


def _repair(town: Sixteen) -> None:
    town.calls("repair", str(town.job.project / "result.json"), "--delete-extra").require(0)
