"""A refused start changes nothing: no table, no row of a ledger, no fencing token; and a run beside it goes on."""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from examples.shop.load import load_shop
from tests.servers.testbed import Arena
from tests.support.commands import SMALL_CHUNKS, Outcome, shardwright, wait_for
from tests.support.job import ENVIRONMENT, Job
from tests.support.waiting import PATIENCE
from tests.workload.shop import PROJECT, create_shop, shop_address

pytestmark = [pytest.mark.server, pytest.mark.slow]

DATABASES = tuple(f"order_db_{number}" for number in range(4))
RUN = ("run", "--env", ENVIRONMENT, "--until", "caught-up")


def _tables(arena: Arena) -> dict[str, list[Any]]:
    """Every target database's tables, with the checksum of each. The audit has a line for each refused start, too."""
    found = {}
    for database in DATABASES:
        server = arena.placement[database]
        names = [row[0] for row in server.query(f"SHOW TABLES FROM {database}") if row[0] != "_shardwright_audit"]
        found[database] = [server.query(f"CHECKSUM TABLE {database}.`{name}`")[0] for name in sorted(names)]
    return found


def _tokens(arena: Arena) -> list[Any]:
    """Who holds which role, the connections that a newer run would end, and the tables."""
    return [
        (
            database,
            arena.placement[database].query(f"SELECT * FROM {database}._shardwright_epoch ORDER BY role"),
            arena.placement[database].query(f"SHOW TABLES FROM {database}"),
        )
        for database in DATABASES
    ]


def _expect_refusal(outcome: Outcome, code: str) -> None:
    assert outcome.code not in (0, 130) and f"error {code}: " in outcome.err, outcome


def _prepare(arena: Arena, folder: Path) -> Job:
    job = Job(arena, PROJECT, folder, settings=SMALL_CHUNKS)
    create_shop(arena)
    job.call("compile")
    return job


def _another_plan(job: Job, folder: Path) -> Path:
    """The same migration and environment, compiled from a spec that was changed."""
    shutil.copytree(job.project, folder)
    spec = folder / "specs" / "shop.yaml"
    text = spec.read_text("utf-8")
    deletes = "weight: 20\n    deletes: until_snapshot"
    assert deletes in text
    spec.write_text(text.replace(deletes, "weight: 20\n    deletes: ignore", 1), "utf-8")
    shardwright(folder, "compile").require(0)
    return folder


def _create_region(job: Job) -> str:
    text = (job.project / "build" / "shop-split" / "region" / "01-create-table.mysql.sql").read_text("utf-8")
    return text.partition("\n\n")[2].partition("\n")[2].replace("${suffix}", "")


@dataclass(frozen=True)
class Spoilt:
    """`server` is a target database, or "source"."""

    code: str
    server: str = "source"
    spoil: tuple[str, ...] = ()
    fix: tuple[str, ...] = ()
    more: tuple[str, ...] = ()


def test_a_first_start_that_is_refused_makes_nothing(arena: Arena, tmp_path: Path) -> None:
    job = _prepare(arena, tmp_path)
    for case in (
        Spoilt("SW8130", "order_db_1", (_create_region(job), "INSERT INTO region VALUES (1, 'here', 0)"), ("DROP TABLE region",)),
        Spoilt("SW8402", "order_db_2", ("CREATE TABLE users_3 (id INT PRIMARY KEY)",), ("DROP TABLE users_3",)),
        Spoilt("SW8402", "order_db_2", ("CREATE VIEW users_3 AS SELECT 1 AS id",), ("DROP VIEW users_3",)),
        Spoilt("SW8123", spoil=("SET GLOBAL binlog_row_image = 'MINIMAL'",), fix=("SET GLOBAL binlog_row_image = 'FULL'",)),
        Spoilt("SW8128", spoil=("ALTER TABLE shop.users ADD nickname VARCHAR(20)",), fix=("ALTER TABLE shop.users DROP nickname",)),
        Spoilt("SW8007", more=("--allow", "SW1234")),
        Spoilt("SW8007", more=("--report", "xml=there")),
    ):  # fmt: skip
        server, database = (
            (arena.source, None) if case.server == "source" else (arena.placement[case.server], case.server)
        )
        for statement in case.spoil:
            server.query(statement, database=database)
        before = _tables(arena)
        _expect_refusal(shardwright(job.project, *RUN, *case.more), case.code)
        assert _tables(arena) == before, case
        for statement in case.fix:
            server.query(statement, database=database)


