"""Transactions, the worst verdict of a group, and baselines."""

from __future__ import annotations

import pytest

from shardwright.compiler.conform.baseline import BadBaseline, Baseline, baseline_text, read_baseline
from shardwright.compiler.conform.conformance import judge_workload
from shardwright.compiler.conform.findings import conform_findings
from shardwright.compiler.conform.verdict import Verdict
from shardwright.compiler.workload.statement import WorkloadStatement
from tests.unit.conform.test_verdicts import shop


def workload(*texts: str, session: str = "") -> list[WorkloadStatement]:
    return [WorkloadStatement(text, 1, None, "f.sql", line, session) for line, text in enumerate(texts, 1)]


UPDATE = "UPDATE users SET balance = 1 WHERE id = {}"


@pytest.mark.parametrize(
    ("first", "second", "crosses"),
    [
        ("7", "8", True),
        ("7", "7", False),
        ("'7'", "7", False),
        (":a", ":b", True),
        (":a", ":a", False),
        ("?", "?", False),
        (":a", "7", False),
    ],
)
def test_a_transaction_that_names_two_keys(first: str, second: str, crosses: bool) -> None:
    payment = f"DELETE FROM payment WHERE user_id = {second}"
    judged = judge_workload(workload("BEGIN", UPDATE.format(first), payment, "COMMIT"), shop())
    assert judged[2].judgement.verdict is (Verdict.CROSS_SHARD_TRANSACTION if crosses else Verdict.ONE_SHARD)
    if crosses:
        assert f"users.id = {first}" in judged[2].judgement.reason


def test_statements_of_two_sessions_and_of_two_transactions_are_apart() -> None:
    one = workload("BEGIN", UPDATE.format(7), session="1")
    other = workload("BEGIN", UPDATE.format(8), "COMMIT", "BEGIN", UPDATE.format(9), "COMMIT", session="2")
    judged = judge_workload([*one, *other, *workload("COMMIT", session="1")], shop())
    assert {item.judgement.verdict for item in judged} == {Verdict.NO_TABLE, Verdict.ONE_SHARD}


@pytest.mark.parametrize("off", ["SET autocommit=0", "SET SESSION AUTOCOMMIT = OFF", "set @@autocommit = 0"])
def test_without_autocommit_each_commit_begins_another_transaction(off: str) -> None:
    def crosses(*texts: str) -> bool:
        judged = judge_workload(workload(*texts), shop())
        return any(item.judgement.verdict is Verdict.CROSS_SHARD_TRANSACTION for item in judged)

    seven, eight = UPDATE.format(7), UPDATE.format(8)
    assert crosses(off, seven, eight, "COMMIT")
    assert crosses(off, seven, "COMMIT", eight, seven, "COMMIT")
    assert crosses(off, seven, eight, "SET autocommit=1"), "switching it on commits"
    assert crosses(off, seven, eight, "BEGIN"), "a second transaction commits the first"
    assert not crosses(off, seven, "COMMIT", eight, "COMMIT")
    assert not crosses(off, seven, "COMMIT", "SET autocommit=1", seven, eight)
    assert not crosses(seven, eight, "COMMIT")


def test_a_transaction_that_only_reads_may_name_two_keys() -> None:
    reads = [f"SELECT email FROM users WHERE id = {key}" for key in (7, 8)]
    judged = judge_workload(workload("BEGIN", *reads, "COMMIT"), shop())
    assert all(not item.judgement.verdict.is_bad for item in judged)


def test_the_worst_verdict_of_a_group_counts() -> None:
    join = "SELECT o.note FROM order_info o JOIN payment p ON p.user_id = {} WHERE o.user_id = {}"
    [judged] = judge_workload(workload(join.format(7, 7), join.format(7, 8)), shop())
    assert judged.judgement.verdict is Verdict.CROSS_SHARD_JOIN and judged.group.calls == 2


def test_a_baseline_silences_what_it_knows_with_that_verdict() -> None:
    judged = judge_workload(workload("SELECT COUNT(*) FROM users", "DELETE FROM region", "SELECT 1"), shop())
    known = read_baseline(baseline_text(judged[:1]))
    first, second = conform_findings(judged, known)
    assert (first.code, first.suppressed) == ("SW5201", "in the baseline")
    assert (second.code, second.suppressed, second.span.line) == ("SW5204", None, 2)
    other = Baseline({judged[0].group.digest: Verdict.CROSS_SHARD_JOIN})
    assert next(conform_findings(judged, other)).suppressed is None, "it has become another fault"


def test_a_baseline_does_not_depend_on_order_and_literals() -> None:
    texts = ["SELECT COUNT(*) FROM users WHERE name = 'a'", "DELETE FROM region WHERE code = 1"]
    others = ["DELETE FROM region  WHERE code = 2", "select count(*) from users where name = 'b'"]
    one, other = (baseline_text(judge_workload(workload(*some), shop())) for some in (texts, others))
    assert one == other


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"format": 2, "statements": []}', '{"format": 1, "statements": [{"digest": "x", "verdict": "fine"}]}'],
)
def test_another_file_is_no_baseline(text: str) -> None:
    with pytest.raises(BadBaseline):
        read_baseline(text)
