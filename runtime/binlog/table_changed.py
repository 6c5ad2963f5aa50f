"""The refusal that a DDL statement on a followed table is, with what is needed to step over it."""

from __future__ import annotations

from shardwright.runtime.binlog.events import LogEvent, Statement
from shardwright.runtime.failures import Refused

CODE = "SW8114"


class TableChanged(Refused):
    """`alone`: the statement is a transaction of its own, so the position after it is a boundary."""

    def __init__(self, event: LogEvent, statement: Statement, *, alone: bool) -> None:
        shown = statement.text[:200].decode("utf-8", "replace")
        super().__init__(
            CODE,
            f"at {event.place} a followed table is changed: {shown!r} (in database '{statement.database}'). Everything before "
            "it is applied. Bring the change into the schema file and the targets, compile, then step over this one "
            f"statement: shardwright run --allow {CODE}@{event.place}; or let such changes be applied: "
            "source.stream.ddl: apply",
        )
        self.event = event
        self.statement = statement
        self.alone = alone
