"""Which changes of the row on the write side did no run of this migration make? Its servers' logs have every change,
and the transactions of our own runs are left out.

Runs in the process of the command; reads the logs of the write side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.history.changes import OPERATIONS
from shardwright.runtime.history.facts import Change, Decision, Unread
from shardwright.runtime.history.images import find_changed_columns
from shardwright.runtime.history.ledger_rows import utc
from shardwright.runtime.history.leg import Leg, Stream
from shardwright.runtime.history.log_reader import NotRead, RowChange
from shardwright.runtime.history.logs import key_images, opposite_logs
from shardwright.runtime.mysql.keys import Key


def foreign_changes(
    opposite: Leg, table: TablePlan, stream: Stream | None, keys: Sequence[Key]
) -> tuple[tuple[Change, ...], tuple[Unread, ...]]:
    """`opposite`: the direction that reads what the live one writes. It may not have begun (`stream` is None). `table`
    is that of its plan. What could not be read is named."""
    images = key_images(opposite.plan, table, keys)
    found: list[Change] = []
    unread: list[Unread] = []
    try:
        for log in opposite_logs(opposite, table, stream):
            logged, _ = log.read(images)
            found += _changes(opposite, table, [one for one in logged if isinstance(one, RowChange)])
            unread += [Unread(one.log, one.why) for one in logged if isinstance(one, NotRead)]
    except RuntimeFailure as failure:
        unread.append(Unread(opposite.plan.direction.read_side, failure.message))
    return tuple(sorted(found, key=lambda change: change.committed_at or "")), tuple(unread)


def _changes(opposite: Leg, table: TablePlan, logged: Sequence[RowChange]) -> Iterator[Change]:
    for one in logged:
        yield Change(
            opposite.plan.direction,
            one.log,
            str(one.place),
            one.row,
            one.gtid,
            utc(one.committed_at),
            OPERATIONS[one.op],
            one.table,
            find_changed_columns(table, one.before, one.after),
            one.table if one.was_key else None,
            one.table if one.is_key else None,
            "ahead",
            None,
            Decision(None, "no run of this migration wrote it", "none"),
        )
