"""Which changes of a `ddl apply` does a tool carry out, instead of the server's own ALTER TABLE, and how does it end?

Runs in the driver; starts one tool for each physical table, writes its log, removes leftovers from the shard.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.ddl.alter.forms import alter_clauses
from shardwright.compiler.plan.plan import DdlChange, with_suffix
from shardwright.runtime.ddl.online.leftovers import Leftovers, find_leftovers, remove
from shardwright.runtime.ddl.online.ready import (
    obstacles,
    refuse_missing_tool,
    refuse_unprotected,
    refuse_unsuited,
)
from shardwright.runtime.ddl.online.supervise import ToolHooks, supervise
from shardwright.runtime.ddl.online.tools import (
    MAX_LOAD,
    PAUSE,
    PROGRAMS,
    Call,
    ToolName,
    command,
    meaning,
    secrets_folder,
)
from shardwright.runtime.ddl.session import DdlPatience, Fence, explain
from shardwright.runtime.ddl.target import Target
from shardwright.runtime.events.cutover import OnlineTool
from shardwright.runtime.events.event import Emit
from shardwright.runtime.failures import Refused, RuntimeFailure, StoppedPartWay, Unreachable
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.servers import is_mariadb

_NAMED = 6
_NOT_CONNECTED = 18


@dataclass(frozen=True)
class HandOver:
    """The tool that one `ddl apply` uses. Several threads may use it."""

    tool: ToolName
    """The tool that the operator chose."""
    endpoint_of: Callable[[str], Endpoint]
    """The shard's server, by database."""
    ours: frozenset[str]
    """Names of all physical tables of the plan, which are never leftovers."""
    logs: Path
    """The folder for the whole output of the tools."""
    emit: Emit
    """Reports an event to the operator."""
    remove_leftovers: bool = False
    """Whether leftovers of a killed tool are removed; else they are refused."""
    threads_running: int = MAX_LOAD
    """Statements in progress on the server at which the tool pauses."""
    holding: Callable[[], str] = lambda: ""
    """The reason why writing must wait now; empty: it need not. Called by several threads."""
    ended: Event = field(default_factory=Event)
    """Set when `ddl apply` ends: running tools are ended then."""

    def takes(self, change: DdlChange, *, mariadb: bool) -> bool:
        form = change.form(mariadb=mariadb)
        return form is not None and form.ddl_class == "copying"

    def refuse_missing(self, kinds: Mapping[str, bool], changes: Sequence[tuple[DdlChange, bool]]) -> None:
        """`kinds`: database -> whether its server is MariaDB, of the databases with something to hand over."""
        for mariadb in sorted(set(kinds.values())):
            refuse_missing_tool(self.tool, mariadb=mariadb)
        for database in kinds:
            refuse_unprotected(self.tool, self.endpoint_of(database))
        for change, mariadb in changes:
            refuse_unsuited(change, mariadb=mariadb)

    def refuse_unfit(self, connection: Connection[Any], database: str, tables: Sequence[str]) -> None:
        """Raises Refused when the tool cannot change one of the physical tables (SW8442), or a killed tool left
        something beside one (SW8443)."""
        mariadb = is_mariadb(connection)
        found, left = [], []
        for table in tables:
            why = "; ".join(obstacles(connection, self.tool, table, mariadb=mariadb))
            found += [f"{database}.{table}: {why}"] if why else []
            beside = find_leftovers(connection, database, table, ours=self.ours)
            left += [beside] if beside else []
        if found:
            more = f"; and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
            raise Refused(
                "SW8442",
                f"{PROGRAMS[self.tool]} cannot change {'; '.join(found[:_NAMED])}{more}. Apply without --online",
            )
        if left and not self.remove_leftovers:
            raise _leftover_refusal(left)

    def clear(self, connection: Connection[Any], target: Target) -> None:
        """Returns when nothing of an earlier tool is beside the table. Raises RuntimeFailure."""
        try:
            found = find_leftovers(connection, target.database, target.table, ours=self.ours)
            if not found:
                return
            if not self.remove_leftovers:
                raise _leftover_refusal([found])
            self.emit(OnlineTool("", f"removing {found}"))
            remove(connection, found)
        except pymysql.err.MySQLError as error:
            raise explain(error, target.database, target.table) from error

    def carry_out(
        self,
        connection: Connection[Any],
        change: DdlChange,
        target: Target,
        *,
        patience: DdlPatience,
        fence: Fence | None,
    ) -> None:
        """Returns when the physical table has the change. Raises RuntimeFailure; the live table shows then whether the
        change took effect."""
        form = change.form(mariadb=is_mariadb(connection))
        assert form is not None
        endpoint = self.endpoint_of(target.database)
        log = self.logs / f"{target}.{Path(change.file).name}.{change.ordinal}.log"

        def still_ours() -> None:
            """Uses the connection that holds the shard's lock, so that the server does not take it for idle."""
            connection.ping(reconnect=False)
            if fence is not None:
                fence(connection)

        try:
            still_ours()
            self.logs.mkdir(parents=True, exist_ok=True)
            with secrets_folder(self.tool, endpoint) as folder:
                call = Call(
                    host=endpoint.host,
                    port=str(endpoint.port),
                    database=target.database,
                    table=target.table,
                    clauses=alter_clauses(with_suffix(form.statement, target.suffix)),
                    folder=str(folder),
                    lock_wait_seconds=patience.lock_wait_seconds,
                    threads_running=self.threads_running,
                )
                hooks = ToolHooks(
                    on_line=lambda line: self.emit(OnlineTool(str(target), line)),
                    holding=self.holding,
                    still_ours=still_ours,
                    ends=self.ended.is_set,
                )
                ended = supervise(command(self.tool, call), hooks, log=log, pause_file=folder / PAUSE)
        except pymysql.err.MySQLError as error:
            raise explain(error, target.database, target.table) from error
        except OSError as error:
            raise Unreachable("SW8441", f"{PROGRAMS[self.tool]} cannot be started: {error}") from error
        if ended.stopped:
            raise StoppedPartWay("SW8444", f"{target}: {PROGRAMS[self.tool]} was stopped with ddl apply")
        if ended.code:
            said = " | ".join(ended.lines)
            kind = Unreachable if self.tool == "pt-osc" and ended.code == _NOT_CONNECTED else RuntimeFailure
            raise kind(
                "SW8444",
                f"{target}: {PROGRAMS[self.tool]} ended with {meaning(self.tool, ended.code)}: {said} (all of it: "
                f"{log})",
            )


def _leftover_refusal(found: Sequence[Leftovers]) -> Refused:
    more = f", and {len(found) - _NAMED} tables more" if len(found) > _NAMED else ""
    return Refused(
        "SW8443",
        f"left behind by a tool that was killed, or that is running: {'. '.join(map(str, found[:_NAMED]))}{more}. "
        "Make sure that no such tool is running, then run again with --remove-leftovers",
    )
