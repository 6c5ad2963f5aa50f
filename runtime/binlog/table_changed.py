"""The refusal that a DDL statement on a followed table is, with what is needed to step over it."""

from __future__ import annotations

from shardwright.runtime.binlog.events import LogEvent, Statement
from shardwright.runtime.failures import Refused

CODE = "SW8114"
_ADVICE = (
    "With source.stream.ddl: apply a run carries changes of columns and indexes to the targets by itself, and stops where rows may be "
    "others. Without it: step over this one statement, with the plan as it is; where it changed columns the run says what is next:"
)


class TableChanged(Refused):
    """`alone`: the statement is a transaction of its own, so the position after it is a boundary."""

    def __init__(self, event: LogEvent, statement: Statement, *, alone: bool) -> None:
        shown = statement.text[:200].decode("utf-8", "replace")
        super().__init__(
            CODE,
            f"at {event.place} a followed table is changed: {shown!r} (in database '{statement.database}'). Everything before "
            f"it is applied. {_ADVICE} shardwright run --allow {CODE}@{event.place}",
        )
        self.event = event
        self.statement = statement
        self.alone = alone
