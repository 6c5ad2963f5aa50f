"""How does a staged batch take effect? Each sub-step runs on all shards in parallel, each shard's share in one
transaction, ledger row first. Nothing but the plan's SQL over the stages is executed; a crash between any two sub-steps
resumes exactly.

Runs in the driver, in threads; writes to every shard that has work, in one transaction for each sub-step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, Step, StepName, TablePlan, with_suffix
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused, RuntimeFailure, StoppedPartWay
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.ledger.members import record_batch
from shardwright.runtime.ledger.stage_summary import Summary
from shardwright.runtime.ledger.steps import AlreadyRecorded, record_step, recorded_steps, retain_steps
from shardwright.runtime.mysql.errors import DUP_ENTRY, is_about_a_value
from shardwright.runtime.mysql.keys import set_key
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import execute, query, set_variables
from shardwright.runtime.mysql.transient_errors import as_trouble, passes
from shardwright.runtime.sources.position import StreamPosition
from shardwright.runtime.sources.row_owners import incoming_wins, owner_conflicts
from shardwright.runtime.stream.apply.substeps import PartWork, SubStep, last_substeps, part_work, substeps

LogLine = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class StagedBatch:
    """A batch whose decisions are durable on all shards."""

    batch: int
    work: Mapping[int, Summary]
    """Shard number -> what the shard has to do."""
    end: StreamPosition
    """Where the batch's range ends."""
    copying: bool
    """Chunks may still arrive or be ahead of the stream, so copied rows are superseded."""
    remembering: bool
    """Whether deletes leave tombstones."""


class UniqueCollision(Refused):
    """A row of the batch has a unique value that a row outside it holds. `key` are our row's key columns in the
    driver's types; None when the colliding row was not found."""

    def __init__(self, message: str, logical: str, key: tuple[Any, ...] | None) -> None:
        super().__init__("SW8303", message)
        self.logical = logical
        self.key = key


class RowRefused(Refused):
    """A target does not take a value of a staged row, on this shard, among these physical tables."""

    def __init__(self, message: str, shard: int, work: tuple[PartWork, ...]) -> None:
        super().__init__("SW8511", message)
        self.shard = shard
        self.work = work


