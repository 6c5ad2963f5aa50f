"""Which transactions of a workload name the keys of several shards? Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from shardwright.compiler.conform.verdict import Judgement, Verdict
from shardwright.compiler.workload.statement import WorkloadStatement

_BEGIN: Final = re.compile(r"\s*(BEGIN|START\s+TRANSACTION)\b", re.IGNORECASE)
_AUTOCOMMIT: Final = re.compile(
    r"\s*SET\s+(?:SESSION\s+|@@(?:SESSION\.)?)?AUTOCOMMIT\s*=\s*(?P<value>\w+)", re.IGNORECASE
)
_OFF: Final = ("0", "OFF", "FALSE")
_END: Final = re.compile(r"\s*(COMMIT|ROLLBACK)\s*(WORK\s*)?;?\s*\Z", re.IGNORECASE)
_WRITE: Final = re.compile(r"\s*(INSERT|UPDATE|DELETE|REPLACE)\b|.*\bFOR\s+UPDATE\b", re.IGNORECASE | re.DOTALL)


@dataclass(slots=True)
class _Open:
    """A transaction that has begun."""

    first: dict[str, tuple[tuple[str, ...], Judgement]] = field(default_factory=dict)
    """By rule, the values of the first key."""
    crossing: tuple[WorkloadStatement, Judgement] | None = None
    writes: bool = False


def crossing_transactions(
    statements: Iterable[WorkloadStatement], judge: Callable[[str], Judgement]
) -> Iterator[tuple[WorkloadStatement, Judgement]]:
    """Of each transaction that writes and names different keys: the first statement with a second key, and the verdict
    about it. Keys are only compared where the file shows them."""
    opened: dict[str, _Open] = {}
    without_autocommit: set[str] = set()
    for statement in statements:
        session, switched = statement.session, _AUTOCOMMIT.match(statement.text)
        if switched is not None and switched["value"].upper() in _OFF:
            without_autocommit.add(session)
            continue
        begins, ends = _BEGIN.match(statement.text), switched or _END.match(statement.text)
        if begins or ends:  # each of them commits what is open, but for ROLLBACK
            done = opened.pop(session, None)
            if done is not None and done.crossing is not None and done.writes:
                yield done.crossing
        if switched:
            without_autocommit.discard(session)
        elif begins:
            opened[session] = _Open()
        elif not ends:
            if session in without_autocommit:
                opened.setdefault(session, _Open())
            if session in opened:
                _take(statement, judge(statement.text), opened[session])


def _take(statement: WorkloadStatement, judged: Judgement, transaction: _Open) -> None:
    transaction.writes |= _WRITE.match(statement.text) is not None
    if judged.route is None:
        return
    group, values = judged.route
    first = transaction.first.setdefault(group, (values, judged))
    if first[0] == values or transaction.crossing is not None or not _are_comparable(first[0], values):
        return
    reason = f"the transaction names {judged.reason} here and {first[1].reason} before: no commit covers two shards"
    transaction.crossing = statement, Judgement(Verdict.CROSS_SHARD_TRANSACTION, reason)


def _are_comparable(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """A name and a value may be the same."""
    return all(a.startswith("name ") == b.startswith("name ") for a, b in zip(one, other, strict=True))
