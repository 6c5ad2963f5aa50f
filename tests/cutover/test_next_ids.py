"""An application takes the numbers of new rows from a counter on the side that it writes to. Nobody gets a number that
anybody has had, also where the row is gone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.mysql.grants import grant, quoted_account
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from tests.cutover.lab import CutoverLab
from tests.servers.testbed import Arena
from tests.workload.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]

DIED_AT = {"after-ids-set", "after-ids-recorded"}
EXAMPLE = Path(__file__).with_name("numbers")
SEGMENT = "CREATE TABLE id_segment (name varchar(40) NOT NULL, next_id int NOT NULL{key}) ENGINE=InnoDB"


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> CutoverLab:
    made = CutoverLab(arena, tmp_path, example=EXAMPLE)
    made.begin()
    return made


def test_d18_no_number_is_given_twice(lab: CutoverLab) -> None:
    lab.write(
        "INSERT INTO coupon (code) VALUES ('a'), ('b')",
        "INSERT INTO coupon VALUES (50, 'gone')",
        "DELETE FROM coupon WHERE id = 50",
        "INSERT INTO numbers VALUES ('parent', 500)",
        "INSERT INTO parent VALUES (499, 0, 'gone', '')",
        "DELETE FROM parent WHERE id = 499",
    )
    with lab.running(gated=False) as run:
        lab.write("UPDATE parent SET note = 'warm'")
        lab.drain_forward(run)
        lab.verify()
        _refused_without_a_segment_table(lab, run)
        assert "parent.id: row 'parent' of lab_0.id_segment from nothing yet to 1,500" in lab.cutover("--dry-run")
        lab.cutover("--rehearse")
        assert "the next numbers would be set: coupon.id: AUTO_INCREMENT of lab_1.coupon" in lab.job.end_of_log()
        assert lab.at(0, "SELECT * FROM id_segment") == [], "a rehearsal sets nothing"
        for point in ("after-ids-set", "after-ids-recorded"):
            lab.killed(failpoints=f"{point}=kill")
        lab.cutover()
        assert lab.at(0, "SELECT * FROM id_segment") == [("parent", 1500)]
        assert "coupon.id" in lab.cutover("status")
        _numbers_of_the_shards(lab, run)
        _refused_without_alter(lab)
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


def _refused_without_a_segment_table(lab: CutoverLab, run: subprocess.Popen[bytes]) -> None:
    assert "before a cutover: create the table" in lab.job.call("preflight", "--env", ENVIRONMENT)
    said = lab.refused("begin", code=Exit.REFUSED)
    assert "SW8927" in said and "id_segment" in said and "create the table" in said, said
    lab.on(0, SEGMENT.format(key=""))
    said = lab.refused("begin", code=Exit.REFUSED)
    assert "ADD UNIQUE KEY (`name`)" in said, said
    lab.on(0, "DROP TABLE id_segment", SEGMENT.format(key=", PRIMARY KEY (name)"))
    lab.on(0, "ALTER TABLE id_segment MODIFY next_id tinyint NOT NULL")
    said = lab.refused("begin", code=Exit.REFUSED)
    assert "SW8928" in said and "source takes writes again" in said, said
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


def _refused_without_alter(lab: CutoverLab) -> None:
    said = lab.refused("rollback", code=Exit.REFUSED)
    sandbox = lab.arena.source.sandbox
    wanted = grant(("ALTER",), "lab", quoted_account(f"{RUNTIME_USER}@{sandbox.account_host}"))
    assert "SW8125" in said and wanted in said, said
    lab.arena.source.query(wanted)
