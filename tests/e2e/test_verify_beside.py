"""`verify` while an application writes and a run follows: no false alarm, and what is wrong is found all the same."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from examples.shop.application import ShopApplication
from tests.servers.testbed import Arena
from tests.support.commands import shardwright, wait_for
from tests.support.job import ENVIRONMENT, Job
from tests.workload.shop import PROJECT, count_writes, fill_shop, write

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

ORDERS = 10_000
RATE = float(os.environ.get("SHARDWRIGHT_TEST_RATE", "150"))
"""Transactions a second, of three to four changed rows each: some 500 rows a second."""


def _verify(job: Job, *arguments: str) -> tuple[int, dict[str, Any], str]:
    outcome = shardwright(job.project, "verify", "--env", ENVIRONMENT, "--format", "json", *arguments)
    return outcome.code, json.loads(outcome.out) if outcome.out else {}, outcome.err


def _wrong(result: dict[str, Any]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one["kind"], one["table"], tuple(one["key"])) for table in result["tables"] for one in table["mismatches"]]


def test_h3_h4_verify_under_writes(arena: Arena, tmp_path: Path, seed: int) -> None:
    job = Job(arena, PROJECT, tmp_path)
    fill_shop(arena, orders=ORDERS)
    job.call("compile")
    with job.run() as run:
        wait_for(job, run, "the copy is complete", lambda reported: bool(reported["snapshot_complete"]))
        with write(arena, seed=seed, rate=RATE, writers=3) as applications:
            time.sleep(5)
            in_flight = equal = 0
            for _ in range(6):
                began = time.monotonic()
                with _slower_and_slower(applications):
                    code, result, _ = _verify(job)
                print(f"verify: {time.monotonic() - began:.1f} s, {result['rows_compared']} rows, exit code {code}")
                if _wrong(result) or code not in (0, 8):
                    pytest.fail(_reports_an_alarm(job, result))
                # On a machine that does other work the stream may fall behind the writers: then there is no verdict,
                # and it says why.
                assert code == 0 or any(table["problem"] or table["still_changing"] for table in result["tables"]), (
                    result
                )
                in_flight += sum(table["differing_chunks"] for table in result["tables"])
                equal += code == 0
                if equal == 2:
                    break
            assert equal, "no verdict, at no pace"
            assert in_flight > 0, "nothing was on its way: no test"
            assert result["positions"]
            code, result, reported = _verify(job, "--at-position", "--timeout", "5")
            assert code == 8 and ("SW8507" in reported or "SW8509" in reported), (code, result, reported)

            _row_that_goes_to_and_fro(arena, job)
            code, result, reported = _verify(job, "--recent")
            assert (code, _wrong(result)) == (0, []) and result["rows_compared"] > 0, (result, reported)

            _plant_extra(arena)
            code, result, _ = _verify(job)
            assert (code, _wrong(result)) == (1, [EXTRA]), result
        print(count_writes(applications))
        wait_for(job, run, "the stream has drained", lambda reported: bool(reported["caught_up"]))
        row = _plant_different(arena)
        code, result, reported = _verify(job, "--at-position")
        assert code == 1 and sorted(_wrong(result)) == sorted([EXTRA, ("different", "users", (row,))]), (
            result,
            reported,
        )
        _recent_change_is_watched(arena, job, besides=row)


@contextmanager
def _slower_and_slower(applications: list[ShopApplication]) -> Iterator[None]:
    """A comparison waits for the stream at each look: on a machine that does other work there have to be fewer
    writes."""
    over = threading.Event()

    def slow_down() -> None:
        while not over.wait(10):
            for application in applications:
                application.interval *= 2

    with ThreadPoolExecutor(1) as pool:
        pool.submit(slow_down)
        try:
            yield
        finally:
            over.set()


def _reports_an_alarm(job: Job, result: dict[str, Any]) -> str:
    """What was called wrong, and whether it still is: only then it was no false alarm."""
    time.sleep(10)
    _, again, _ = _verify(job)
    named = [one for table in result["tables"] for one in table["mismatches"]]
    return f"{result['verdict']}: {named}; ten seconds later: {_wrong(again)}\n{job.end_of_log()}"


def _row_that_goes_to_and_fro(arena: Arena, job: Job) -> None:
    """On both sides it is always one of two rows. A comparison that trusts what it meets a few times calls it wrong in
    one of two runs."""
    ended = threading.Event()

    def write() -> None:
        count = 0
        while not ended.wait(0.03):
            arena.source.query(
                "UPDATE shop.region SET tax_rate = %s WHERE code = 310000", (("0.01", "0.02")[count % 2],)
            )
            count += 1

    with ThreadPoolExecutor(1) as pool:
        writer = pool.submit(write)
        try:
            results = [_verify(job, "--table", "region")[1] for _ in range(4)]
        finally:
            ended.set()
        writer.result()
    assert [_wrong(result) for result in results] == [[]] * 4, results
    print("still_changing:", [table["still_changing"] for result in results for table in result["tables"]])


EXTRA = ("extra", "users", ("999999999999",))


def _recent_change_is_watched(arena: Arena, job: Job, *, besides: str) -> None:
    """The row is changed at the source, arrives, and is spoilt on its shard: the watch finds it. `besides` is spoilt
    too, and may have been changed of late."""
    ((key,),) = arena.source.query("SELECT MAX(id) FROM shop.users")
    arena.source.query("UPDATE shop.users SET phone = 'once more' WHERE id = %s", (key,))
    place, end = None, time.monotonic() + 60
    while place is None:
        assert time.monotonic() < end, "the change has not arrived"
        for database in (f"order_db_{number}" for number in range(4)):
            for part in range(4):
                name = f"{database}.users_{part}"
                sql = f"SELECT 1 FROM {name} WHERE id = %s AND phone = 'once more'"
                place = name if arena.placement[database].query(sql, (key,)) else place
    arena.placement[place.split(".")[0]].query(f"UPDATE {place} SET phone = 'spoilt' WHERE id = %s", (key,))
    code, result, reported = _verify(job, "--recent", "--every", "1")
    found = {one for one in _wrong(result) if one != ("different", "users", (besides,))}
    assert (code, found) == (1, {("different", "users", (str(key),))}), (result, reported)


def _plant_extra(arena: Arena) -> None:
    """A row that no application knows, so that no change of it can come."""
    arena.placement["order_db_1"].query(
        "INSERT INTO order_db_1.users_2 (id, email, display_name, created_at) VALUES (999999999999, 'nobody', 'Nobody', NOW())"
    )


def _plant_different(arena: Arena) -> str:
    server = arena.placement["order_db_2"]
    ((key,),) = server.query("SELECT MIN(id) FROM order_db_2.users_1")
    server.query("UPDATE order_db_2.users_1 SET phone = 'planted' WHERE id = %s", (key,))
    return str(key)
