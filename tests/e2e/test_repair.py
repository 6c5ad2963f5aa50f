"""`verify`, then `repair`, then `verify`: every kind of fault, planted while an application writes; bounds, dry run,
a kill on the way.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.shop_judge import checksums, require_equal
from tests.servers.testbed import Arena
from tests.support.commands import Outcome, shardwright, wait_for
from tests.support.job import ENVIRONMENT, Job
from tests.workload.shop import PROJECT, fill_shop, write

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

DATABASES = tuple(f"order_db_{number}" for number in range(4))


def _on_shards(arena: Arena, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """The same statement on every physical table; "PLACE" stands for database and suffix. The rows of all."""
    found: list[tuple[Any, ...]] = []
    for database in DATABASES:
        for part in range(4):
            statement = sql.replace("DATABASE", database).replace("PART", str(part))
            found += [tuple(row) for row in arena.placement[database].query(statement, values)]
    return found


def _home(arena: Arena, table: str, key: str, value: object) -> tuple[str, int]:
    ((database, part),) = _on_shards(
        arena, f"SELECT 'DATABASE', PART FROM DATABASE.{table}_PART WHERE {key} = %s", value
    )
    return str(database), int(part)


def _run_statement(arena: Arena, database: str, sql: str) -> None:
    arena.placement[database].query(sql)


def _plant(arena: Arena) -> dict[str, tuple[str, str]]:
    """One fault of every kind, of rows that the application may change meanwhile; kind -> table, key."""
    keys = [row[0] for row in arena.source.query("SELECT id FROM shop.users ORDER BY id LIMIT 41")]
    different, missing, misplaced, twice = keys[10], keys[20], keys[30], keys[40]

    database, part = _home(arena, "users", "id", different)
    _run_statement(arena, database, f"UPDATE {database}.users_{part} SET phone = 'planted' WHERE id = {different}")
    database, part = _home(arena, "users", "id", missing)
    _run_statement(arena, database, f"DELETE FROM {database}.users_{part} WHERE id = {missing}")
    for key, stays in ((misplaced, False), (twice, True)):
        database, part = _home(arena, "users", "id", key)
        other = (part + 1) % 4
        _run_statement(
            arena,
            database,
            f"INSERT INTO {database}.users_{other} SELECT * FROM {database}.users_{part} WHERE id = {key}",
        )
        if not stays:
            _run_statement(arena, database, f"DELETE FROM {database}.users_{part} WHERE id = {key}")
    _run_statement(
        arena,
        "order_db_1",
        "INSERT INTO order_db_1.users_2 (id, email, display_name, created_at) VALUES (999999999999, 'nobody', 'No', NOW())",
    )
    ((region,),) = arena.source.query("SELECT MIN(code) FROM shop.region")
    _run_statement(arena, "order_db_3", f"DELETE FROM order_db_3.region WHERE code = {region}")
    order, line = arena.source.query("SELECT order_id, line_no FROM shop.order_item_2 ORDER BY 1, 2 LIMIT 1")[0]
    ((database, part),) = _on_shards(
        arena, "SELECT 'DATABASE', PART FROM DATABASE.order_item_PART WHERE order_id = %s AND line_no = %s", order, line
    )
    item = f"order_id = {order} AND line_no = {line}"
    _run_statement(arena, str(database), f"DELETE FROM {database}.order_item_{part} WHERE {item}")
    return {
        "different": ("users", str(different)),
        "missing": ("users", str(missing)),
        "misplaced": ("users", str(misplaced)),
        "duplicate": ("users", str(twice)),
        "extra": ("users", "999999999999"),
        "missing region": ("region", str(region)),
        "missing item": ("order_item", f"{order},{line}"),
    }


def _verify(job: Job, *, code: int) -> Path:
    result = job.project / "result.json"
    shardwright(job.project, "verify", "--env", ENVIRONMENT, "--report", f"json={result}").require(code)
    return result


def _repair(job: Job, result: Path, *arguments: str, environ: dict[str, str] | None = None) -> Outcome:
    """With a long timeout: how fast a busy machine is, is not what these tests are about."""
    command = ("repair", str(result), "--env", ENVIRONMENT, "--timeout", "240", *arguments)
    return shardwright(job.project, *command, environ=environ)


def _mismatches_in(result: Path) -> set[tuple[str, str]]:
    reported = json.loads(result.read_text())
    return {(one["table"], ",".join(one["key"])) for table in reported["tables"] for one in table["mismatches"]}


@pytest.mark.long
def test_h6_every_fault_is_repaired_under_writes(arena: Arena, tmp_path: Path, seed: int) -> None:
    job = Job(arena, PROJECT, tmp_path)
    fill_shop(arena, orders=2_000)
    job.call("compile")
    with job.run() as run:
        wait_for(job, run, "the stream has caught up", lambda reported: bool(reported["caught_up"]))
        planted = _plant(arena)
        result = _verify(job, code=1)
        assert _mismatches_in(result) == set(planted.values())
        _too_many(job, result)
        _dry_run(job, result)
        with write(arena, seed=seed, rate=20.0, writers=2):
            outcome = _repair(job, result)
            assert outcome.code == 1 and "999999999999): it is not at the source" in outcome.err, outcome
            left = [line for line in outcome.err.splitlines() if line.startswith("left:")]
            # The application may have deleted a user that stands in the wrong place since.
            assert all("it is not at the source: --delete-extra removes it" in line for line in left), outcome
            _repair(job, result, "--delete-extra").require(0)
            time.sleep(2)
            _verify(job, code=0)
        wait_for(job, run, "the stream has drained", lambda reported: bool(reported["caught_up"]))
    require_equal(arena)


def _too_many(job: Job, result: Path) -> None:
    outcome = _repair(job, result, "--max-rows", "2")
    assert outcome.code == 6 and "SW8524" in outcome.err, outcome


def _dry_run(job: Job, result: Path) -> None:
    outcome = _repair(job, result, "--dry-run", "--delete-extra").require(0)
    assert "SET `phone` = " in outcome.out and re.search(r"INSERT INTO `order_db_\d`\.`users_\d+`", outcome.out), (
        outcome
    )
    assert "DELETE FROM `order_db_1`.`users_2` WHERE `id` = '999999999999';" in outcome.out, outcome
    assert _verify(job, code=1), "a dry run has changed something"


def test_h6_a1_without_a_run_and_killed_on_the_way(arena: Arena, tmp_path: Path) -> None:
    job = Job(arena, PROJECT, tmp_path)
    fill_shop(arena, orders=500)
    job.call("compile")
    job.run_until_caught_up()
    before = checksums(arena)
    planted = _plant(arena)
    result = _verify(job, code=1)
    assert _mismatches_in(result) == set(planted.values())
    outcome = _repair(job, result)
    assert outcome.code == 6 and "SW8523" in outcome.err, outcome
    for point in ("after-dead-letters-read", "after-dead-letter-answered"):
        killed = _repair(job, result, "--run", "--delete-extra", environ={"SHARDWRIGHT_FAILPOINTS": f"{point}=kill"})
        assert killed.code == -9, killed
    _repair(job, result, "--run", "--delete-extra").require(0)
    _verify(job, code=0)
    require_equal(arena)
    assert checksums(arena) == before


def test_a_result_of_another_plan_is_refused(arena: Arena, tmp_path: Path) -> None:
    job = Job(arena, PROJECT, tmp_path)
    job.call("compile")
    result = tmp_path / "result.json"
    result.write_text(json.dumps({"migration": "shop-split", "fingerprint": "other", "tables": []}))
    outcome = _repair(job, result)
    assert outcome.code == 1 and "SW8521" in outcome.err, outcome
    result.write_text("[]")
    outcome = _repair(job, result)
    assert outcome.code == 1 and "SW8520" in outcome.err, outcome


@pytest.mark.in_turn
def test_c16_what_a_dry_run_prints_repairs_as_it_is(arena: Arena, tmp_path: Path) -> None:
    """Each statement on the server of the database that it names. And the real repair shows how far it is."""
    job = Job(arena, PROJECT, tmp_path)
    fill_shop(arena, orders=300)
    job.call("compile")
    job.run_until_caught_up()
    _plant(arena)
    result = _verify(job, code=1)
    lines = _repair(job, result, "--dry-run", "--delete-extra").require(0).out.splitlines()
    first, statements = lines[0], [line for line in lines[1:] if not line.startswith("--")]
    assert first == "SET time_zone = '+00:00';" and len(statements) > 6, lines
    for statement in statements:
        named = re.search(r"`(order_db_\d)`\.`", statement)
        assert named is not None, statement
        with arena.placement[named[1]].connect(named[1]) as connection, connection.cursor() as cursor:
            for each in (first, statement):
                cursor.execute(each)
    _verify(job, code=0)
    require_equal(arena)
    _plant(arena)
    result = _verify(job, code=1)
    reported = _repair(job, result, "--run", "--delete-extra").require(0).err
    assert "users: comparing 5 rows again" in reported and "rows are enqueued for the run" in reported, reported
    assert "rows read again" in reported and "users: comparing" in reported, reported
    require_equal(arena)
