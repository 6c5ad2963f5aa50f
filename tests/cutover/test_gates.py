"""What is refused, or said, before writers are stopped. No run is needed to ask."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.ledger.cutover import TABLE as DIRECTION_TABLE
from shardwright.runtime.ledger.stream_ddl import PLAN_TABLE
from shardwright.runtime.mysql.grants import fence_rights, quote_account
from shardwright.runtime.mysql.servers import ledger_database_of
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from tests.cutover.lab import CutoverLab
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> CutoverLab:
    made = CutoverLab(arena, tmp_path)
    made.begin()
    return made


def test_s4_a_cutover_without_a_way_to_roll_back_is_refused(lab: CutoverLab) -> None:
    assert "SW8942" not in _dry_run(lab)
    for server in set(lab.arena.placement.values()):
        rights = fence_rights("triggers", mariadb=server.sandbox.kind == "mariadb").everywhere
        account = quote_account(f"{RUNTIME_USER}@{server.sandbox.account_host}")
        server.query(f"REVOKE {', '.join(rights)} ON *.* FROM {account}")
    said = _dry_run(lab)
    assert "SW8942: a rollback would be refused (SW8125)" in said and "lacks PROCESS" in said, said
    assert "SW8942" in lab.expect_refusal("begin", code=Exit.REFUSED)
    said = _dry_run(lab, "--no-rollback")
    assert "SW8942" not in said and "(--no-rollback)" in said, said
    file = lab.job.project / "environments" / f"{ENVIRONMENT}.yaml"
    settings = yaml.safe_load(file.read_text())
    del settings["cutover"]["fence"]["shards"]
    file.write_text(yaml.safe_dump(settings))
    said = _dry_run(lab)
    assert "SW8942: a rollback would be refused (SW8921)" in said and "cutover.fence.shards" in said, said
    assert "SW8007" in lab.expect_refusal("rollback", "--no-rollback", code=Exit.INPUT_AT_FAULT)


@pytest.mark.in_turn
def test_h8_ddl_that_is_compiled_and_not_applied_is_named_before_writers_wait(lab: CutoverLab) -> None:
    with lab.live():
        assert "a backward run may start" in lab.cutover("--dry-run")
        (lab.job.project / "ddl").mkdir(exist_ok=True)
        (lab.job.project / "ddl" / "0001_more.sql").write_text("ALTER TABLE child ADD COLUMN more INT NULL;\n", "utf-8")
        lab.job.call("compile")
        said = _dry_run(lab)
        assert "SW8128" in said and "lacks column more" in said and "`shardwright ddl apply`" in said, said
        assert "SW8128" in lab.expect_refusal("begin", code=Exit.REFUSED)
        lab.job.call("ddl", "apply", "--env", ENVIRONMENT)
        lab.verify()  # DDL voids the comparison
        assert "a backward run may start" in lab.cutover("--dry-run")


def test_n05_a_source_that_is_a_replica_is_refused(lab: CutoverLab) -> None:
    server, mysql = lab.arena.source, lab.arena.source.sandbox.kind == "mysql"
    server.query(
        "CHANGE REPLICATION SOURCE TO SOURCE_HOST='p.test'" if mysql else "CHANGE MASTER TO MASTER_HOST='p.test'"
    )
    try:
        assert "SW8943" in _dry_run(lab) and "SW8943" in lab.expect_refusal("begin", code=Exit.REFUSED)
        assert "SW8943" not in _dry_run(lab, "--allow", "SW8943")
        assert "SW8007" in lab.expect_refusal("begin", "--allow", "SW8901", code=Exit.INPUT_AT_FAULT)
    finally:
        server.query("RESET REPLICA ALL" if mysql else "RESET SLAVE ALL")


def test_n05_another_migrations_way_back_into_the_same_tables_is_refused(lab: CutoverLab) -> None:
    """As its ledger beside the source says it."""
    beside, server = ledger_database_of("lab"), lab.arena.source
    server.query(f"CREATE DATABASE IF NOT EXISTS `{beside}`")
    record = json.dumps({"databases": ["lab"], "tables": {"p": {"into": ["lab.parent"]}}})
    for statement in (
        PLAN_TABLE,
        DIRECTION_TABLE,
        f"INSERT INTO _shardwright_plan VALUES ('other', 'x', '{record}', NOW(6))",
        "INSERT INTO _shardwright_cutover VALUES ('other', 'forward', NOW(6))",
    ):
        server.query(statement, database=beside)
    assert "SW8945" not in _dry_run(lab)
    server.query("UPDATE _shardwright_cutover SET direction = 'backward' WHERE migration = 'other'", database=beside)
    assert "SW8945: the way back of migration other writes lab.parent" in _dry_run(lab)


def test_s13_the_newest_switch_row_counts_where_the_first_ledger_is_lost(lab: CutoverLab) -> None:
    lab.on(1, "REPLACE INTO _shardwright_switch VALUES ('lab', 'shards', 3, NOW(6))")
    status = lab.status()
    assert (status["state"], status["writes_to"], status["generation"]) == ("unknown", "shards", 3), status
    assert "the first shard's ledger is older than the switch rows" in lab.cutover("status")


def test_r_columns_that_number_new_rows_at_the_source_alone_are_named(lab: CutoverLab) -> None:
    said = _dry_run(lab)
    assert "AUTO_INCREMENT" not in said, said
    lab.write("ALTER TABLE parent MODIFY id int NOT NULL AUTO_INCREMENT")
    assert "AUTO_INCREMENT at the source and not on the shards: parent.id" in _dry_run(lab)


def _dry_run(lab: CutoverLab, *arguments: str) -> str:
    """Refused all the same: no run is connected."""
    return lab.cutover("--dry-run", *arguments, expect=Exit.REFUSED)
