"""How is a staged batch applied whose rows may be quarantined? A row that a target refuses leaves the batch, and the
batch continues without it (C1).

Runs in the driver; writes the shards' stages, the dead letters' table, and what `Applier` writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import StepName
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.dead_letters import DeadLetter, Place, add_places
from shardwright.runtime.mysql.keys import with_keys
from shardwright.runtime.mysql.rejected_rows import RefusedRow, find_refused_staged
from shardwright.runtime.mysql.transactions import execute, query, set_variables
from shardwright.runtime.stream.apply.apply import Applier
from shardwright.runtime.stream.apply.statements import CollidingPair, RowRefused, StagedBatch, UniqueCollision
from shardwright.runtime.stream.quarantine.conflicts import Row
from shardwright.runtime.stream.quarantine.dead_letters import DeadLetters, Quarantine, Refusal


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
            try:
                self.applier.apply(staged)
            except UniqueCollision as collision:
                quarantine = self._of_collision(collision, staged)
            except RowRefused as refused:
                quarantine = Quarantine(held=self._find_refused(refused, staged.batch))
            else:
                return
            self.dead_letters.hold(quarantine, batch=staged.batch)
            self._take_out(staged.batch)
            staged = replace(staged, is_fresh=False)

    def _of_collision(self, collision: UniqueCollision, staged: StagedBatch) -> Quarantine:
        """Which rows leave the batch. At least one does, so that the batch comes to an end."""
        if self._context.in_rounds:
            return self._of_two_writers(collision, staged)
        if self._context.plan.direction.reads_shards:
            quarantine = self._between_shards(collision.pairs) or self._by_trial(collision, staged)
            if quarantine:
                return quarantine
        if not collision.pairs:
            raise collision
        pair = collision.pairs[0]
        self._require_may_hold(pair.logical, pair.ours, collision)
        return Quarantine(held=self.dead_letters.refusals(pair.logical, pair.ours, "SW8303", reason=pair.message))

    def _of_two_writers(self, collision: UniqueCollision, staged: StagedBatch) -> Quarantine:
        """Each side has given the value to another row. None is read again: the other side's change would be lost."""
        rows = dict[Row, str]()
        for pair in collision.pairs:
            if not (pair.is_inside and (pair.logical, pair.theirs) in rows):  # of two rows of the batch one gets it
                rows[pair.logical, pair.ours] = pair.message
        rows = rows or dict.fromkeys(self.applier.find_colliding(staged, collision), collision.message)
        if not rows:
            raise collision
        return Quarantine(held=self._refusals(rows))

    def _between_shards(self, pairs: Sequence[CollidingPair]) -> Quarantine:
        """On the way back the other row may have given its value away already, on another shard whose log says so
        later, or in a later batch. So both rows are read again from the shards, and they come to the source together.
        A pair that the shards themselves have, and keep, is one dead letter: the source's row goes on."""
        held, retried = dict[Row, str](), dict[Row, str]()
        for pair in pairs:
            ours, theirs = (pair.logical, pair.ours), (pair.logical, pair.theirs)
            if {ours, theirs} & held.keys():
                continue
            is_read = self._is_read(ours) and (self._is_read(theirs) or not self._is_migrated(pair))
            if is_read and self.dead_letters.conflicts.is_at_rest(ours, theirs):
                held[ours] = pair.message
                continue
            retried[ours] = pair.message
            if self._is_migrated(pair):
                retried[theirs] = pair.message
        left = {row: reason for row, reason in retried.items() if row not in held}
        return Quarantine(self._refusals(held), self._refusals(left))

    def _by_trial(self, collision: UniqueCollision, staged: StagedBatch) -> Quarantine:
        """Where no statement names the other row: it may have given the value away, too."""
        held, retried = dict[Row, str](), dict[Row, str]()
        for row in self.applier.find_colliding(staged, collision):
            is_at_rest = self._is_read(row) and self.dead_letters.conflicts.is_at_rest(row)
            (held if is_at_rest else retried)[row] = collision.message
        return Quarantine(self._refusals(held), self._refusals(retried))

    def _is_read(self, row: Row) -> bool:
        """Whether this batch has the row as the shards had it a moment ago."""
        return any(held.row == row for held in self.dead_letters.answering)

    def _is_migrated(self, pair: CollidingPair) -> bool:
        """Whether the row that holds the value is one of the shards'. The source has others where the spec has a row
        filter, and these stay as they are."""
        return pair.is_inside or self._context.plan.table(pair.logical).source.where is None

    def _refusals(self, rows: Mapping[Row, str]) -> list[Refusal]:
        found = (self.dead_letters.refusals(*row, "SW8303", reason=reason) for row, reason in rows.items())
        return [item for items in found for item in items]

    def _require_may_hold(self, logical: str, key: Sequence[str], failure: Refused) -> None:
        """Allows rows of tables with `errors: quarantine`, and rows that an operator asked to have read again: these
        must not stop a run."""
        if logical not in self.dead_letters.may_hold and not self.dead_letters.waits_for_retry(logical, key):
            raise failure

    def _find_refused(self, refused: RowRefused, batch: int) -> list[Refusal]:
        """The rows that were refused, all of tables whose rows may be quarantined."""
        connection = self._context.servers.connect_shard(refused.shard)
        found: list[RefusedRow] = []
        try:
            for item in refused.work:
                table = self._context.plan.table(item.logical)
                name = self._context.plan.physical_name(table, refused.shard, item.part)
                physical = ".".join(map(quote, name.split(".", 1)))
                for key, why in find_refused_staged(connection, table, batch, part=item.part, physical=physical):
                    self._require_may_hold(item.logical, key, refused)
                    found.append(RefusedRow(item.logical, key, why))
        finally:
            connection.close()
        if not found:
            raise refused
        return self.dead_letters.refusals_of(found)

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
