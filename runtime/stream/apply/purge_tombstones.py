"""When are tombstones dropped? When nothing older than a delete can arrive any more, and after policy `delay`
(contract C4).

Runs in the driver; writes to each shard, in a transaction of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan, at_place
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.mysql.rows_database import rows_database
from shardwright.runtime.mysql.transactions import execute, set_variables


@dataclass(slots=True)
class DeleteDelay:
    """The clock of the longest delay among the plan's tables: all tombstones are dropped together, when it is over. It
    runs from the last chunk's commit; before that no delay is over."""

    plan: Plan
    clock: Callable[[], float] = time.monotonic
    """Seconds."""
    _begun: float | None = field(default=None, init=False)

    def snapshot_done(self, age: int | None) -> None:
        """The last chunk was committed `age` seconds ago; None: not yet."""
        self._begun = None if age is None else self.clock() - age

    @property
    def is_running(self) -> bool:
        """Whether deletes must still be remembered because of a delay."""
        longest = max((table.deletes.delay or 0 for table in self.plan.tables), default=0)
        return longest > 0 and (self._begun is None or self.clock() - self._begun < longest)


def forget_deletes(context: RunContext) -> None:
    """Drops all tombstones; under policy `delay`, tries the remembered deletes once more before. The caller makes sure
    that the stream has passed the last chunk, and that no batch is in progress."""
    drop_tombstones(context, try_again=True)


def drop_tombstones(context: RunContext, *, try_again: bool = False) -> None:
    """Drops all tombstones. `try_again`: as in `forget_deletes`."""
    plan = context.plan

    def forget(shard: int, connection: Connection[Any]) -> None:
        for table in plan.in_chunks:
            if try_again and table.deletes.delay is not None and shard in plan.shards(table):
                _try_again(plan, table, connection)
            execute(connection, f"DELETE FROM {quote(table.ours.tombstone)}")
            if table.placement.parent is not None:
                execute(connection, f"DELETE FROM {quote(table.placement.parent.excluded)}")

    failpoint("before-tombstones-dropped")
    for shard, connection in context.servers.each_shard():
        context.writer.transaction(connection, lambda c, shard=shard: forget(shard, c))  # type: ignore[misc]
        failpoint("after-tombstones-dropped")


def _try_again(plan: Plan, table: TablePlan, connection: Connection[Any]) -> None:
    statement = plan.step(table.logical, StepName.DELETE).statement("again")
    for part, suffix in enumerate(plan.parts(table)):
        set_variables(connection, sw_part=part)
        execute(connection, at_place(statement, rows_database(connection), suffix))
