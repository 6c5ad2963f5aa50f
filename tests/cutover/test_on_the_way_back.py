"""A rollback proves that the source equals the shards: the same proof, of the backward plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.runtime.ledger.comparison import Verification
from shardwright.runtime.verify.result import Verdict
from tests.cutover.proof import FEW_REMEMBERED, Proof
from tests.servers.testbed import Arena
from tests.support.job import kill_tree
from tests.support.way_back_lab import BackLab

pytestmark = [pytest.mark.server, pytest.mark.spark]


@pytest.mark.long
def test_the_source_equals_the_shards(arena: Arena, tmp_path: Path) -> None:
    lab = BackLab(arena, tmp_path, settings=FEW_REMEMBERED)
    lab.create_source()
    lab.fill({number: number % 4 for number in range(1, 9)})
    lab.finish()
    lab.job.call("verify", "--env", "test")
    lab.turn()
    run = lab.start(gated=False)
    try:
        lab.drain(run)
        proof = Proof(lab, run)
        assert proof.plan.direction == "backward"
        proof.expect_refusal("no comparison of all tables")
        proof.verify()
        lab.on(1, "UPDATE parent_0 SET note = 'by the application' WHERE id IN (1, 5)")
        lab.insert(21, 1, lines=2)
        lab.drain(run)
        verified = proof.gate()
        assert isinstance(verified, Verification), verified
        result, last = proof.beside(verified.first_batch)
        assert {table.table: (table.rows_source, table.verdict) for table in result.tables} == {
            "parent": (3, Verdict.EQUAL),
            "child": (2, Verdict.EQUAL),
        }
        lab.on(0, "DELETE FROM child_0 WHERE id = 4 AND line = 1")
        covered = proof.at_the_cut(last, beside=result)
        assert covered.verdict is Verdict.EQUAL and dict(covered.at_the_cut) == {"child": 1}, list(covered.as_lines())
        rows = {table.table: (table.followed, dict(table.copies)) for table in covered.counted}
        assert rows == {"parent": (9, {"lab": 9}), "child": (17, {"lab": 17})}

        lab.source("UPDATE parent SET note = 'by somebody else' WHERE id = 5")
        lab.source("DELETE FROM child WHERE id = 6 AND line = 1")
        covered = proof.at_the_cut(verified.first_batch)
        assert covered.verdict is Verdict.DIFFERENT
        assert [(one.table, one.key) for one in covered.mismatches] == [("parent", ("5",))]
        assert any("child: shards 17, lab 16" in line for line in covered.as_lines()), list(covered.as_lines())
    finally:
        kill_tree(run)
