"""How is a staged batch applied whose rows may be quarantined? A row that a target refuses leaves the batch, and the
batch continues without it (C1).

Runs in the driver; writes the shards' stages, the dead letters' table, and what `Applier` writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import StepName
from shardwright.compiler.sql.sql_text import quoted
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.dead_letters import DeadLetter, Place, add_places
from shardwright.runtime.mysql.keys import with_keys
from shardwright.runtime.mysql.rejected_rows import key_of, refused_staged
from shardwright.runtime.mysql.transactions import execute, query, set_variables
from shardwright.runtime.stream.apply.apply import Applier
from shardwright.runtime.stream.apply.statements import RowRefused, StagedBatch, UniqueCollision
from shardwright.runtime.stream.quarantine.held_rows import DeadLetters, Refusal

_PASSES_WITHIN: Final = 60.0
"""In seconds: so far may the logs of two shards be apart."""


@dataclass(frozen=True, slots=True)
class QuarantiningApplier:
    """`applier` applies; `dead_letters` has the rows without which it continues."""

    applier: Applier
    dead_letters: DeadLetters

    @property
    def _context(self) -> RunContext:
        return self.dead_letters.context

    def apply(self, staged: StagedBatch) -> None:
        """Applies a staged batch; a row that collides with one outside the batch, or that a target refuses, leaves it
        for the quarantine."""
        self._take_out(staged.batch)  # what an earlier run has quarantined and not yet removed
        while True:
            retrying = False
            try:
                self.applier.apply(staged)
            except UniqueCollision as collision:
                if collision.key is None:
                    raise
                kinds = [column.type for column in self._context.plan.table(collision.logical).key_columns]
                key = key_of(collision.key, kinds)
                retrying = self._may_pass(collision.logical, key)
                if not retrying:
                    self._require_may_hold(collision.logical, key, collision)
                refusals = self.dead_letters.refusals(collision.logical, key, "SW8303", reason=collision.message)
            except RowRefused as refused:
                refusals = self._found(refused, staged.batch)
            else:
                return
            self.dead_letters.hold(refusals, batch=staged.batch, retrying=retrying)
            self._take_out(staged.batch)

    def _may_pass(self, logical: str, key: Sequence[str]) -> bool:
        """On the way back the other row may have given its value away already, on another shard whose log says so
        later. So the row is read again for a while, before it counts as refused."""
        if self._context.plan.direction == "forward":
            return False
        return self.dead_letters.age(logical, key) < _PASSES_WITHIN

    def _require_may_hold(self, logical: str, key: Sequence[str], failure: Refused) -> None:
        """Allows rows of tables with `errors: quarantine`, and rows that an operator asked to have read again: these
        must not stop a run."""
        if logical not in self._context.plan.quarantine and not self.dead_letters.waits_for_retry(logical, key):
            raise failure

    def _found(self, refused: RowRefused, batch: int) -> list[Refusal]:
        """The rows that were refused, all of tables whose rows may be quarantined."""
        connection = self._context.servers.connect_shard(refused.shard)
        found: list[tuple[str, Sequence[str], str]] = []
        try:
            for item in refused.work:
                table = self._context.plan.table(item.logical)
                name = self._context.plan.physical_name(table, refused.shard, item.part)
                physical = ".".join(map(quoted, name.split(".", 1)))
                for key, why in refused_staged(connection, table, batch, part=item.part, physical=physical):
                    self._require_may_hold(item.logical, key, refused)
                    found.append((item.logical, key, why))
        finally:
            connection.close()
        if not found:
            raise refused
        return self.dead_letters.refused(found)

    def _take_out(self, batch: int) -> None:
        """Rows of keys that this batch has quarantined leave its stages, on every shard; their places there are kept
        first."""
        dead_letters = [dead_letter for dead_letter in self.dead_letters.by_key.values() if dead_letter.batch == batch]
        if not dead_letters:
            return
        for dead_letter in dead_letters:
            self._keep_staged_places(dead_letter, batch)
        for _, connection in self._context.servers.each_shard():

            def remove(connection: Connection[Any]) -> None:
                set_variables(connection, sw_batch=batch)
                for dead_letter in dead_letters:
                    execute(connection, self._statement(connection, "unstage", dead_letter))

            self._context.writer.transaction(connection, remove)
            failpoint("after-held-row-taken-out")

    def _keep_staged_places(self, dead_letter: DeadLetter, batch: int) -> None:
        found: set[Place] = set()
        for shard, connection in self._context.servers.each_shard():
            set_variables(connection, sw_batch=batch)
            statement = self._statement(connection, "staged_parts", dead_letter)
            found |= {(shard, int(part)) for (part,) in query(connection, statement)}

        def record(connection: Connection[Any]) -> None:
            add_places(connection, self._context.migration, dead_letter, frozenset(found))

        self._context.transaction(record)
        self.dead_letters.read()

    def _statement(self, connection: Connection[Any], name: str, dead_letter: DeadLetter) -> str:
        plan, held = self._context.plan, dead_letter.held
        kinds = [column.type for column in plan.table(held.logical).key_columns]
        statement = plan.step(held.logical, StepName.DELETE).statement(name)
        return with_keys(statement, connection, kinds, [held.key])
