"""Is a table new that a pattern of the spec means? Its rows would be on no target, so the stream stops before it under
every policy; a pattern of `ignore_ddl`, or `--allow`, makes it continue.

Pure. Used in the driver.
"""

from __future__ import annotations

from typing import Final

from shardwright.compiler.ddl.logged.logged_change import CannotFollow, LoggedChange
from shardwright.compiler.ddl.logged.new_tables import meant_tables
from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.sources.binlog.statements import Effect, Statements
from shardwright.runtime.sources.binlog.table_changed import LEAVE_OUT, step_over
from shardwright.runtime.stream.schema_change.logged import LoggedStatement

NEW_TABLE: Final = "SW8157"


def refuse_new_table(found: LoggedStatement, plan: Plan) -> None:
    """Raises CannotFollow (SW8157)."""
    if not plan.stream_ddl.meant:
        return
    judge = Statements((str(name) for table in plan.tables for name in table.sources), meant_tables(plan))
    text = found.text.encode()
    if judge.effect(found.database, text) is not Effect.MAKES_TABLE:
        return
    made = judge.made_table(found.database, text)
    assert made is not None
    name, logical = made
    pattern = next(pattern for pattern, entry in plan.stream_ddl.meant if entry == logical)
    why = f"{name} is new, and the pattern '{pattern}' of {logical} means it: its rows would be on no target"
    known = LoggedChange("", "", (), False, None, why)
    raise CannotFollow(NEW_TABLE, why, understood=True, change=known)


def way_on(found: LoggedStatement) -> str:
    return (
        f"Everything before it is applied. {LEAVE_OUT}. To take it, raise the entry's `expect` instead, and run with "
        "--recopy and its logical table, which copies all its source tables, and with the --allow below. "
        f"{step_over(found.code, found.place)}"
    )
