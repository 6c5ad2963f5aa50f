"""The causes of the first mismatches of a comparison, where their values do not show them: as the logs have it.

Runs in the process of the command; reads the ledgers and the logs of both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from shardwright.runtime.causes.judge import RowInLogs, judge
from shardwright.runtime.causes.row_logs import RowLogs
from shardwright.runtime.history.leg import Leg
from shardwright.runtime.verify.result import Mismatch, TableResult, VerifyResult

LOG_BYTES: Final = 256 * 2**20
"""How much of a log is read. Where several tables differ, each gets its share: a log is read once for each of them."""


def explain_causes(
    result: VerifyResult, legs: Sequence[Leg], *, at_most: int, log_bytes: int = LOG_BYTES
) -> VerifyResult:
    """The result with causes and last writers of its first `at_most` mismatches. What could not be read is named in it,
    and no reason to fail. `legs` are the directions of the migration."""
    live = next(leg for leg in legs if leg.is_live)
    known = {table.logical: table for table in live.plan.tables if not table.identity.counts_rows}
    chosen = _choose([table for table in result.tables if table.table in known], at_most)
    stream = live.read_stream() if chosen else None
    if stream is None:
        return result
    opposite = next((leg for leg in legs if leg is not live), None)
    logs = RowLogs(live, stream, opposite, log_bytes // len(chosen))
    tables = []
    for table in result.tables:
        first = chosen.get(table.table, ())
        if first:
            found = logs.find(known[table.table], list(dict.fromkeys(one.key for one in first)))
            named = (_name(one, found[one.key]) for one in first)
            table = replace(table, mismatches=(*named, *table.mismatches[len(first) :]))
        tables.append(table)
    return replace(result, tables=tuple(tables), logs_not_read=tuple(dict.fromkeys(logs.unread)))


def _choose(tables: Sequence[TableResult], at_most: int) -> dict[str, tuple[Mismatch, ...]]:
    """The first mismatches by table; tables without any are left out."""
    chosen: dict[str, tuple[Mismatch, ...]] = {}
    for table in tables:
        first = table.mismatches[: at_most - sum(map(len, chosen.values()))]
        if first:
            chosen[table.table] = first
    return chosen


def _name(mismatch: Mismatch, found: RowInLogs) -> Mismatch:
    """What the values show stays: it says what happened to them, and the writer says who did it."""
    return replace(mismatch, cause=mismatch.cause or judge(found), writer=found.writer)
