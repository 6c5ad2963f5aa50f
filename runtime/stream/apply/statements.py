"""Which statements does one sub-step of a staged batch run on one shard, and what does a failure of one say?

Runs in a thread of the driver, within the transaction that `apply` opens; writes one shard.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, Step, StepName, at_place
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.events.event import Emit
from shardwright.runtime.events.stream import CopiedRowsYielded
from shardwright.runtime.failures import Refused, RuntimeFailure, StoppedPartWay
from shardwright.runtime.ledger.stage_summary import Summary
from shardwright.runtime.mysql.errors import DUP_ENTRY
from shardwright.runtime.mysql.joining import has_waited
from shardwright.runtime.mysql.keys import Key, set_key
from shardwright.runtime.mysql.rejected_rows import key_of
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import (
    ReadTooEarly,
    decode_text,
    execute,
    execute_later,
    query,
    query_together,
    set_variables,
)
from shardwright.runtime.mysql.transient_errors import as_trouble, passes
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.row_owners import incoming_wins, owner_conflicts
from shardwright.runtime.stream.apply.substeps import PartWork, SubStep

_FEW_ROWS: Final = 1_000
_NUMBER = re.compile(r"_[0-9]+\Z")
_COLUMNS = re.compile(r"(`t`\.|)`\$\{columns\}`")


@dataclass(frozen=True, slots=True)
class StagedBatch:
    """A batch whose decisions are durable on all shards."""

    batch: int
    """Its number."""
    work: Mapping[int, Summary]
    """Shard number -> what the shard has to do."""
    end: StreamPosition
    """Where the batch's range ends."""
    copying: bool
    """Chunks may still arrive or be ahead of the stream, so copied rows are superseded."""
    remembering: bool
    """Whether deletes leave tombstones."""
    is_fresh: bool = False
    """This run has just staged it, so no sub-step of it was applied."""


@dataclass(frozen=True, slots=True)
class CollidingPair:
    """Two rows of one physical table that have one unique value. The keys are in the form of the plan's Spark SQL."""

    logical: str
    ours: Key
    """The row of the batch."""
    theirs: Key
    """The row that has the value."""
    is_inside: bool
    """Whether the batch writes both rows."""
    message: str
    """Names both rows and the unique key, for the operator."""


class UniqueCollision(Refused):
    """Rows of the batch have unique values of other rows. `pairs` are as many of them as one statement lists. There is
    none where the key of the values reads columns that the batch does not bring."""

    def __init__(self, message: str, pairs: tuple[CollidingPair, ...], at: OnShard, work: tuple[PartWork, ...]) -> None:
        super().__init__("SW8303", message)
        self.pairs = pairs
        self.substep, self.shard, self.work = at.substep, at.shard, work


class RowRefused(Refused):
    """A target does not take a value of a staged row, on this shard, among these physical tables."""

    def __init__(self, message: str, shard: int, work: tuple[PartWork, ...]) -> None:
        super().__init__("SW8511", message)
        self.shard = shard
        self.work = work


