"""How do the targets follow a TRUNCATE of the source: may their rows go, and how do they go?

Runs in the driver, while no batch is in progress. Reads ledger and shards; deletes the table's rows on every shard, in
small transactions. A TRUNCATE on the shards would commit by itself, also when a newer run has taken over.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import pymysql

from shardwright.compiler.ddl.source.logged_change import CannotFollow, LoggedChange
from shardwright.compiler.plan.plan import at_place
from shardwright.runtime.events.stream import TableEmptied
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.dead_letters import read_dead_letters
from shardwright.runtime.ledger.stream_ddl import read_start
from shardwright.runtime.mysql.errors import REFERENCED
from shardwright.runtime.mysql.transactions import execute
from shardwright.runtime.sources.logged_statement import LoggedStatement
from shardwright.runtime.stream.apply.ceiling import DeleteCeilings
from shardwright.specs.findings.remedies import RECOPY


@dataclass(frozen=True)
class Emptying:
    """Empties the target tables of a source table that was emptied."""

    context: RunContext
    ceilings: DeleteCeilings
    """A TRUNCATE deletes all rows of its table."""
    may_write: Callable[[], bool] = lambda: True
    """Asked before each transaction; may wait. False: the run is being stopped."""
    on_step: Callable[[], object] = lambda: None
    """Called after each transaction."""
    shards_at_once: int = 8

    def objection(self, found: LoggedStatement, change: LoggedChange, *, copying: bool) -> CannotFollow | None:
        """Why the targets' rows may not go. Raises Refused while rows are copied (SW8557), and where they are more than
        the delete ceiling (SW6003)."""
        assert change.emptied is not None
        if not change.emptied.delete and not change.emptied.objection:
            return None  # the targets keep their rows
        why = change.emptied.objection or self._why_not(found, change)
        if why:
            why = f"{change.words}, and the targets' rows cannot follow: {why}"
            return CannotFollow("SW8542", why, understood=True)
        if copying:
            raise Refused(
                "SW8557",
                f"{found.where}: {change.words} while rows are still copied. A chunk that was read before it may be "
                "written after it. Everything before it is applied. To skip it, and copy what the source has now: "
                f"{RECOPY} {change.logical} --allow {found.code}@{found.place}",
            )
        if read_start(self.context.control, self.context.migration, found.place) != "apply":
            self.ceilings.check_all(self.context.plan.table(change.logical), where=found.where)
        return None

    def _why_not(self, found: LoggedStatement, change: LoggedChange) -> str:
        if found.after.may_bring_earlier:
            return "a queue may bring rows from before it once more"
        if found.of_session:
            return "it may be about a temporary table of that session"
        letters = read_dead_letters(self.context.control, self.context.migration)
        if any(letter.held.logical == change.logical for letter in letters):
            return f"{change.logical} has dead letters"
        return ""

    def execute(self, change: LoggedChange) -> bool:
        """Deletes what is left of the rows. Returns False when the run is being stopped before that is done."""
        assert change.emptied is not None
        if not change.emptied.delete:
            return True
        shards = self.context.plan.shards(self.context.plan.table(change.logical))
        with ThreadPoolExecutor(max_workers=self.shards_at_once, thread_name_prefix="empty") as pool:
            rows = list(pool.map(partial(self._on_shard, change), shards))
        gone = sum(count for count in rows if count is not None)
        done = None not in rows
        self.context.emit(TableEmptied(change.logical, change.words, gone, complete=done))
        return done

    def _on_shard(self, change: LoggedChange, shard: int) -> int | None:
        """Returns how many rows were there; None when the run is being stopped."""
        assert change.emptied is not None
        plan, database, gone = self.context.plan, self.context.plan.databases[shard], 0
        connection = self.context.servers.connect_shard(shard)
        try:
            self.context.writer.record(connection)
            for suffix in plan.parts(plan.table(change.logical)):
                statement = at_place(change.emptied.delete, database, suffix)
                while True:
                    if not self.may_write():
                        return None
                    failpoint("before-rows-emptied", database)
                    deleted = self.context.writer.transaction(connection, partial(execute, sql=statement))
                    failpoint("after-rows-emptied", database)
                    self.on_step()
                    if not deleted:
                        break
                    gone += deleted
        except pymysql.err.MySQLError as error:
            if not error.args or error.args[0] not in REFERENCED:
                raise
            message = f"{database}: {change.logical} cannot be emptied: {error.args[-1]}: drop the foreign key first"
            raise Refused("SW8142", message) from error
        finally:
            connection.close()
        return gone
