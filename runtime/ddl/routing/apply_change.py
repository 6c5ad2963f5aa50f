"""One change on one physical table: decided by the record and the live table, run, recorded. Where it waits for a lock,
the message names the connections that hold it.

Runs in the driver; writes DDL and its record to one shard.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.ddl.alter.effects import tables_after
from shardwright.compiler.plan.plan import DdlChange, with_suffix
from shardwright.runtime.ddl.routing.policy import DdlPolicy
from shardwright.runtime.ddl.routing.took_effect import (
    Presence,
    presence_of,
    presence_of_tables,
    without_present_indexes,
)
from shardwright.runtime.ddl.routing.ways import is_refused_way, refusal_of_way, statements
from shardwright.runtime.ddl.session import (
    Fence,
    explain,
    is_lock_busy,
    is_refusal,
    run_statement,
)
from shardwright.runtime.ddl.tables.definition import LiveTable, read_table, table_names
from shardwright.runtime.ddl.target import Target
from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.ledger.ddl_record import forget, is_of_stream, mark_done, mark_started
from shardwright.runtime.mysql.errors import HAS_EFFECT_ALREADY, HAS_OTHER_PARTITIONS, does_not_fit
from shardwright.runtime.mysql.lock_holders import lock_holders
from shardwright.runtime.mysql.rows_database import rows_database
from shardwright.runtime.mysql.servers import is_mariadb

DOES_NOT_FIT: Final = "SW8485"
"""The code of a row of a target that does not fit the source's new columns."""


def holders(connection: Connection[Any], table: str) -> str:
    """In words, for a message; empty when the server does not report them or we may not ask."""
    return lock_holders(connection, [(rows_database(connection), table)])


@dataclass(frozen=True, slots=True)
class TableChange:
    """One change on one physical table, within the shard's DDL session."""

    connection: Connection[Any]
    """The DDL session."""
    change: DdlChange
    """The change, as the plan has it."""
    target: Target
    """The physical table."""
    policy: DdlPolicy
    """What the change may do, and who carries it out."""
    fence: Fence | None
    """Checks the fencing token before each statement."""

    def apply(self, *, resumed: bool, is_there: Callable[[], bool]) -> None:
        """Makes the change, or finds that the table has it. `resumed`: it was begun before; `is_there` is called for a
        change that catches up. Raises RuntimeFailure. The record is right in each case: `started` without `done` means
        that only the live table shows the outcome."""
        if not is_of_stream(self.change.file):
            self._apply(None, resumed=resumed, is_there=is_there)
            return
        # The targets may have other indexes than the source: one that an operator made before, or that the targets
        # never had, is no conflict.
        live = read_table(self.connection, self.target.table)
        template = self.change.template if live is None else without_present_indexes(self.change.template, live)
        if template is None:
            self._record_as_done()
            return
        left = replace(self, change=replace(self.change, template=template))
        left._apply(live, resumed=resumed, is_there=is_there)

    def _apply(self, live: LiveTable | None, *, resumed: bool, is_there: Callable[[], bool]) -> None:
        """`live` is the table's definition where it was read before."""
        tool = self.policy.tool_for(self.change, mariadb=self._mariadb)
        if tool is not None:
            tool.clear(self.connection, self.target)
        match self._read_presence(live):
            case Presence.APPLIED if resumed:
                mark_done(self.connection, self.target.entry)
                return
            case Presence.APPLIED | Presence.UNSEEN if self.change.catches_up and is_there():
                self._record_as_done()
                return
            case Presence.APPLIED | Presence.TORN:
                entry = self.target.entry
                raise Refused(
                    "SW8404",
                    f"{self.target} was changed by someone else: the effect of statement {entry.ordinal} of "
                    f"{self.change.file} is there already, wholly or in part: put the table back as it was, then run "
                    "again",
                )
            case _:
                pass
        mark_started(self.connection, self.target.entry)
        if tool is not None:
            patience = self.policy.patience
            tool.carry_out(self.connection, self.change, self.target, patience=patience, fence=self.fence)
        else:
            self._alter(resumed=resumed)
        mark_done(self.connection, self.target.entry)

    def _alter(self, *, resumed: bool) -> None:
        """By the server's own statement, or a heavier one where it refuses that."""
        allowed = self.policy.allowed or frozenset()
        asked = statements(self.change, suffix=self.target.suffix, mariadb=self._mariadb, allowed=allowed)
        for number, attempt in enumerate(asked, start=1):
            try:
                run_statement(self.connection, attempt, patience=self.policy.patience, fence=self.fence)
            except pymysql.err.MySQLError as error:
                if is_refused_way(error) and number < len(asked):
                    continue
                known = HAS_EFFECT_ALREADY if resumed else frozenset[int]()
                if is_of_stream(self.change.file):
                    # A person may have made partitions before: whatever a table has, it holds its rows.
                    known |= HAS_OTHER_PARTITIONS
                if error.args and error.args[0] in known:
                    return
                raise self._failure(error, tried=attempt) from error
            return

    @property
    def _mariadb(self) -> bool:
        return is_mariadb(self.connection)

    def _record_as_done(self) -> None:
        mark_started(self.connection, self.target.entry)
        mark_done(self.connection, self.target.entry)

    def _read_presence(self, live: LiveTable | None) -> Presence:
        statement = with_suffix(self.change.template, self.target.suffix)
        if wanted := tables_after(statement):
            return presence_of_tables(wanted, table_names(self.connection))
        live = live or read_table(self.connection, self.target.table)
        if live is None:
            raise RuntimeFailure("SW8410", f"{self.target} does not exist: {self.change.file} cannot be applied to it")
        return presence_of(statement, live)

    def _failure(self, error: pymysql.err.MySQLError, *, tried: str) -> RuntimeFailure:
        connection, target, mariadb = self.connection, self.target, self._mariadb
        if is_refusal(error):
            forget(connection, target.entry)
        if is_refused_way(error) and self.change.form(mariadb=mariadb) is not None:
            return refusal_of_way(error, self.change, table=str(target), mariadb=mariadb, tried=tried)
        if is_of_stream(self.change.file) and does_not_fit(error):
            message = (
                f"{target}: {error.args[-1]}. All rows of the source fit its new columns, so a row of this table is "
                "none of the source's, or differs: correct or delete it there, then run again"
            )
            return Refused(DOES_NOT_FIT, message)
        named = " held by " in str(error.args[-1:])
        who = holders(connection, target.table) if is_lock_busy(error) and not named else ""
        return explain(error, target.database, target.table, holders=who)
