"""How does a staged batch take effect? Each sub-step runs on all shards in parallel, each shard's share in one
transaction, ledger row first. Nothing but the plan's SQL over the stages is executed; a crash between any two sub-steps
resumes exactly.

Runs in the driver, in threads; writes to every shard that has work, in one transaction for each sub-step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.events.event import Emit, ignore
from shardwright.runtime.events.stream import RowsLocked
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.ledger.members import record_batch
from shardwright.runtime.ledger.steps import AlreadyRecorded, read_steps, record_step, retain_steps
from shardwright.runtime.mysql.all_shards import work_at_once
from shardwright.runtime.mysql.errors import DUP_ENTRY, is_about_a_value
from shardwright.runtime.mysql.keys import Key
from shardwright.runtime.mysql.rejected_rows import keep_staged, read_staged_keys
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.stream.apply.connections import ShardConnections
from shardwright.runtime.stream.apply.statements import OnShard, RowRefused, StagedBatch, UniqueCollision
from shardwright.runtime.stream.apply.substeps import PartWork, SubStep, last_substeps, part_work, substeps


@dataclass
class Applier:
    """Applies staged batches, over connections that it holds for the whole run (`ShardConnections`)."""

    plan: Plan
    """The compiled plan of the migration."""
    servers: Servers
    """The addresses of source servers and shards."""
    writer: Writer
    """Checks the fencing token in every transaction."""
    emit: Emit = ignore
    """Reports an event to the operator."""
    parallel: int = 8
    """How many shards work at the same time."""
    _connections: ShardConnections = field(init=False)

    def __post_init__(self) -> None:
        self._connections = ShardConnections(self.servers, self.writer)

    def apply(self, staged: StagedBatch) -> None:
        """Runs every sub-step that the ledgers do not show as done. Raises StoppedPartWay when a shard cannot
        continue."""
        tables = {table.logical: table for table in self.plan.target_tables}
        shards = [*staged.work]
        asked = [] if staged.is_fresh else shards
        steps = work_at_once(lambda shard: self._read_steps(shard, staged.batch), asked)
        done = dict.fromkeys(shards, frozenset[str]()) | dict(zip(asked, steps, strict=True))
        last = last_substeps(self.plan.target_tables, staged.work)
        for substep in substeps(self.plan.target_tables, staged.work):
            owed = {
                shard: work
                for shard, summary in sorted(staged.work.items())
                if substep.name not in done[shard] and (work := part_work(substep, tables, summary))
            }
            work_at_once(partial(self._on_shard, staged, substep, owed, last), [*owed], most=self.parallel)

        self._connections.rest()

    def find_colliding(self, staged: StagedBatch, collision: UniqueCollision) -> Iterator[tuple[str, Key]]:
        """Logical table and key of staged rows whose unique value the server refuses, by trial: nothing of it
        remains. A row may be named whose value another row of the batch would have freed."""
        with self._connections.to(collision.shard) as connection:
            here = OnShard(self.plan, self.servers, self.emit, staged, collision.substep, collision.shard, connection)
            for item in collision.work:
                table, action = self.plan.table(item.logical), collision.substep.action
                keys = read_staged_keys(connection, table, staged.batch, part=item.part, action=action)
                here.make_stashes([item])
                try:
                    while (found := self._first_refused(here, item, keys)) is not None:
                        yield item.logical, found
                        keys = [key for key in keys if key != found]
                finally:
                    here.drop_stash(item)

    def _first_refused(self, here: OnShard, item: PartWork, keys: Sequence[Key]) -> Key | None:
        """The last of the fewest rows, from the first one on, that the server refuses together; None where it takes all
        of them."""
        if not keys or not self._is_refused(here, item, keys):
            return None
        taken, refused = 0, len(keys)
        while refused - taken > 1:
            middle = (taken + refused) // 2
            if self._is_refused(here, item, keys[:middle]):
                refused = middle
            else:
                taken = middle
        return keys[refused - 1]

    def _is_refused(self, here: OnShard, item: PartWork, keys: Sequence[Key]) -> bool:
        """Whether the server refuses a unique value of these rows."""
        table, batch, action = self.plan.table(item.logical), here.staged.batch, here.substep.action

        def apply(connection: Connection[Any]) -> None:
            keep_staged(connection, table, batch, part=item.part, action=action, keys=keys)
            here.apply(replace(item, rows=len(keys)))
            raise _RollBack

        try:
            self.writer.transaction(here.connection, apply)
        except _RollBack:
            return False
        except pymysql.err.IntegrityError as error:
            if error.args[0] != DUP_ENTRY:
                raise
        return True

    def close(self) -> None:
        self._connections.close()

    def _read_steps(self, shard: int, batch: int) -> frozenset[str]:
        with self._connections.to(shard) as connection:
            return read_steps(connection, self.plan.migration, batch)

    def _on_shard(
        self,
        staged: StagedBatch,
        substep: SubStep,
        owed: Mapping[int, tuple[PartWork, ...]],
        last: Mapping[int, SubStep],
        shard: int,
    ) -> None:
        with self._connections.to(shard) as connection:
            here = OnShard(self.plan, self.servers, self.emit, staged, substep, shard, connection)
            self._apply(here, owed[shard], is_last=last[shard] == substep)

    def _apply(self, here: OnShard, work: tuple[PartWork, ...], *, is_last: bool) -> None:
        connection, staged, substep, shard = here.connection, here.staged, here.substep, here.shard
        database = self.servers.databases[shard]
        try:
            here.make_stashes(work)

            def transaction(connection: Connection[Any]) -> None:
                record_step(connection, self.plan.migration, staged.batch, step=substep.name)
                for item in work:
                    here.apply(item)
                if is_last:
                    record_batch(connection, self.plan.migration, staged.batch, end=staged.end)
                retain_steps(connection, self.plan.migration, staged.batch)

            failpoint(f"before-{substep.place}", database)
            self.writer.transaction(
                connection, transaction, on_lock_wait=lambda error: self.emit(RowsLocked(database, staged.batch, error))
            )
            failpoint(f"after-{substep.place}", database)
        except AlreadyRecorded:
            return
        except pymysql.err.MySQLError as error:
            if is_about_a_value(error):
                message = f"{database}: batch {staged.batch}, {substep.name}: {error.args[1]}"
                raise RowRefused(message, shard, work) from error
            raise here.failure(work, error) from error
        finally:
            if connection.open:
                for item in work:
                    here.drop_stash(item)


class _RollBack(Exception):
    """Rolls a transaction back."""
