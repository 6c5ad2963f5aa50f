"""Is a table new that a pattern of the spec means? Its rows would be on no target, so the stream stops before it under
every policy; a pattern of `ignore_ddl`, or `--allow`, makes it continue.

Runs in the driver; writes the first shard's ledger.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.ddl.logged.new_tables import new_table_patterns
from shardwright.compiler.ddl.source.logged_change import CannotFollow, LoggedChange
from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.stream_ddl import (
    RecordedDdl,
    read_taken_table,
    record_started,
    record_state,
    tables_ahead,
)
from shardwright.runtime.sources.binlog.statements import Effect, Statements
from shardwright.runtime.sources.binlog.table_changed import LEAVE_OUT, skip_hint
from shardwright.runtime.sources.logged_statement import LoggedStatement

NEW_TABLE: Final = "SW8157"


def refuse_new_table(found: LoggedStatement, plan: Plan) -> None:
    """Raises CannotFollow (SW8157)."""
    if (made := _find_new_table(found, plan)) is None:
        return
    name, logical = made
    pattern = next(pattern for pattern, entry in plan.stream_ddl.meant if entry == logical)
    why = f"{name} is new, and the pattern '{pattern}' of {logical} means it: its rows would be on no target"
    known = LoggedChange("", "", (), False, None, why)
    raise CannotFollow(NEW_TABLE, why, understood=True, change=known)


def offer_new_table(context: RunContext, found: LoggedStatement) -> None:
    """Records that the stream is right before a statement that makes a table and changes no followed one. A newer plan
    may take the table from there on."""
    made = _find_new_table(found, context.plan)
    if made is None:
        return
    ddl = RecordedDdl(found.place, made[0], made[1], found.text, None)

    def offer(connection: Connection[Any]) -> None:
        record_started(connection, context.migration, ddl, decision="ignore")
        record_state(connection, context.migration, found.place, state="new")

    context.transaction(offer)
    failpoint("after-new-table-recorded")


def find_table_begin(context: RunContext, found: LoggedStatement) -> LoggedChange | None:
    """What the statement is where the plan has taken that table: the beginning of a table that chunks bring. None for
    every other statement, and where it changes another followed table besides.

    The plan was adopted right before the statement, or earlier: of several new tables in a row, it has the later ones
    as well. That the statement makes the table proves that it was not there before, with rows that no event names: the
    stream would have met what took it away."""
    source = read_taken_table(context.control, context.migration, found.place)
    known = (source,) if source is not None else tables_ahead(context.control, context.migration)
    source = next(
        (name for name in known if (made := _find_new_table(found, context.plan, but=name)) and made[0] == name), None
    )
    if source is None:
        return None
    table = next(table for table in context.plan.tables if source in map(str, table.sources))
    words = f"{source} begins here, and is copied beside the stream"
    return LoggedChange(source, table.logical, table.source.columns, False, None, words)


def _find_new_table(found: LoggedStatement, plan: Plan, *, but: str = "") -> tuple[str, str] | None:
    """The table that the statement makes and a pattern of the spec means, with its logical table. None where it
    changes a followed table. `but`: a table that counts for one that is not followed yet."""
    if not plan.stream_ddl.meant:
        return None
    followed = [str(name) for table in plan.tables for name in table.sources if str(name) != but]
    judge = Statements(followed, replace(new_table_patterns(plan), followed=frozenset(map(str.lower, followed))))
    text = found.text.encode()
    return judge.new_table(found.database, text) if judge.effect(found.database, text) is Effect.MAKES_TABLE else None


def way_on(found: LoggedStatement) -> str:
    return (
        f"Everything before it is applied. {LEAVE_OUT}. To take it, raise the entry's `expect` instead: the run copies "
        f"it beside the stream. To skip this one statement and neither copy nor follow the table: "
        f"{skip_hint(found.code, found.place)}"
    )
