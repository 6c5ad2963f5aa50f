"""The proof at a cutover's cut: what changed since a whole comparison is compared again, and all tables are counted.
What is spoilt here is spoilt by hand on the servers, and found or not found by what a person knows of it.
"""

from __future__ import annotations

import pytest

from shardwright.runtime.ledger.verified import Verified
from shardwright.runtime.verify.result import Verdict
from tests.cutover.proof import Proof

pytestmark = [pytest.mark.server, pytest.mark.spark]


def test_a_changed_row_that_a_shard_lost_is_found(proof: Proof) -> None:
    proof.verify()
    proof.write("UPDATE parent SET note = 'changed' WHERE id IN (1, 2, 3)")
    changed = proof.lab.books().batch
    proof.outlast_margin()
    ((oldest,),) = proof.ledger("SELECT MIN(batch) FROM _shardwright_recent")
    assert oldest > changed, "the keys were to be kept for the proof alone"
    proof.spoil(1)
    verified = proof.gate()
    assert isinstance(verified, Verified), verified
    result, last = proof.beside(verified.first_batch)
    assert [mismatch.key for table in result.tables for mismatch in table.mismatches] == [("1",)]
    proof.write("UPDATE parent SET note = 'again' WHERE id = 2")
    covered = proof.at_the_cut(last, beside=result)
    assert covered.verdict is Verdict.DIFFERENT
    assert [(one.table, one.key, one.columns[0].column) for one in covered.mismatches] == [("parent", ("1",), "note")]
    assert dict(covered.at_the_cut) == {"parent": 2}, "what is left of it, and what is in doubt"
    proof.write("UPDATE parent SET note = 'mended' WHERE id = 1")
    covered = proof.at_the_cut(verified.first_batch)
    assert covered.verdict is Verdict.EQUAL, list(covered.as_lines())
