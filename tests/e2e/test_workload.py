"""The main job from beginning to end under the demo's workload, with a DDL change routed in the middle of it."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from tests.e2e.shop_judge import checksums, columns_of, observe, require_equal
from tests.servers.testbed import Arena
from tests.support.commands import shardwright, wait_for, wait_until_begun
from tests.support.job import ENVIRONMENT, USERS_SPARK, Job
from tests.workload.shop import PROJECT, count_writes, fill_shop, write

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

SECONDS = float(os.environ.get("SHARDWRIGHT_TEST_SECONDS", "30"))
ORDERS = 5_000


@pytest.mark.mysql
def test_b1_b12_main_job(arena: Arena, tmp_path: Path, seed: int) -> None:
    job = Job(arena, PROJECT, tmp_path, settings=USERS_SPARK)
    fill_shop(arena, orders=ORDERS)
    job.call("compile")
    with job.run() as run:
        with write(arena, seed=seed, rate=30.0, writers=2) as applications:
            started = time.monotonic()
            wait_until_begun(job, run)
            with observe(arena, rest=60.0):
                job.call("ddl", "apply", "--env", ENVIRONMENT)
                time.sleep(max(10.0, SECONDS - (time.monotonic() - started)))
        print(count_writes(applications))
        wait_for(job, run, "the stream has drained", lambda reported: bool(reported["caught_up"]))

    require_equal(arena)
    assert all("channel" in columns for columns in columns_of(arena, "order_info").values())
    _second_run_changes_nothing(arena, job)
    _verify_says_equal(job)


def _second_run_changes_nothing(arena: Arena, job: Job) -> None:
    before = checksums(arena)
    job.run_until_caught_up()
    assert checksums(arena) == before


def _verify_says_equal(job: Job) -> None:
    outcome = shardwright(job.project, "-v", "verify", "--env", ENVIRONMENT, "--format", "json").require(0)
    result = json.loads(outcome.out)
    assert result["verdict"] == "equal" and result["rows_compared"] > 0
    assert {table["table"]: table["verdict"] for table in result["tables"]} == dict.fromkeys(
        ("users", "region", "order_item", "order_info", "payment"), "equal"
    )
