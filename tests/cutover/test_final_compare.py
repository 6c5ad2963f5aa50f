"""The proof at a cutover's cut: what changed since a whole comparison is compared again, and all tables are counted.
What is spoilt here is spoilt by hand on the servers, and found or not found by what a person knows of it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from shardwright.runtime.events.event import emit_lines
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.ledger.comparison import Verification, begin_record, give_up_record, record_verified
from shardwright.runtime.ledger.dead_letters import QuarantinedKey, hold
from shardwright.runtime.verify.recording import Recording
from shardwright.runtime.verify.result import ShardRows, TableResult, Verdict, VerifyResult
from shardwright.runtime.verify.table_run import Manner
from tests.cutover.proof import REREAD_ROWS, Proof
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]


def test_a_changed_row_that_a_shard_lost_is_found(proof: Proof) -> None:
    proof.verify()
    proof.write("UPDATE parent SET note = 'changed' WHERE id IN (1, 2, 3)")
    changed = proof.lab.ledger_state().batch
    proof.outlast_margin()
    ((oldest,),) = proof.ledger("SELECT MIN(batch) FROM _shardwright_recent")
    assert oldest > changed, "the keys were to be kept for the proof alone"
    proof.spoil(1)
    verified = proof.gate()
    assert isinstance(verified, Verification), verified
    waits: list[int] = []
    result, last = proof.beside(verified.first_batch, manner=Manner(wait=lambda: waits.append(1)))
    assert waits == [1], "the throttle is asked before rows are read"
    assert [mismatch.key for table in result.tables for mismatch in table.mismatches] == [("1",)]
    file = proof.lab.scratch / "found.jsonl"
    options = ("--since-verified", "--format", "json", "--report", f"jsonl={file}")
    reported = proof.lab.job.call("verify", "--env", ENVIRONMENT, *options, expect=1)
    (line,) = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    assert (line["key"], line["columns"][0]["column"]) == (["1"], "note")
    proof.verify("--report", f"jsonl={file}", "--checkpoint", str(file), expect=1)  # SW8530: before anything is opened
    assert file.read_text(encoding="utf-8")
    found = {table["table"]: table for table in json.loads(reported)["tables"]}
    assert found["parent"]["rows_source"] == 4, "1, 2, 3 and 40, which the margin was outlasted by"
    assert [mismatch["key"] for mismatch in found["parent"]["mismatches"]] == [["1"]]
    proof.write("UPDATE parent SET note = 'again' WHERE id = 2")
    covered = proof.at_the_cut(last, beside=result)
    assert covered.verdict is Verdict.DIFFERENT
    assert [(one.table, one.key, one.columns[0].column) for one in covered.mismatches] == [("parent", ("1",), "note")]
    assert dict(covered.at_the_cut) == {"parent": 2}, "what is left of it, and what is in doubt"
    proof.write("UPDATE parent SET note = 'mended' WHERE id = 1")
    covered = proof.at_the_cut(verified.first_batch)
    assert covered.verdict is Verdict.EQUAL, list(covered.as_lines())


def test_a_row_that_nothing_changed_is_not_read(proof: Proof) -> None:
    """That is what the whole comparison was for; and what the proof cannot see."""
    proof.verify()
    proof.write("UPDATE parent SET note = 'only this one' WHERE id = 5", "DELETE FROM child WHERE id = 6")
    proof.spoil(7)
    verified = proof.gate()
    result, last = proof.beside(verified.first_batch)
    assert {table.table: table.rows_source for table in result.tables} == {"parent": 1, "child": 2}
    covered = proof.at_the_cut(verified.first_batch)
    assert (dict(covered.at_the_cut), covered.verdict) == ({"parent": 1, "child": 2}, Verdict.EQUAL)
    assert dict(proof.at_the_cut(last).at_the_cut) == {}
    proof.verify(expect=1)
    proof.expect_refusal("a later comparison found differences")
    proof.verify("--since-verified", expect=8)
    proof.write("UPDATE parent SET note = 'brought again' WHERE id = 7")


def test_counts_find_a_row_behind_the_log_and_a_doubled_one(proof: Proof) -> None:
    proof.verify()
    verified = proof.gate()
    counted = {table.table: table for table in proof.at_the_cut(verified.last_batch).counted}
    assert counted["parent"].followed == counted["parent"].copies["shards"] == 40
    with proof.lab.arena.source.connect("lab") as connection, connection.cursor() as cursor:
        cursor.execute("SET SESSION sql_log_bin = 0")
        cursor.execute("INSERT INTO parent VALUES (900, 0, 'n900', '')")
    proof.lab.at(1, "INSERT INTO child_1 SELECT * FROM child_0 LIMIT 1")
    covered = proof.at_the_cut(verified.last_batch)
    counts = {table.table: (table.followed, dict(table.copies)) for table in covered.counted}
    assert covered.verdict is Verdict.DIFFERENT and not covered.mismatches
    assert counts == {"parent": (41, {"shards": 40}), "child": (counted["child"].followed, {"shards": counted["child"].followed + 1})}  # fmt: skip
    lines = list(covered.as_lines())
    assert "  parent: source 41, shards 40" in lines, lines
    covered = proof.at_the_cut(verified.last_batch, count_up_to=45)
    assert [(left.table, left.estimate > 45) for left in covered.not_counted] == [("child", True)]
    assert any("not counted: child, about" in line for line in covered.as_lines())
    assert covered.as_json()["not_counted"][0]["table"] == "child"
    with proof.lab.arena.source.connect("lab") as connection, connection.cursor() as cursor:
        cursor.execute("SET SESSION sql_log_bin = 0")
        cursor.execute("DELETE FROM parent WHERE id = 900")
    proof.lab.at(1, "DELETE FROM child_1 WHERE EXISTS (SELECT 1 FROM child_0 c WHERE (c.id, c.line) = (child_1.id, child_1.line))")  # fmt: skip


def test_a_lost_key_and_a_run_that_keeps_none_are_gaps(proof: Proof) -> None:
    proof.verify()
    proof.write("UPDATE parent SET note = 'lost key' WHERE id = 8", "UPDATE parent SET note = 'kept' WHERE id = 9")
    verified = proof.gate()
    proof.lab.at(0, "DELETE FROM _shardwright_recent_keys ORDER BY batch DESC LIMIT 1")
    with pytest.raises(CouldNotCheck, match=r"changed 2 rows, and the shards remember 1 keys"):
        proof.beside(verified.first_batch)
    covered = proof.at_the_cut(verified.first_batch)
    assert covered.verdict is Verdict.COULD_NOT_CHECK and "remember 1 keys" in covered.problems[0]

    proof.verify()
    proof.lab.at(0, "UPDATE _shardwright_verified SET last_batch = last_batch - 1")  # as if another version had run
    proof.expect_refusal("whose keys no run has remembered")
    proof.write("UPDATE parent SET note = 'next' WHERE id = 9")
    proof.expect_refusal("whose keys no run has remembered")


def test_a_share_that_is_too_large_is_named(proof: Proof) -> None:
    proof.verify()
    some = ", ".join(f"({number}, 1, 1, '')" for number in range(2000, 2000 + REREAD_ROWS))
    proof.write(f"INSERT INTO child VALUES {some}")
    assert isinstance(proof.gate(), Verification), "as many as are remembered"
    proof.write("UPDATE child SET note = 'all' WHERE place % 2 = 1")
    batch = proof.lab.ledger_state().batch
    proof.expect_refusal(f"batch {batch} changed", "rows on lab_1", f"at most {REREAD_ROWS} are remembered")
    covered = proof.at_the_cut(batch)
    assert covered.verdict is Verdict.COULD_NOT_CHECK and covered.verified is None
    proof.write("DELETE FROM child WHERE id >= 2000")


def test_batches_are_behind_the_record_or_counted_in_it(proof: Proof) -> None:
    """It begins while a batch is staged: the batch is closed by a run that knew nothing of it."""
    gates = proof.lab.gates
    gates.hold("before-close-batch")
    proof.lab.write("UPDATE parent SET note = 'on its way' WHERE id = 10")
    proof.lab.reach(proof.run, "before-close-batch")
    before = proof.lab.ledger_state().batch
    with proof.control() as control:
        comparison = begin_record(control, "lab", fingerprint=proof.plan.fingerprint)
    gates.open_all()
    proof.lab.drain(proof.run)
    proof.outlast_margin()
    with proof.control() as control:
        assert record_verified(control, "lab", comparison, rows=1) == ""
    verified = proof.gate()
    assert (verified.first_batch, verified.changed_rows) == (before, 2)
    covered = proof.at_the_cut(before)
    assert dict(covered.at_the_cut) == {"parent": 2} and covered.verdict is Verdict.EQUAL


@pytest.mark.in_turn
def test_keys_are_kept_while_a_comparison_works_and_forgotten_when_it_gives_up(proof: Proof) -> None:
    proof.ledger("DELETE FROM _shardwright_verified")
    with proof.control() as control:
        comparison = begin_record(control, "lab", fingerprint=proof.plan.fingerprint)
    proof.write("UPDATE parent SET note = 'meanwhile' WHERE id = 12")
    changed = proof.lab.ledger_state().batch
    proof.outlast_margin()
    assert proof.ledger(f"SELECT COUNT(*) FROM _shardwright_recent_keys WHERE batch = {changed}") == [(1,)]
    ((oldest,),) = proof.ledger("SELECT MIN(batch) FROM _shardwright_recent")
    assert oldest > changed, "a failover goes back no farther than its margin"
    with proof.control() as control:
        give_up_record(control, "lab", comparison)
    proof.outlast_margin()
    proof.outlast_margin()
    ((first,),) = proof.ledger("SELECT MIN(batch) FROM _shardwright_recent_keys")
    assert first > changed


@pytest.mark.long
@pytest.mark.parametrize(
    ("aged", "why"),
    [
        ("began_at = NOW(6) - INTERVAL 25 HOUR", "more than 24 hours ago"),
        ("changed_rows = 2000001", "more than 2,000,000 changed rows"),
    ],
)
def test_keys_are_not_kept_for_ever(proof: Proof, aged: str, why: str) -> None:
    proof.verify()
    assert "hours ago" not in str(proof.gate()) and "1.0 hours ago" in str(_make_older(proof, 3600))
    proof.ledger(f"UPDATE _shardwright_verified SET {aged}")
    proof.write("UPDATE parent SET note = 'one more' WHERE id = 40")
    proof.expect_refusal("proves nothing any more", why)
    last = proof.lab.ledger_state().batch
    proof.outlast_margin()
    proof.outlast_margin()
    ((first,),) = proof.ledger("SELECT MIN(batch) FROM _shardwright_recent_keys")
    assert first > last


def _make_older(proof: Proof, seconds: int) -> object:
    proof.ledger(f"UPDATE _shardwright_verified SET began_at = began_at - INTERVAL {seconds} SECOND")
    return proof.gate(within=seconds - 1)


def test_only_a_whole_comparison_is_recorded(proof: Proof, tmp_path: Path) -> None:
    proof.ledger("DELETE FROM _shardwright_verified")
    for chosen in (("--table", "parent"), ("--shard", "lab_0"), ("--sample", "50"), ("--recent",)):
        proof.write("UPDATE parent SET note = 'compared' WHERE id = 11")
        proof.verify(*chosen)
        assert proof.ledger("SELECT COUNT(*) FROM _shardwright_verified") == [(0,)], chosen
    proof.expect_refusal("no comparison of all tables")
    proof.verify("--checkpoint", str(tmp_path / "new"))
    assert isinstance(proof.gate(), Verification)


def test_an_account_that_may_only_read_compares_and_says_so(proof: Proof) -> None:
    server = proof.lab.arena.placement["lab_0"]
    server.query("CREATE USER reads_only@'%' IDENTIFIED BY 'x'")
    server.query("GRANT SELECT ON lab_0.* TO reads_only@'%'")
    servers = proof.deployed.servers
    reading = replace(servers, shards=tuple(replace(one, account="reads_only", password="x") for one in servers.shards))
    said: list[str] = []
    try:
        with Recording(proof.plan, reading, whole=True, emit=emit_lines(said.append)) as recording:
            recording.record_end(VerifyResult("lab", proof.plan.fingerprint, (_table(),), 0.1))
    finally:
        server.query("DROP USER reads_only@'%'")
    assert len(said) == 1 and "not recorded for a cutover" in said[0] and "denied" in said[0], said


def test_a_comparison_that_begins_before_the_copy_has_ended_says_that_it_is_not_recorded(proof: Proof) -> None:
    """All chunks are done, and the stream has not passed the high watermark: `status` does not call that complete."""
    ((end,),) = proof.ledger("SELECT snapshot_end FROM _shardwright_migration")
    ahead = json.loads(end)
    ahead["source"]["pos"] += 10**9
    said: list[str] = []
    proof.ledger(f"UPDATE _shardwright_migration SET snapshot_end = '{json.dumps(ahead)}'")
    try:
        status = json.loads(proof.lab.job.call("status", "--env", ENVIRONMENT, "--format", "json"))
        with Recording(proof.plan, proof.deployed.servers, whole=True, emit=emit_lines(said.append)) as recording:
            recording.record_end(VerifyResult("lab", proof.plan.fingerprint, (_table(),), 0.1))
    finally:
        proof.ledger(f"UPDATE _shardwright_migration SET snapshot_end = '{end}'")
    assert status["begun"] and not status["snapshot_complete"]
    assert len(said) == 1 and "not recorded for a cutover: rows were still being copied" in said[0], said


def _table() -> TableResult:
    return TableResult("parent", 1, (ShardRows("lab_0", 1),), 1, 0, (), (), None, 0.1)


def test_ddl_that_is_routed_voids_it(proof: Proof) -> None:
    proof.verify()
    with proof.control() as control:
        meanwhile = begin_record(control, "lab", fingerprint=proof.plan.fingerprint)
    file = proof.lab.job.project / "ddl" / "0001_comment.sql"
    file.write_text("ALTER TABLE child ADD INDEX by_note (note);\n", "utf-8")
    proof.lab.job.call("compile")
    proof.lab.job.call("ddl", "apply", "--env", ENVIRONMENT, "--allow", "SW8420")
    proof.expect_refusal("DDL was routed: 0001_comment.sql (1)")
    with proof.control() as control:
        assert "DDL was routed" in record_verified(control, "lab", meanwhile, rows=1)
    proof.lab.job.call("ddl", "apply", "--env", ENVIRONMENT, "--allow", "SW8420")
    proof.verify()
    proof.lab.job.call("ddl", "apply", "--env", ENVIRONMENT, "--allow", "SW8420")
    assert isinstance(proof.gate(), Verification), "nothing was left to route"


def test_another_plan_and_an_open_dead_letter_leave_no_proof(proof: Proof) -> None:
    proof.verify()
    proof.ledger("UPDATE _shardwright_verified SET fingerprint = REVERSE(fingerprint)")
    proof.expect_refusal("another plan")
    proof.verify()
    held = QuarantinedKey("parent", "lab.parent", ("1",))
    with proof.control() as control:
        hold(control, "lab", held, code="SW8511", reason="a test", batch=1)
    proof.expect_refusal("1 rows are dead letters")
    assert "dead letters" in proof.at_the_cut(proof.lab.ledger_state().batch).problems[0]
    discard = ("dead-letters", "discard", "--env", ENVIRONMENT, "--key", "1", "--reason", "a test")
    proof.lab.job.call(*discard)
    proof.expect_refusal("parent (1) was discarded as a dead letter")
