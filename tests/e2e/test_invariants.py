"""Invariants on real servers: they hold of what was copied, each break is named with its group, and the source's own
faults are told.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.servers.testbed import Arena
from tests.support.commands import shardwright, wait_for
from tests.support.job import ENVIRONMENT, Job
from tests.workload.shop import PROJECT, fill_shop, write

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

INVARIANTS = """
invariants:
  - name: orders_by_status
    sql: >-
      SELECT status, COUNT(*) AS orders, SUM(amount) AS amount, MIN(order_id) AS first, MAX(updated_at) AS latest
      FROM order_info GROUP BY status
  - name: paid_in_all
    sql: SELECT SUM(paid) AS amount, COUNT(paid_at) AS payments FROM payment
  - name: notes
    sql: SELECT note, COUNT(*) AS orders FROM order_info GROUP BY note
  - name: items_without_order
    none: >-
      SELECT i.order_id, i.line_no FROM order_item AS i
      WHERE NOT EXISTS (SELECT * FROM order_info AS o WHERE o.order_id = i.order_id AND o.user_id = i.user_id)
  - name: orders_of_unknown_regions
    none: >-
      SELECT o.order_id, o.region_code FROM order_info AS o LEFT JOIN region AS r ON r.code = o.region_code
      WHERE r.code IS NULL AND o.region_code IS NOT NULL
