"""What changes rows beside the batches voids the record of a whole comparison, in the transaction that records it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from shardwright.runtime.ledger.comparison import Verification
from shardwright.runtime.verify.final import compare_at_the_cut, gate
from shardwright.runtime.verify.result import Verdict
from tests.servers.testbed import Arena
from tests.stream_ddl.conftest import DdlLab
from tests.support.job import ENVIRONMENT, kill_tree
from tests.support.lab import Lab, new_family
from tests.support.way_back import deploy

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]


@pytest.mark.long
def test_ddl_of_the_source_and_a_table_that_is_copied_again(arena: Arena, tmp_path: Path) -> None:
    made = DdlLab(arena, tmp_path, "{format: binlog, ddl: apply}")
    lab, job = made.lab, made.lab.job
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    made.run()
    job.call("verify", "--env", ENVIRONMENT)
    assert isinstance(_gate(made), Verification)
    made.run()
    assert isinstance(_gate(made), Verification), "a run that is started again changes nothing"
    lab.write("ALTER TABLE child ADD INDEX by_note (note(10)), ALGORITHM=INPLACE")
    made.run()
    assert "DDL at" in str(_gate(made)) or "DDL was routed" in str(_gate(made)), _gate(made)
    job.call("verify", "--env", ENVIRONMENT)
    assert isinstance(_gate(made), Verification)
    again = ("--recopy", "parent", "--allow", "SW8147")
    job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", *again)
    assert "parent was copied again" in str(_gate(made)), _gate(made)
    lab.require_equal()


@pytest.mark.long
@pytest.mark.parametrize("moment", ["before-mark-staged", "after-mark-staged"])
def test_a_batch_that_a_killed_run_has_begun_is_counted_once(arena: Arena, tmp_path: Path, moment: str) -> None:
    """The next run reads it again, or finishes it; new rows may be in place already."""
    lab = Lab(arena, tmp_path)
    lab.create_source()
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    lab.finish()
    lab.job.call("verify", "--env", ENVIRONMENT)
    lab.write("UPDATE parent SET note = 'changed' WHERE id IN (1, 2)", *new_family(7, 3))
    process = lab.start(until="caught-up", gated=False, failpoints=f"{moment}=kill")
    assert process.wait(timeout=300) != 0
    kill_tree(process)
    way = deploy(lab.job)
    lab.finish()
    with closing(way.servers.connect_shard(0)) as control:
        verified = gate(way.plan, control)
    assert isinstance(verified, Verification), verified
    assert verified.changed_rows == 5
    covered = compare_at_the_cut(way.plan, way.servers, after=verified.first_batch)
    assert covered.verdict is Verdict.EQUAL and dict(covered.at_the_cut) == {"child": 2, "parent": 3}


def _gate(made: DdlLab) -> Verification | str:
    way = deploy(made.lab.job)
    with closing(way.servers.connect_shard(0)) as control:
        return gate(way.plan, control)
