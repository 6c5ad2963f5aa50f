"""A stream that is held up: what `status` and the run say of its lag before a first batch is applied, what `status`
says of a source that it cannot ask, and when `repair --run` gives up.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.lab import Lab

pytestmark = [pytest.mark.server, pytest.mark.spark]

VERIFY = ("verify", "--env", ENVIRONMENT)


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> Lab:
    lab = Lab(arena, tmp_path)
    lab.create_source()
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    lab.finish()
    return lab


def read_status(lab: Lab) -> dict[str, Any]:
    status = json.loads(lab.job.call("status", "--env", ENVIRONMENT, "--format", "json"))
    assert isinstance(status, dict)
    return status


def test_status_and_the_run_agree_about_the_lag_before_the_first_batch_is_applied(lab: Lab) -> None:
    lab.write("UPDATE parent SET note = 'late' WHERE id = 1")
    written = time.monotonic()
    lab.gates.hold("before-close-batch")
    with lab.run() as run:
        lab.reach(run, "before-close-batch")
        lab.until(run, "the run says so", lambda: "the first batch is not applied yet" in lab.job.end_of_log())
        waited = time.monotonic() - written
        status = read_status(lab)
        assert not status["caught_up"] and status["open_batch"]
        (source,) = status["sources"]
        assert source["lag_bytes"] > 0 and source["problem"] is None
        assert source["lag_seconds"] is None or source["lag_seconds"] >= waited - 1
        assert "caught up" not in lab.job.call("status", "--env", ENVIRONMENT)
        lab.gates.open("before-close-batch")
        lab.drain(run)
        lab.until(run, "status says so, too", lambda: read_status(lab)["caught_up"])
    lab.require_equal()


def test_status_says_apart_from_the_values_why_a_source_could_not_be_asked(lab: Lab) -> None:
    lab.arena.source.stop()
    try:
        (source,) = read_status(lab)["sources"]
    finally:
        lab.arena.source.start()
    assert source["head"] is None and source["lag_bytes"] is None
    assert source["problem"].startswith("SW81"), source
    (source,) = read_status(lab)["sources"]
    assert source["problem"] is None and source["head"]


@pytest.mark.long  # three waits for a lock
def test_repair_gives_up_where_its_own_run_repairs_no_row_and_repairs_later(lab: Lab) -> None:
    result = lab.scratch / "verify.json"
    for place in (0, 1):
        with lab.arena.shard(lab.shards[place]) as shard, shard.cursor() as cursor:
            cursor.execute("UPDATE parent_0 SET note = 'not ours'")
            shard.commit()
    lab.job.call(*VERIFY, "--report", f"json={result}", expect=1)
    repair = ("repair", str(result), "--env", ENVIRONMENT, "--run", "--timeout", "5")
    with lab.arena.shard(lab.shards[1]) as shard, shard.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("SELECT * FROM parent_0 FOR UPDATE")
        lab.job.call(*repair, expect=5)
        log = lab.job.end_of_log()
        assert "lab_1: batch 1 waits for rows that others have locked" in log and "lab_1.parent_0 is locked" in log
        assert "SW8523: 2 of 2 rows wait for a run" in log
    lab.job.call(*repair)
    lab.require_equal()
    assert "equal" in lab.job.call(*VERIFY)


@pytest.mark.in_turn
def test_verify_says_while_it_waits_that_no_run_is_live(lab: Lab) -> None:
    lab.write("UPDATE parent SET note = 'nobody follows' WHERE id = 1")
    said = lab.job.call(*VERIFY, "--timeout", "12", expect=8)
    log = lab.job.end_of_log()
    assert "waiting for the shards, which are at " in log and "no run is live: start `shardwright run`" in log
    assert "SW8507" in said