"""
NAMES = ["orders_by_status", "paid_in_all", "notes", "items_without_order", "orders_of_unknown_regions"]


@pytest.fixture
def job(arena: Arena, tmp_path: Path) -> Job:
    made = Job(arena, PROJECT, tmp_path)
    fill_shop(arena, orders=3000)
    return made


def _compile(job: Job, *names: str) -> None:
    """With those invariants in the spec."""
    spec = job.project / "specs" / "shop.yaml"
    chosen = [one for one in yaml.safe_load(INVARIANTS)["invariants"] if one["name"] in names]
    spec.write_text(spec.read_text("utf-8") + yaml.safe_dump({"invariants": chosen}, width=10_000), "utf-8")
    job.call("compile")


def _verify(job: Job, *arguments: str, code: int) -> dict[str, dict[str, Any]]:
    command = ("verify", "--env", ENVIRONMENT, "--format", "json", *arguments)
    outcome = shardwright(job.project, *command).require(code)
    assert outcome.out, outcome.err
    return {one["name"]: one for one in json.loads(outcome.out)["invariants"]}


def _at(arena: Arena, shape: str, *values: object) -> tuple[str, int]:
    """Database and part of the only physical table in which the query finds something."""
    found = [
        (database, part)
        for database in (f"order_db_{number}" for number in range(4))
        for part in range(4)
        if arena.placement[database].query(shape.format(database=database, part=part), values)
    ]
    (place,) = found
    return place


def test_every_break_is_named(arena: Arena, job: Job, tmp_path: Path) -> None:
    _compile(job, *NAMES)
    job.run_until_caught_up()
    reported = _verify(job, code=0)
    assert {name: reported[name]["verdict"] for name in NAMES} == dict.fromkeys(NAMES, "equal")

    (order, status), *_ = arena.source.query(
        "SELECT o.order_id, o.status FROM shop.order_info o JOIN shop.order_item_1 i ON i.order_id = o.order_id "
        "WHERE o.user_id = i.user_id ORDER BY 1 LIMIT 1"
    )
    database, part = _at(arena, "SELECT 1 FROM {database}.order_info_{part} WHERE order_id = %s", order)
    shard = arena.placement[database]
    items = shard.query(f"SELECT COUNT(*) FROM {database}.order_item_{part} WHERE order_id = %s", (order,))[0][0]
    totals = "SELECT COUNT(*), SUM(amount) FROM shop.order_info WHERE status = %s"
    ((count, amount),) = arena.source.query(totals, (status,))
    ((lost,),) = arena.source.query("SELECT amount FROM shop.order_info WHERE order_id = %s", (order,))
    shard.query(f"DELETE FROM {database}.order_info_{part} WHERE order_id = %s", (order,))
    arena.placement["order_db_2"].query("UPDATE order_db_2.payment_3 SET paid = paid + 0.01 LIMIT 1")

    page = tmp_path / "page.html"
    reported = _verify(job, "--invariants", "only", "--report", f"html={page}", code=1)
    (by_status,) = reported["orders_by_status"]["differences"]
    assert by_status["group"] == {"status": status}
    assert _numbers(by_status["source"]) == (count, float(amount))
    assert _numbers(by_status["shards"]) == (count - 1, float(amount - lost))
    (paid,) = reported["paid_in_all"]["differences"]
    assert round(float(paid["shards"]["amount"]) - float(paid["source"]["amount"]), 2) == 0.01
    orphans = reported["items_without_order"]["differences"]
    assert len(orphans) == items > 0 and {one["group"]["order_id"] for one in orphans} == {str(order)}
    assert all(one["source"] is None and one["shards"] == {} for one in orphans)
    assert reported["orders_of_unknown_regions"]["verdict"] == "equal"
    assert "orders_by_status: 1 groups" in page.read_text("utf-8")

    # A row that the source should not have either is told, though both sides have it.
    arena.source.query(
        "UPDATE shop.order_info SET region_code = 777 WHERE order_id <> %s AND region_code IS NOT NULL LIMIT 1",
        (order,),
    )
    job.run_until_caught_up()
    (unknown,) = _verify(job, "--invariants", "only", code=1)["orders_of_unknown_regions"]["differences"]
    assert (unknown["group"]["region_code"], unknown["source"], unknown["shards"]) == ("777", {}, {})
    outcome = shardwright(job.project, "verify", "--env", ENVIRONMENT, "--invariants", "only")
    assert "invariant paid_in_all (the same on both sides): BROKEN, 1 groups" in outcome.out
    assert f"status '{status}': source orders {count}" in outcome.out
    assert "verdict: DIFFERENT" in outcome.out and "5 of 5 invariants broken" in outcome.out

    _cannot_be_asked(arena, job)


def _numbers(values: dict[str, str]) -> tuple[int, float]:
    return int(values["orders"]), float(values["amount"])


def _cannot_be_asked(arena: Arena, job: Job) -> None:
    """What cannot be asked is no verdict, and keeps nothing else from having one."""
    arena.placement["order_db_1"].query("DROP TABLE order_db_1.payment_2")
    reported = _verify(job, "--invariants", "only", code=1)
    assert reported["paid_in_all"]["verdict"] == "could_not_check"
    assert (
        "SW8537" in reported["paid_in_all"]["problem"] and "order_db_1.payment_2" in reported["paid_in_all"]["problem"]
    )
    assert reported["orders_by_status"]["verdict"] == "different"
    shardwright(job.project, "verify", "--env", ENVIRONMENT, "--invariants", "only", "--table", "users").require(1)


@pytest.mark.long
def test_h3_no_false_alarm_while_the_application_writes(arena: Arena, job: Job, seed: int) -> None:
    """Groups that never rest are said to be still changing; what a shard has lost for good is found once the application
    rests."""
    _compile(job, "paid_in_all", "items_without_order")
    with job.run() as run:
        wait_for(job, run, "the copy is complete", lambda reported: bool(reported["snapshot_complete"]))
        with write(arena, seed=seed, rate=20.0):
            time.sleep(3)
            command = ("verify", "--env", ENVIRONMENT, "--format", "json", "--invariants", "only")
            reported = json.loads(shardwright(job.project, *command).out)["invariants"]
        assert [one["name"] for one in reported if one["differences"]] == [], reported
        print({one["name"]: (one["verdict"], len(one["still_changing"]), round(one["seconds"])) for one in reported})
        wait_for(job, run, "the stream has drained", lambda reported: bool(reported["caught_up"]))
        arena.placement["order_db_2"].query("UPDATE order_db_2.payment_3 SET paid = paid + 0.01 LIMIT 1")
        found = _verify(job, "--invariants", "only", code=1)
        assert [name for name, one in found.items() if one["differences"]] == ["paid_in_all"]