@dataclass(frozen=True, slots=True)
class OnShard:
    """One sub-step on one shard."""

    plan: Plan
    """The compiled plan of the migration."""
    servers: Servers
    """The addresses of source servers and shards."""
    emit: Emit
    """Reports an event to the operator."""
    staged: StagedBatch
    """The batch."""
    substep: SubStep
    """What is done of it."""
    shard: int
    """Where it is done."""
    connection: Connection[Any]
    """To the shard."""
    _written: dict[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)
    """Logical table and part -> the columns of the physical table that take values, where whole rows are stashed."""

    def failure(self, work: tuple[PartWork, ...], error: pymysql.err.MySQLError) -> RuntimeFailure:
        """What the operator reads of a statement that failed."""
        where = f"{self._ledger}: batch {self.staged.batch}, {self.substep.name}"
        if isinstance(error, pymysql.err.IntegrityError):
            if error.args[0] == DUP_ENTRY:
                return self._collision(work, error)
            return Refused("SW8301", f"{where}: {error.args[1]}")
        if passes(error):
            return as_trouble(error, where)
        number = error.args[0] if error.args else None
        text = error.args[1] if len(error.args) > 1 else str(error)
        return StoppedPartWay("SW8302", f"{where}: error {number}: {text}")

    def make_stashes(self, work: Sequence[PartWork]) -> None:
        """Temporary tables are made before the transaction, one per physical table."""
        stashed = [(self._upsert_step(item), item) for item in work if self._has_stash(item)]
        asked = [(self._sql(step, "written_columns", item), None) for step, item in stashed]
        for (step, item), found in zip(stashed, query_together(self.connection, *asked), strict=True):
            self._written[item.logical, item.part] = tuple(str(decode_text(column)) for (column,) in found)
            self._run(step, "stash_table", item)

    def drop_stash(self, item: PartWork) -> None:
        """After the transaction."""
        if self._has_stash(item):
            self._run(self._upsert_step(item), "drop_stash_table", item)

    def _has_stash(self, item: PartWork) -> bool:
        is_upsert = self.substep.action in ("upsert", "deferred")
        return is_upsert and bool(item.rows) and self._upsert_step(item).has("stash_table")

    def _upsert_step(self, item: PartWork) -> Step:
        return self.plan.step(item.logical, StepName.UPSERT)

    def apply(self, item: PartWork) -> None:
        """Runs within the transaction of the sub-step."""
        if self.substep.action in ("delete", "move_out"):
            self._delete(item)
            return
        if item.rows:
            self._upsert(item)

    def _delete(self, item: PartWork) -> None:
        step = self.plan.step(item.logical, StepName.DELETE)
        set_variables(self.connection, sw_batch=self.staged.batch, sw_part=item.part, sw_action=self.substep.action)
        if self.staged.remembering and step.has("remember"):
            self._run_later(step, "remember", item)
        if step.has("remove_one"):
            self._remove_one_by_one(step, item)
            return
        self._run_later(step, "delete", item)
        if step.has("release_owner"):
            self._run_later(step, "release_owner", item)

    def _remove_one_by_one(self, step: Step, item: PartWork) -> None:
        """Of a table without a key: each staged line takes one row away. Raises Refused (SW8486) where none is left."""
        remove = self._sql(step, "remove_one", item)
        for name, number in (("batch", self.staged.batch), ("part", item.part)):
            remove = remove.replace(f"`${{{name}}}`", str(number))
        for line, file, offset in query(self.connection, self._sql(step, "leaving", item)):
            if execute(self.connection, remove.replace("`${line}`", str(int(line)))) != 1:
                physical = self.plan.physical_name(self.plan.table(item.logical), self.shard, item.part)
                raise Refused(
                    "SW8486",
                    f"{physical}: the source has deleted or updated the row ({self._read_stage(step, item, line)}) in "
                    f"log file number {file}, position {offset}, and it is not there: another session has changed the "
                    "table. Insert it by hand, then run again",
                )

    def _read_stage(self, step: Step, item: PartWork, line: int) -> str:
        set_variables(self.connection, sw_line=int(line))
        (row,) = query(self.connection, self._sql(step, "row", item))
        columns = self.plan.table(item.logical).columns
        shown = ("(masked)" if c.is_masked else decode_text(v) for c, v in zip(columns, row, strict=True))
        return ", ".join("NULL" if text is None else text for text in shown)

    def _upsert(self, item: PartWork) -> None:
        step = self.plan.step(item.logical, StepName.UPSERT)
        if self.staged.remembering and statements_that(step, "delete_early"):
            self._remember_deletes(item)
        set_variables(self.connection, sw_batch=self.staged.batch, sw_part=item.part, sw_action=self.substep.action)
        names = [statement.name for statement in step.statements]
        skipped = {
            "written_columns",
            "stash_table",
            "drop_stash_table",
            "make_room",
            "collision",
            "collision_inside",
            "owner_conflicts",
            "batch_conflicts",
            "skip_incoming",
            "late_conflicts",
        }
        known = self._resolve_owner_conflicts(step, item) if step.has("owner_conflicts") else frozenset()
        if not self.staged.remembering:
            skipped.add("forget_tombstones")
        if not self.staged.copying:
            skipped.add("yield_to_stream")
        skipped.add("defer" if self.substep.action == "deferred" else "free_values")
        if not item.all_new or self.staged.copying:  # a chunk may have brought them
            skipped.add("insert_new")
        if not self.staged.copying:
            skipped.add("hold_owner")
        for name in names:
            does = what_it_does(name)
            if does == "insert_new" and does not in skipped:
                skipped |= self._insert_new(step, item)
            elif does == "defer" and does not in skipped:
                self._defer(step, item)
                skipped.add("defer")
            elif does not in skipped and self._waits_for_the_next(step, does, item):
                self._run_later(step, name, item)
            elif does not in skipped:
                affected = self._run_making_room(step, name, item)
                if name == "insert" and affected == item.rows:
                    skipped.add("update")  # all of them have just been inserted: no earlier row remains
                if name == "yield_to_stream":
                    self._report_yielded(item, affected)
                if name == "hold_owner":
                    self._require_no_late_conflict(step, item, known)

    def _waits_for_the_next(self, step: Step, does: str, item: PartWork) -> bool:
        """Whether it does not matter how many rows the statement affects, or which of them is refused. To update rows
        that were just inserted changes nothing, and few take less time than to ask."""
        if self.staged.copying and statements_that(step, "make_room"):
            return False
        return does not in ("yield_to_stream", "hold_owner") and (does != "insert" or item.rows <= _FEW_ROWS)

    def _defer(self, step: Step, item: PartWork) -> None:
        """Until no statement finds a row: one may need the value of another one that is deferred, by any unique key."""
        names = statements_that(step, "defer")
        while sum(self._run(step, name, item) for name in names):
            pass

    def _run_making_room(self, step: Step, name: str, item: PartWork) -> int:
        """Unique keys over how values begin or over expressions: which copied rows have to yield is asked only where
        the server has refused a row, since the question reads the whole table."""
        try:
            return self._run(step, name, item)
        except pymysql.err.IntegrityError as error:
            room = statements_that(step, "make_room")
            if error.args[0] != DUP_ENTRY or has_waited(error) or not (room and self.staged.copying):
                raise
        for each in room:  # the refused statement alone has been rolled back
            self._report_yielded(item, self._run(step, each, item))
        return self._run(step, name, item)

    def _report_yielded(self, item: PartWork, rows: int) -> None:
        if rows:
            self.emit(CopiedRowsYielded(item.logical, self.staged.batch, rows))

    def _insert_new(self, step: Step, item: PartWork) -> set[str]:
        """Returns the statements that need not run any more."""
        try:
            self._run(step, "insert_new", item)
        except pymysql.err.IntegrityError as error:
            if error.args[0] != DUP_ENTRY or has_waited(error):
                raise
            return set()  # the statement alone has been rolled back
        return {"insert", "update"}

    def _resolve_owner_conflicts(self, step: Step, item: PartWork) -> frozenset[Key]:
        """Resolves keys that come from one source table while another one's row is on the shard: the source is asked
        which of them it is. Returns the keys whose row changes its owner."""
        taken_over: set[Key] = set()
        table = self.plan.table(item.logical)
        row_sql = self.plan.step(item.logical, StepName.VERIFY_SOURCE).statement("row")
        for name in ("owner_conflicts", "batch_conflicts"):
            found = owner_conflicts(query(self.connection, self._sql(step, name, item)))
            winners = incoming_wins(self.servers, table, row_sql, found=found) if found else []
            for conflict, wins in zip(found, winners, strict=True):
                if wins and name == "owner_conflicts":
                    taken_over.add(conflict.key)  # by the upsert
                    continue
                set_key(self.connection, "sw_key", conflict.key)
                set_variables(self.connection, sw_source=conflict.owner if wins else conflict.incoming)
                self._run(step, "skip_incoming", item)
        return frozenset(taken_over)

    def _require_no_late_conflict(self, step: Step, item: PartWork, known: frozenset[Key]) -> None:
        """Raises ReadTooEarly when a chunk of another source table has brought a key of the batch behind the question
        for conflicts."""
        for conflict in owner_conflicts(query(self.connection, self._sql(step, "late_conflicts", item))):
            if conflict.key not in known:
                key = ", ".join(conflict.key)
                raise ReadTooEarly(f"{item.logical}: a chunk of another source table has brought key ({key}) meanwhile")

    def _remember_deletes(self, item: PartWork) -> None:
        """Rows that `delete_early` removes must not come back with a chunk meanwhile."""
        step = self.plan.step(item.logical, StepName.DELETE)
        if step.has("remember"):
            set_variables(self.connection, sw_batch=self.staged.batch, sw_part=item.part, sw_action="delete")
            self._run_later(step, "remember", item)

    def _run(self, step: Step, name: str, item: PartWork) -> int:
        return execute(self.connection, self._sql(step, name, item))

    def _run_later(self, step: Step, name: str, item: PartWork) -> None:
        """With the next statement: nobody asks how many rows it affects."""
        execute_later(self.connection, self._sql(step, name, item))

    def _sql(self, step: Step, name: str, item: PartWork) -> str:
        suffix = self.plan.parts(self.plan.table(item.logical))[item.part]
        sql = at_place(step.statement(name), self.plan.databases[self.shard], suffix)
        return with_columns(sql, self._written.get((item.logical, item.part), ()))

    @property
    def _ledger(self) -> str:
        return self.servers.databases[self.shard]

    def _collision(self, work: tuple[PartWork, ...], error: pymysql.err.IntegrityError) -> Refused:
        """Names both rows of each unique collision (C6): ours from the stage, the other one from the table or, where
        the batch writes both, from the stage, too."""
        pairs = tuple(pair for item in work for pair in self._pairs(item, str(error.args[1])))
        if pairs:
            return UniqueCollision(pairs[0].message, pairs, self, work)
        message = f"{self._ledger}: batch {self.staged.batch}, {self.substep.name}: {error.args[1]}"
        return UniqueCollision(message, (), self, work)

    def _pairs(self, item: PartWork, why: str) -> Iterator[CollidingPair]:
        step, table = self.plan.step(item.logical, StepName.UPSERT), self.plan.table(item.logical)
        kinds = [column.type for column in table.key_columns]
        physical = self.plan.physical_name(table, self.shard, item.part)
        set_variables(self.connection, sw_batch=self.staged.batch, sw_part=item.part, sw_action=self.substep.action)
        for does, is_inside in (("collision", False), ("collision_inside", True)):
            rows = (
                row
                for name in statements_that(step, does)
                for row in query(self.connection, self._sql(step, name, item))
            )
            for row in rows:
                ours, theirs = row[: len(table.key)], row[len(table.key) :]
                message = (
                    f"{physical}: row {_key(ours)} of the stream has a unique value that row {_key(theirs)} holds "
                    f"already ({why}); "
                )
                message += (
                    "the batch writes both rows"
                    if is_inside
                    else f"row {_key(theirs)} is not in this batch: find out who wrote it, then run again"
                )
                yield CollidingPair(item.logical, key_of(ours, kinds), key_of(theirs, kinds), is_inside, message)


def what_it_does(name: str) -> str:
    """The statement's name without a number: a table may have several that do the same, for its unique keys."""
    return _NUMBER.sub("", name)


def statements_that(step: Step, does: str) -> list[str]:
    """The names of the step's statements that do so."""
    return [statement.name for statement in step.statements if what_it_does(statement.name) == does]


def with_columns(sql: str, columns: Sequence[str]) -> str:
    """The statement with its placeholder `${columns}` replaced by the names of these columns."""
    return _COLUMNS.sub(lambda found: ", ".join(found[1] + quote(column) for column in columns), sql)


def _key(values: tuple[Any, ...]) -> str:
    return "(" + ", ".join(str(value) for value in values) + ")"
