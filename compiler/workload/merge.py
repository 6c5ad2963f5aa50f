"""Statements with one digest are one group: calls and seconds are added. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from shardwright.compiler.workload.digest import digest_of, fold_literals
from shardwright.compiler.workload.statement import StatementGroup, WorkloadStatement

_MOST_TEXTS: Final = 8
"""Of a group. More of them would say nothing new."""


@dataclass(slots=True)
class _Group:
    digest: str
    sql: str
    first: WorkloadStatement
    calls: int = 0
    seconds: float | None = None
    texts: dict[tuple[str, tuple[tuple[int, str], ...]], str] = field(default_factory=dict)


def group_statements(statements: Iterable[WorkloadStatement]) -> tuple[StatementGroup, ...]:
    """The groups in the order of their first statements."""
    groups: dict[str, _Group] = {}
    known: dict[str, tuple[str, str]] = {}
    for statement in statements:
        folded, pattern = fold_literals(statement.text)
        if folded not in known:
            known[folded] = digest_of(statement.text)
        digest, sql = known[folded]
        group = groups.setdefault(digest, _Group(digest, sql, statement))
        group.calls += statement.calls
        if statement.seconds is not None:
            group.seconds = (group.seconds or 0.0) + statement.seconds
        if len(group.texts) < _MOST_TEXTS:
            group.texts.setdefault((folded, pattern), statement.text)
    return tuple(
        StatementGroup(
            one.digest, one.sql, tuple(one.texts.values()), one.calls, one.seconds, one.first.file, one.first.line
        )
        for one in groups.values()
    )