def test_asking_before_the_first_run_makes_nothing(arena: Arena, tmp_path: Path) -> None:
    job = _prepare(arena, tmp_path)
    before = _tables(arena)
    for words in (("status",), ("control", "status"), ("dead-letters", "list"), ("ddl", "status"), ("verify",)):
        outcome = shardwright(job.project, *words, "--env", ENVIRONMENT)
        assert "SW9000" not in outcome.err, outcome
        assert _tables(arena) == before, words
    reported = json.loads(job.call("status", "--env", ENVIRONMENT, "--format", "json"))
    assert (reported["begun"], reported["snapshot_complete"], reported["caught_up"]) == (False, False, False), (
        "a script waits"
    )


SPOILT = {
    "SW8205": ("order_db_0", 'UPDATE _shardwright_migration SET sources = \'{{"elsewhere": "1"}}\''),
    "SW8207": ("order_db_1", "DELETE FROM _shardwright_shard"),
    "SW8208": ("order_db_1", "UPDATE _shardwright_ledger SET ledger = REPEAT('0', 32)"),
    "SW8209": ("order_db_0", "UPDATE _shardwright_member SET chunks = chunks + 1000"),
    "SW8210": ("order_db_0", "DELETE FROM _shardwright_migration"),
    "SW8211": ("order_db_1", "UPDATE _shardwright_ledger SET format = format + 1"),
    "SW8412": ("order_db_1", "DROP TABLE users_1"),
}


@pytest.mark.spark
@pytest.mark.long
def test_a_refused_start_leaves_a_healthy_run_and_its_ledgers_alone(arena: Arena, tmp_path: Path) -> None:
    job = _prepare(arena, tmp_path)
    load_shop(shop_address(arena.source), orders=50, processes=1)
    other = _another_plan(job, tmp_path / "other")
    (tmp_path / "result.json").write_text("{}", "utf-8")
    with job.run() as process:
        wait_for(job, process, "all is copied", lambda reported: bool(reported["snapshot_complete"]))
        before = _tokens(arena)
        _expect_refusal(shardwright(other, *RUN), "SW8221")
        _expect_refusal(shardwright(job.project, *RUN, "--allow", "SW1234"), "SW8007")
        _expect_refusal(
            shardwright(job.project, "repair", str(tmp_path / "result.json"), "--env", ENVIRONMENT), "SW8520"
        )
        _expect_refusal(shardwright(other, "repair", str(tmp_path / "result.json"), "--env", ENVIRONMENT), "SW8520")
        shardwright(other, "verify", "--env", ENVIRONMENT)
        shardwright(other, "ddl", "apply", "--env", ENVIRONMENT, "--allow", "SW1234")
        assert _tokens(arena) == before
        arena.source.query("INSERT INTO shop.users (id, email, name, created_at) VALUES (77000, 'x', 'X', NOW())")
        _wait_for_user(arena, job, 77_000)
        assert process.poll() is None, job.end_of_log()

    for code, (database, statement) in SPOILT.items():
        server = arena.placement[database]
        kept = _keep_copies(server, database)
        server.query(statement.replace("{{", "{").replace("}}", "}"), database=database)
        spoilt = _tables(arena)
        _expect_refusal(shardwright(job.project, *RUN), code)
        assert _tables(arena) == spoilt, code
        _put_back(server, database, kept)


_LEDGERS = ("_shardwright_migration", "_shardwright_member", "_shardwright_ledger", "_shardwright_shard")


def _keep_copies(server: Any, database: str) -> list[str]:
    """Copies of the ledger tables that are spoilt, in a database of their own."""
    server.query("CREATE DATABASE IF NOT EXISTS kept_ledgers")
    here = {row[0] for row in server.query(f"SHOW TABLES FROM {database}")}
    names = [name for name in _LEDGERS if name in here]
    for name in names:
        server.query(f"DROP TABLE IF EXISTS kept_ledgers.{name}")
        server.query(f"CREATE TABLE kept_ledgers.{name} AS SELECT * FROM {database}.{name}")
    return names


def _put_back(server: Any, database: str, names: list[str]) -> None:
    for name in names:
        server.query(f"DELETE FROM {database}.{name}")
        server.query(f"INSERT INTO {database}.{name} SELECT * FROM kept_ledgers.{name}")


def _wait_for_user(arena: Arena, job: Job, user: int) -> None:
    end = time.monotonic() + PATIENCE
    while not any(
        arena.placement[database].query(f"SELECT 1 FROM {database}.users_{part} WHERE id = %s", (user,))
        for database in DATABASES
        for part in range(4)
    ):
        assert time.monotonic() < end, job.end_of_log()
        time.sleep(0.5)
