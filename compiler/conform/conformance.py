"""The verdicts about a whole workload. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shardwright.compiler.conform.classifier import Classifier
from shardwright.compiler.conform.layout import Layout
from shardwright.compiler.conform.transactions import crossing_transactions
from shardwright.compiler.conform.verdict import Judgement, Verdict
from shardwright.compiler.workload.digest import digest_of
from shardwright.compiler.workload.merge import group_statements
from shardwright.compiler.workload.statement import StatementGroup, WorkloadStatement

_ORDER = tuple(Verdict)


@dataclass(frozen=True, slots=True)
class JudgedGroup:
    """Statements with one digest, and the worst verdict about them."""

    group: StatementGroup
    judgement: Judgement


def judge_workload(statements: Sequence[WorkloadStatement], layout: Layout) -> tuple[JudgedGroup, ...]:
    """In the order of the files. A statement with a second key in its transaction is a group's verdict where that is
    worse than the statement's own."""
    judge = Classifier(layout).judge
    crossing: dict[str, tuple[WorkloadStatement, Judgement]] = {}
    for statement, judged in crossing_transactions(statements, judge):
        crossing.setdefault(digest_of(statement.text)[0], (statement, judged))
    made = []
    for group in group_statements(statements):
        found = [judge(text) for text in group.texts]
        if group.digest in crossing:
            found.append(crossing[group.digest][1])
        made.append(JudgedGroup(group, worst(found)))
    return tuple(made)


def worst(judgements: Iterable[Judgement]) -> Judgement:
    return max(judgements, key=lambda one: _ORDER.index(one.verdict))
