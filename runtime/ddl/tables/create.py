"""Which physical tables and bookkeeping tables are missing in the target databases? Missing ones are created; one that
exists already must match. Where indexes are built after the copy, a table is made without them, and one that has them
matches, too.

Runs in the driver, in threads; writes DDL and its record to the shards.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan, with_suffix
from shardwright.runtime.ddl.routing.targets import DdlProgress, OnProgress
from shardwright.runtime.ddl.session import Connect, DdlPatience, Fence, ddl_session, explain, is_refusal, run_statement
from shardwright.runtime.ddl.tables.deferred_indexes import Forms, forms_of, only_adds_others
from shardwright.runtime.ddl.tables.definition import LiveTable, differences, read_table, table_names
from shardwright.runtime.ddl.tables.probe_table import probe_table
from shardwright.runtime.ddl.target import entry_for
from shardwright.runtime.failures import Refused, RuntimeFailure, StoppedPartWay
from shardwright.runtime.ledger.ddl_record import (
    CREATED,
    ChangeRecord,
    Entry,
    Place,
    forget,
    mark_done,
    mark_started,
    read_record,
    sha256,
)
from shardwright.runtime.ledger.tables import create_ddl_record
from shardwright.runtime.mysql.transactions import execute
from shardwright.specs.findings.remedies import START_OVER

_NAMED_DIFFERENCES = 5
_NAMED_SHARDS = 20


def create_tables(
    plan: Plan,
    *,
    connect: Connect,
    limit: int,
    on_progress: OnProgress,
    fence: Fence | None = None,
    patience: DdlPatience | None = None,
) -> int:
    """Creates what is missing, shards side by side (at most `limit`). Returns how many physical tables were created.

    Raises Refused (SW8402) for a table that exists and differs from the plan; the changes recorded as done on it belong
    to the plan. When several shards fail, the others are finished first.
    """
    creation = _Creation(plan, connect, on_progress, fence, patience or DdlPatience())
    with ThreadPoolExecutor(max_workers=max(1, limit), thread_name_prefix="create") as pool:
        found = pool.map(creation.on_shard, range(len(plan.databases)))
        failures = {plan.databases[shard]: failure for shard, failure in enumerate(found) if failure}
    if not failures:
        return creation.created
    first = next((f for f in failures.values() if isinstance(f, Refused)), next(iter(failures.values())))
    if isinstance(first, Refused) or len(failures) == len(plan.databases):
        raise first
    more = f" and {len(failures) - _NAMED_SHARDS} more" if len(failures) > _NAMED_SHARDS else ""
    names = ", ".join(list(failures)[:_NAMED_SHARDS])
    raise StoppedPartWay("SW8411", f"tables are missing on {names}{more}; {first}; run again to continue") from first


def require_none_lost(plan: Plan, tables: Collection[TablePlan], *, connect: Connect) -> None:
    """Each of these tables that this migration is recorded to have made exists. Reads only. Raises Refused (SW8412)."""
    for shard, database in enumerate(plan.databases):
        with closing(connect(database)) as connection:
            record, existing = read_record(connection, plan.migration), table_names(connection)
        for table in tables:
            for suffix in plan.parts(table) if shard in plan.shards(table) else ():
                name = table.logical + suffix
                recorded = record.get((CREATED, 0, name))
                if recorded is not None and recorded.state == "done" and name.lower() not in existing:
                    raise _missing_table_refusal(database, name)


def _missing_table_refusal(database: str, name: str) -> Refused:
    """The refusal of a missing table. Made anew, the table would be empty, while the ledger says that its rows were
    copied."""
    return Refused(
        "SW8412",
        f"{database}.{name} was created by this migration and is gone: restore it, or {START_OVER}",
    )


@dataclass(slots=True)
class _Creation:
    """The state of one call of `create_tables`."""

    plan: Plan
    """The compiled plan of the migration."""
    connect: Connect
    """Opens a connection to a shard, by database."""
    on_progress: OnProgress
    """Called after each physical table."""
    fence: Fence | None
    """Checks the fencing token before each statement; None: no check."""
    patience: DdlPatience
    """How long each statement waits for locks."""
    created: int = 0
    """Physical tables that were created."""
    _done: int = 0
    _counting: Lock = field(default_factory=Lock)

    def on_shard(self, shard: int) -> RuntimeFailure | None:
        database = self.plan.databases[shard]
        try:
            if self._is_complete(shard, database):
                return None
            with ddl_session(
                self.connect, database, migration=self.plan.migration, patience=self.patience
            ) as connection:
                create_ddl_record(connection)
                record = read_record(connection, self.plan.migration)
                work = _Shard(self, connection, database, record, table_names(connection))
                for table in self._tables(shard):
                    work.create_all(table)
        except RuntimeFailure as failure:
            return failure
        except pymysql.err.MySQLError as error:
            return explain(error, database, "*")
        return None

    def _is_complete(self, shard: int, database: str) -> bool:
        """Whether every table is recorded as made and exists: then the shard's DDL lock is not waited for. DDL may be
        at work on the shard for hours, while a run that was cut off begins anew."""
        with closing(self.connect(database)) as connection:
            record = read_record(connection, self.plan.migration)
            work = _Shard(self, connection, database, record, table_names(connection))
            if not all(work.has(table) for table in self._tables(shard)):
                return False
            for table in self._tables(shard):
                work.create_all(table)
        return True

    def _tables(self, shard: int) -> list[TablePlan]:
        return [table for table in self.plan.tables if shard in self.plan.shards(table)]

    def count(self, database: str, table: str, *, created: bool) -> None:
        total = sum(len(self.plan.shards(table)) * len(self.plan.parts(table)) for table in self.plan.tables)
        with self._counting:
            self.created += created
            self._done += 1
            self.on_progress(DdlProgress(CREATED, 0, database, table, self._done, total))


@dataclass(slots=True)
class _Shard:
    """The work on one shard, under its DDL lock where a table is to be made or checked."""

    creation: _Creation
    """The call that this work belongs to."""
    connection: Connection[Any]
    """The DDL session; a connection without the lock where all tables exist and are recorded."""
    database: str
    """The shard's database."""
    record: Mapping[Place, ChangeRecord]
    """The shard's record of DDL."""
    existing: frozenset[str]
    """Tables and views in the database, in lower case."""
    _expected: dict[tuple[str, ...], LiveTable] = field(default_factory=dict)

    def has(self, table: TablePlan) -> bool:
        forms = forms_of(self.creation.plan, table)
        return all(self._is_made(table, forms, suffix) for suffix in self.creation.plan.parts(table))

    def _is_made(self, table: TablePlan, forms: Forms, suffix: str) -> bool:
        name = table.logical + suffix
        recorded = self.record.get((CREATED, 0, name))
        done = recorded is not None and recorded.state == "done" and recorded.sha256 in forms.digests(suffix)
        return done and name.lower() in self.existing

    def create_all(self, table: TablePlan) -> None:
        plan = self.creation.plan
        for statement in plan.step(table.logical, StepName.BOOKKEEPING).statements:
            if self.creation.fence is not None:
                self.creation.fence(self.connection)
            execute(self.connection, statement.sql)
        forms = forms_of(plan, table)
        for suffix in plan.parts(table):
            self._create(table, forms, suffix)

    def _create(self, table: TablePlan, forms: Forms, suffix: str) -> None:
        name = table.logical + suffix
        statement = with_suffix(forms.bare, suffix)
        entry = Entry(self.creation.plan.migration, CREATED, 0, name, sha256(statement))
        recorded = self.record.get((CREATED, 0, name))
        done = recorded is not None and recorded.state == "done"
        if name.lower() not in self.existing:
            if done:
                raise _missing_table_refusal(self.database, name)
            self._create_missing(table, suffix, entry, statement)
        elif not self._is_made(table, forms, suffix):
            self._take_over(table, forms, entry, suffix)
        self.creation.count(self.database, name, created=name.lower() not in self.existing)

    def _create_missing(self, table: TablePlan, suffix: str, entry: Entry, statement: str) -> None:
        mark_started(self.connection, entry)
        try:
            self._run(statement)
        except pymysql.err.MySQLError as error:
            if is_refusal(error):
                forget(self.connection, entry)
            raise explain(error, self.database, entry.table) from error
        mark_done(self.connection, entry)
        self._needs_no_catching_up(table, suffix)

    def _take_over(self, table: TablePlan, forms: Forms, entry: Entry, suffix: str) -> None:
        """A table that another plan or another program made is ours when it is as we would make it."""
        live = read_table(self.connection, entry.table, suffix=suffix)
        if live is None:
            raise Refused("SW8402", f"target table in the way: {self.database}.{entry.table} is no table but a view")
        form = self._form(table, forms, entry.table, live)
        entry = replace(entry, sha256=sha256(with_suffix(form, suffix)))
        mark_started(self.connection, entry)
        mark_done(self.connection, entry)
        self._needs_no_catching_up(table, suffix)

    def _needs_no_catching_up(self, table: TablePlan, suffix: str) -> None:
        """Changes that lead to the plan's CREATE TABLE are done where it was executed. A death before that is recorded
        does no harm: `ddl apply` checks the table, too."""
        for change in self.creation.plan.ddl:
            if change.logical == table.logical and change.catches_up:
                entry = entry_for(
                    change, migration=self.creation.plan.migration, table=table.logical + suffix, suffix=suffix
                )
                mark_started(self.connection, entry)
                mark_done(self.connection, entry)

    def _form(self, table: TablePlan, forms: Forms, name: str, live: LiveTable) -> str:
        """Which of the forms the table has. Raises Refused when it has none."""
        changes = self._changes_done(table, name)
        found = differences(self._expect((forms.whole, *changes)), live)
        if not found:
            return forms.whole
        # A change that names an index that is to be built is not done before that index exists, and the bare form could
        # not have it.
        may_be_bare = bool(forms.deferred) and all(only_adds_others(change, forms.deferred) for change in changes)
        if may_be_bare and not differences(self._expect((forms.bare, *changes)), live):
            return forms.bare
        more = f" and {len(found) - _NAMED_DIFFERENCES} more" if len(found) > _NAMED_DIFFERENCES else ""
        raise Refused(
            "SW8402",
            f"target table in the way: {self.database}.{name} exists and differs from the plan: "
            f"{'; '.join(found[:_NAMED_DIFFERENCES])}{more}; rename or drop it, or generate a DDL file that changes "
            "it (`shardwright ddl new`), then run again",
        )

    def _expect(self, templates: tuple[str, ...]) -> LiveTable:
        if templates not in self._expected:
            self._expected[templates] = probe_table(self.connection, templates)
        return self._expected[templates]

    def _changes_done(self, table: TablePlan, name: str) -> tuple[str, ...]:
        def is_done(file: str, ordinal: int) -> bool:
            recorded = self.record.get((file, ordinal, name))
            return recorded is not None and recorded.state == "done"

        ours = (change for change in self.creation.plan.ddl if change.logical == table.logical)
        changes = (change for change in ours if not change.catches_up)
        return tuple(change.template for change in changes if is_done(change.file, change.ordinal))

    def _run(self, statement: str) -> None:
        run_statement(self.connection, statement, patience=self.creation.patience, fence=self.creation.fence)