@dataclass
class Applier:
    """Applies staged batches. Holds one connection per shard for the whole run."""

    plan: Plan
    """The compiled plan of the migration."""
    servers: Servers
    """The addresses of source servers and shards."""
    writer: Writer
    """Checks the fencing token in every transaction."""
    log_line: LogLine = lambda _sentence: None
    """Called with a line for the operator."""
    parallel: int = 8
    """How many shards work at the same time."""
    _connections: dict[int, Connection[Any]] = field(default_factory=dict)

    def apply(self, staged: StagedBatch) -> None:
        """Runs every sub-step that the ledgers do not show as done. Raises StoppedPartWay when a shard cannot
        continue."""
        tables = {table.logical: table for table in self.plan.applied}
        done = {shard: self._recorded(shard, staged.batch) for shard in staged.work}
        last = last_substeps(self.plan.applied, staged.work)
        with ThreadPoolExecutor(max_workers=self.parallel, thread_name_prefix="apply") as pool:
            for substep in substeps(self.plan.applied, staged.work):
                owed = [
                    (shard, work)
                    for shard, summary in sorted(staged.work.items())
                    if substep.name not in done[shard] and (work := part_work(substep, tables, summary))
                ]
                futures = [
                    pool.submit(self._on_shard, shard, staged, substep, work, is_last=last[shard] == substep)
                    for shard, work in owed
                ]
                _wait_all(future.exception() for future in futures)

    def close(self) -> None:
        for connection in self._connections.values():
            if connection.open:
                connection.close()
        self._connections.clear()

    def _recorded(self, shard: int, batch: int) -> frozenset[str]:
        return recorded_steps(self._connection(shard), self.plan.migration, batch)

    def _connection(self, shard: int) -> Connection[Any]:
        connection = self._connections.get(shard)
        if connection is None or not connection.open:
            connection = self.servers.connect_shard(shard)
            self.writer.record(connection)
            self._connections[shard] = connection
        return connection

    def _on_shard(
        self, shard: int, staged: StagedBatch, substep: SubStep, work: tuple[PartWork, ...], *, is_last: bool
    ) -> None:
        connection = self._connection(shard)
        database = self.servers.databases[shard]
        try:
            for item in work:
                self._outside(connection, item, substep, "stash_table")

            def transaction(connection: Connection[Any]) -> None:
                record_step(connection, self.plan.migration, staged.batch, step=substep.name)
                for item in work:
                    self._apply_part(connection, staged, substep, item)
                if is_last:
                    record_batch(connection, self.plan.migration, staged.batch, end=staged.end)
                retain_steps(connection, self.plan.migration, staged.batch)

            failpoint(f"before-{substep.place}", database)
            self.writer.transaction(connection, transaction)
            failpoint(f"after-{substep.place}", database)
        except AlreadyRecorded:
            return
        except pymysql.err.MySQLError as error:
            if is_about_a_value(error):
                message = f"{database}: batch {staged.batch}, {substep.name}: {error.args[1]}"
                raise RowRefused(message, shard, work) from error
            raise self._failure(connection, shard, staged, substep=substep, work=work, error=error) from error
        finally:
            if connection.open:
                for item in work:
                    self._outside(connection, item, substep, "drop_stash_table")

    def _failure(
        self,
        connection: Connection[Any],
        shard: int,
        staged: StagedBatch,
        *,
        substep: SubStep,
        work: tuple[PartWork, ...],
        error: pymysql.err.MySQLError,
    ) -> RuntimeFailure:
        database = self.servers.databases[shard]
        if isinstance(error, pymysql.err.IntegrityError):
            if error.args[0] == DUP_ENTRY:
                return self._collision(connection, database, staged, substep, work, error)
            return Refused("SW8301", f"{database}: batch {staged.batch}, {substep.name}: {error.args[1]}")
        if passes(error):
            return as_trouble(error, f"{database}: batch {staged.batch}, {substep.name}")
        number = error.args[0] if error.args else None
        text = error.args[1] if len(error.args) > 1 else str(error)
        message = f"{database}: batch {staged.batch}, {substep.name}: error {number}: {text}"
        return StoppedPartWay("SW8302", message)

    def _outside(self, connection: Connection[Any], item: PartWork, substep: SubStep, name: str) -> None:
        """Temporary tables are made before the transaction and dropped after it, one per physical table."""
        step = self.plan.step(item.logical, StepName.UPSERT)
        if substep.action in ("upsert", "deferred") and step.has(name):
            self._run(connection, step, name, item)

    def _apply_part(self, connection: Connection[Any], staged: StagedBatch, substep: SubStep, item: PartWork) -> None:
        if substep.action in ("delete", "move_out"):
            self._delete(connection, staged, item, substep.action)
            return
        if item.rows:
            self._upsert(connection, staged, item, substep.action)

    def _delete(self, connection: Connection[Any], staged: StagedBatch, item: PartWork, action: str) -> None:
        step = self.plan.step(item.logical, StepName.DELETE)
        set_variables(connection, sw_batch=staged.batch, sw_part=item.part, sw_action=action)
        if staged.remembering and step.has("remember"):
            self._run(connection, step, "remember", item)
        self._run(connection, step, "delete", item)
        if step.has("release_owner"):
            self._run(connection, step, "release_owner", item)

    def _upsert(self, connection: Connection[Any], staged: StagedBatch, item: PartWork, action: str) -> None:
        step = self.plan.step(item.logical, StepName.UPSERT)
        if staged.remembering and step.has("delete_early"):
            self._remember_deletes(connection, staged, item)
        set_variables(connection, sw_batch=staged.batch, sw_part=item.part, sw_action=action)
        names = [statement.name for statement in step.statements]
        skipped = {
            "stash_table",
            "drop_stash_table",
            "collision",
            "owner_conflicts",
            "batch_conflicts",
            "skip_incoming",
        }
        if step.has("owner_conflicts"):
            self._resolve_owner_conflicts(connection, step, item)
        if not staged.remembering:
            skipped.add("forget_tombstones")
        if not staged.copying:
            skipped.add("yield_to_stream")
        skipped.add("defer" if action == "deferred" else "free_values")
        if not item.all_new or staged.copying:  # a chunk may have brought them
            skipped.add("insert_new")
        for name in names:
            if name == "insert_new" and name not in skipped:
                skipped |= self._insert_new(connection, step, item)
            elif name not in skipped:
                affected = self._run(connection, step, name, item)
                while affected and name == "defer":  # a row may need the value of a deferred one
                    affected = self._run(connection, step, name, item)
                if name == "insert" and affected == item.rows:
                    skipped.add("update")  # all of them have just been inserted: no earlier row remains
                if affected and name == "yield_to_stream":
                    self.log_line(f"{item.logical}, batch {staged.batch}: {affected} copied rows yielded to the stream")

    def _insert_new(self, connection: Connection[Any], step: Step, item: PartWork) -> set[str]:
        """Returns the statements that need not run any more."""
        try:
            self._run(connection, step, "insert_new", item)
        except pymysql.err.IntegrityError as error:
            if error.args[0] != DUP_ENTRY:
                raise
            return set()  # the statement alone has been rolled back
        return {"insert", "update"}

    def _resolve_owner_conflicts(self, connection: Connection[Any], step: Step, item: PartWork) -> None:
        """Resolves keys that come from one source table while another one's row is on the shard: the source is asked
        which of them it is."""
        table = self.plan.table(item.logical)
        row_sql = self.plan.step(item.logical, StepName.VERIFY_SOURCE).statement("row")
        for name in ("owner_conflicts", "batch_conflicts"):
            found = owner_conflicts(
                query(connection, with_suffix(step.statement(name), self._suffix(table, item.part)))
            )
            winners = incoming_wins(self.servers, table, row_sql, found=found) if found else []
            for conflict, wins in zip(found, winners, strict=True):
                if wins and name == "owner_conflicts":
                    continue  # the upsert takes the row over
                set_key(connection, "sw_key", conflict.key)
                set_variables(connection, sw_source=conflict.owner if wins else conflict.incoming)
                self._run(connection, step, "skip_incoming", item)

    def _remember_deletes(self, connection: Connection[Any], staged: StagedBatch, item: PartWork) -> None:
        """Rows that `delete_early` removes must not come back with a chunk meanwhile."""
        step = self.plan.step(item.logical, StepName.DELETE)
        if step.has("remember"):
            set_variables(connection, sw_batch=staged.batch, sw_part=item.part, sw_action="delete")
            self._run(connection, step, "remember", item)

    def _run(self, connection: Connection[Any], step: Step, name: str, item: PartWork) -> int:
        suffix = self._suffix(self.plan.table(item.logical), item.part)
        return execute(connection, with_suffix(step.statement(name), suffix))

    def _suffix(self, table: TablePlan, part: int) -> str:
        return self.plan.parts(table)[part]

    def _collision(
        self,
        connection: Connection[Any],
        database: str,
        staged: StagedBatch,
        substep: SubStep,
        work: tuple[PartWork, ...],
        error: pymysql.err.IntegrityError,
    ) -> Refused:
        """Names both rows of a unique collision (C6): ours from the stage, the foreign one from the table."""
        for item in work:
            step = self.plan.step(item.logical, StepName.UPSERT)
            if not step.has("collision"):
                continue
            table = self.plan.table(item.logical)
            set_variables(connection, sw_batch=staged.batch, sw_part=item.part, sw_action=substep.action)
            sql = with_suffix(step.statement("collision"), self._suffix(table, item.part))
            for row in query(connection, sql):
                ours, theirs = row[: len(table.key)], row[len(table.key) :]
                physical = f"{database}.{item.logical}{self._suffix(table, item.part)}"
                return UniqueCollision(
                    f"{physical}: row {_key(ours)} of the stream has a unique value that row {_key(theirs)} holds "
                    f"already ({error.args[1]}); row {_key(theirs)} is not in this batch: find out who wrote it, then "
                    "run again",
                    item.logical,
                    ours,
                )
        return UniqueCollision(
            f"{database}: batch {staged.batch}, {substep.name}: {error.args[1]}", work[0].logical, None
        )


def _key(values: tuple[Any, ...]) -> str:
    return "(" + ", ".join(str(value) for value in values) + ")"


def _wait_all(failures: Iterable[BaseException | None]) -> None:
    """All shards finish or fail before a failure is raised: a refusal first, since it says most."""
    raised = [failure for failure in failures if failure is not None]
    if raised:
        raise min(raised, key=lambda failure: 0 if isinstance(failure, Refused) else 1)
