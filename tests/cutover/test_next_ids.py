"""An application takes the numbers of new rows from a counter on the side that it writes to. Nobody gets a number that
anybody has had, also where the row is gone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.mysql.grants import grant, quote_account
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from tests.cutover.lab import CutoverLab
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]

DIED_AT = {"after-ids-set", "after-ids-recorded"}
EXAMPLE = Path(__file__).with_name("numbers")
SEGMENT = "CREATE TABLE id_segment (name varchar(40) NOT NULL, next_id int NOT NULL{key}) ENGINE=InnoDB"


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> CutoverLab:
    made = CutoverLab(arena, tmp_path, example=EXAMPLE)
    made.begin()
    return made


@pytest.mark.in_turn
def test_d18_no_number_is_given_twice(lab: CutoverLab) -> None:
    lab.write(
        "INSERT INTO coupon (code) VALUES ('a'), ('b')",
        "INSERT INTO coupon VALUES (50, 'gone')",
        "DELETE FROM coupon WHERE id = 50",
        "INSERT INTO numbers VALUES ('parent', 500)",
        "INSERT INTO parent VALUES (499, 0, 'gone', '')",
        "DELETE FROM parent WHERE id = 499",
    )
    with lab.run(gated=False) as run:
        lab.write("UPDATE parent SET note = 'warm'")
        lab.drain_forward(run)
        lab.verify()
        _require_segment_table(lab, run)
        _require_alter(lab, "begin", "SW8942: a rollback would be refused (SW8125)")
        assert "parent.id: row 'parent' of lab_0.id_segment from nothing yet to 1,500" in lab.cutover("--dry-run")
        lab.cutover("--rehearse")
        assert "the next numbers would be set: coupon.id: AUTO_INCREMENT of lab_1.coupon" in lab.job.end_of_log()
        assert lab.at(0, "SELECT * FROM id_segment") == [], "a rehearsal sets nothing"
        assert "s in the last rehearsal, below 60 s" in lab.cutover("--dry-run")
        said = lab.cutover("--dry-run", "--max-pause", "0.001")
        assert "and writers may wait for 0.001 s: a cutover would be lifted (SW8913)" in said, said
        for point in ("after-ids-set", "after-ids-recorded"):
            lab.expect_kill(failpoints=f"{point}=kill")
        lab.cutover()
        assert lab.at(0, "SELECT * FROM id_segment") == [("parent", 1500)]
        assert "coupon.id" in lab.cutover("status")
        _numbers_of_the_shards(lab, run)
        lab.arena.source.query(f"REVOKE ALTER ON lab.* FROM {_account(lab)}")
        _require_alter(lab, "rollback", "SW8125")
        lab.cutover("rollback")
        assert lab.source("SELECT value FROM numbers") == [(2600,)]
        lab.write("INSERT INTO coupon (code) VALUES ('back')")
        ((last,),) = lab.source("SELECT id FROM coupon WHERE code = 'back'")
        assert last > 1052, last
        lab.drain_forward(run)
        assert lab.at(1, "SELECT id FROM coupon WHERE code = 'back'") == [(last,)]
        lab.cutover()
        ((value,),) = lab.at(0, "SELECT next_id FROM id_segment")
        assert value == 3600
        lab.equal()


def _require_segment_table(lab: CutoverLab, run: subprocess.Popen[bytes]) -> None:
    assert "before a cutover: create the table" in lab.job.call("preflight", "--env", ENVIRONMENT)
    said = lab.expect_refusal("begin", code=Exit.REFUSED)
    assert "SW8927" in said and "id_segment" in said and "create the table" in said, said
    lab.on(0, SEGMENT.format(key=""))
    said = lab.expect_refusal("begin", code=Exit.REFUSED)
    assert "ADD UNIQUE KEY (`name`)" in said, said
    lab.on(0, "DROP TABLE id_segment", SEGMENT.format(key=", PRIMARY KEY (name)"))
    lab.on(0, "ALTER TABLE id_segment MODIFY next_id tinyint NOT NULL")
    said = lab.expect_refusal("begin", code=Exit.REFUSED)
    assert "SW8940" in said and "id_segment.next_id (tinyint) ends at 127" in said, said
    assert "fenced" not in said.rpartition("$ ")[2], said
    lab.on(0, "ALTER TABLE id_segment MODIFY next_id int NOT NULL")
    lab.write("UPDATE parent SET note = 'once more'")  # the run has noticed that it follows the source again
    lab.drain_forward(run)


def _numbers_of_the_shards(lab: CutoverLab, run: subprocess.Popen[bytes]) -> None:
    """The application takes a hundred numbers, and inserts rows; those with the largest go again."""
    lab.on(0, "UPDATE id_segment SET next_id = next_id + 100 WHERE name = 'parent'")
    lab.insert(1500, 0)
    lab.insert(1599, 1)
    lab.on(1, "DELETE FROM child_0 WHERE id = 1599", "DELETE FROM parent_0 WHERE id = 1599")
    lab.on(1, "INSERT INTO coupon (code) VALUES ('first'), ('second')", "DELETE FROM coupon WHERE code = 'second'")
    ((first,),) = lab.at(1, "SELECT id FROM coupon WHERE code = 'first'")
    assert first == 1051, "behind 50, which was deleted, and the margin"
    lab.drain(run)


def _require_alter(lab: CutoverLab, action: str, code: str) -> None:
    said, wanted = lab.expect_refusal(action, code=Exit.REFUSED), grant(("ALTER",), "lab", _account(lab))
    assert code in said and wanted in said, said
    if action == "begin":
        assert "(--no-rollback)" in lab.cutover("--dry-run", "--no-rollback")
    lab.arena.source.query(wanted)


def _account(lab: CutoverLab) -> str:
    return quote_account(f"{RUNTIME_USER}@{lab.arena.source.sandbox.account_host}")


def test_n40_n36_numbers_that_cannot_be_given_are_named_before_the_fence(arena: Arena, tmp_path: Path) -> None:
    lab = CutoverLab(arena, tmp_path, example=EXAMPLE)
    lab.begin()
    lab.on(0, SEGMENT.format(key=", PRIMARY KEY (name)"))
    assert "row 'parent' of lab.numbers, from which applications take numbers now, is missing" in _dry_run(lab)
    lab.write("INSERT INTO numbers VALUES ('parent', 2147482000)", "INSERT INTO coupon VALUES (2147482500, 'last')")
    lab.on(1, "INSERT INTO coupon VALUES (2147482647, 'last')")
    said = _dry_run(lab)
    assert "numbers up to 2,147,482,647 are given, so with the margin of 1,000 the next one would be" in said, said
    assert "2,147,483,648, and lab_1.coupon.id (int) ends at 2,147,483,647" in said, said
    assert "parent.id" not in said.partition("SW8940")[2].partition("\n")[0], said
    lab.write("UPDATE numbers SET value = 2147482647 WHERE what = 'parent'")
    assert "SW8940: parent.id: numbers up to 2,147,482,646 are given" in _dry_run(lab)
    lab.expect_refusal("begin", code=Exit.REFUSED)
    assert lab.at(0, "SELECT * FROM id_segment") == [], "nothing is set"
    lab.write("ALTER TABLE numbers MODIFY value bigint", "UPDATE numbers SET value = NULL")
    assert "SW8941: parent.id: value in row 'parent' of lab.numbers is NULL" in _dry_run(lab)
    lab.write("ALTER TABLE numbers MODIFY value varchar(20)", "UPDATE numbers SET value = '99'")
    assert "column value of lab.numbers is of type varchar(20), so it does not count" in _dry_run(lab)
    lab.write("ALTER TABLE numbers MODIFY value bigint")
    lab.on(0, "ALTER TABLE id_segment ADD owner varchar(20) NOT NULL, ADD step int NOT NULL DEFAULT 1")
    assert "row 'parent' of lab_0.id_segment is missing, and column owner needs a value" in _dry_run(lab)


def _dry_run(lab: CutoverLab) -> str:
    return lab.cutover("--dry-run", expect=Exit.REFUSED)
