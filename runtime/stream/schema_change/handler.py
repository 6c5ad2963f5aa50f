"""What does the stream do at a DDL statement on a followed table: stop, bring it to every shard, or skip it?

Runs in the driver, while no batch is in progress; writes the first shard's ledger, and through `ddl/routing` DDL to the
shards. Every step is in the ledger before the next one, so that a new run repairs a kill at any point.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.ddl.logged.read_logged import describe_skipped, read_logged
from shardwright.compiler.ddl.logged.swap import compare_swap, read_swap
from shardwright.compiler.ddl.source.logged_change import CannotFollow, LoggedChange
from shardwright.compiler.plan.plan import DdlChange
from shardwright.compiler.plan.steps import columns_data
from shardwright.runtime.ddl.routing.apply_change import DOES_NOT_FIT
from shardwright.runtime.ddl.routing.router import route_changes
from shardwright.runtime.ddl.shard_access import ShardAccess
from shardwright.runtime.events.stream import SchemaChange, SchemaChangeRouted, ValuesCut
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused, RuntimeFailure, StoppedPartWay
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.batches import MigrationState, close_batch
from shardwright.runtime.ledger.comparison import void_verified
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.ddl_record import of_stream
from shardwright.runtime.ledger.recent_batches import forget_recent
from shardwright.runtime.ledger.stream_ddl import Decision, RecordedDdl, forget_ahead, record_started, record_state
from shardwright.runtime.ledger.takeover import take_over_everywhere
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.sources.binlog.table_changed import by_hand, rows_by_hand
from shardwright.runtime.sources.logged_statement import LoggedStatement
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import Sources
from shardwright.runtime.stream.schema_change.emptying import Emptying
from shardwright.runtime.stream.schema_change.live_table import (
    has_the_rows_of_the_shards,
    require_same_rows,
    table_after,
)
from shardwright.runtime.stream.schema_change.new_table import (
    NEW_TABLE,
    find_table_begin,
    offer_new_table,
    refuse_new_table,
    way_on,
)
from shardwright.runtime.stream.schema_change.read_after import change_before_the_read
from shardwright.specs.findings.remedies import RECOPY, START_OVER

NOT_STRICT: Final = "SW8555"


@dataclass
class SchemaChangeHandler:
    """Handles the DDL statements that the stream meets."""

    context: RunContext
    sources: Sources
    emptying: Emptying
    allowed: set[str] = field(default_factory=set)
    """The places ("file:offset") that the operator allows the run to skip, each once."""
    shards_at_once: int = 8
    """How many shards get DDL at the same time."""

    def handle(self, state: MigrationState, stopped: RuntimeFailure) -> None:
        """The stream is at `state.position` and met `stopped` (SW8114, SW8457). When this returns, the ledger's
        position is behind the statement and the same plan continues, unless the run is being stopped. Raises Refused
        when an operator is needed, StoppedPartWay (SW8548) when a newer plan is."""
        source, found = self._next_statement(state.position, stopped)
        copying = state.is_copying(self.sources)
        decision, change = self._decide(found, stopped, copying=copying)
        if copying and change is not None and not change.unknown:
            self._require_only_added(found, change)
        self._begin(found, decision, change)
        failpoint("after-stream-ddl-begun")
        if decision == "apply" and change is not None and change.routed is not None:
            self._route(found, change)
        if decision == "apply" and change is not None and change.emptied and not self.emptying.execute(change):
            return
        failpoint("after-stream-ddl-routed")
        behind = state.position.advance(StreamPosition({source: found.after}))
        self._pass(found, decision, change, replace(state, position=behind))
        failpoint("after-stream-ddl-passed")

    def _next_statement(self, position: StreamPosition, stopped: RuntimeFailure) -> tuple[str, LoggedStatement]:
        """The source that is right before such a statement, and the statement."""
        for source in self.sources:
            found = source.statement_at(position.parts[source.name], stopped)
            if found is not None:
                return source.name, found
        raise stopped

    def _decide(
        self, found: LoggedStatement, stopped: RuntimeFailure, *, copying: bool
    ) -> tuple[Decision, LoggedChange | None]:
        """The change is None when it is not known what the statement does, and it is skipped all the same."""
        if (begins := find_table_begin(self.context, found)) is not None:
            return "ignore", begins
        if (known := change_before_the_read(self.context, self.sources, found)) is not None:
            return "ignore", known
        change, problem = None, None
        try:
            change = self._understand(found)
        except CannotFollow as cannot:
            problem = cannot
        if found.place in self.allowed:
            if problem is not None:
                change = describe_skipped(problem, found.text, found.database, self.context.plan)
            if copying and problem is not None and not problem.understood and (change is None or change.unknown):
                raise _not_while_copying(found, problem.why)
            self.allowed.discard(found.place)
            return "step over", change
        if change is not None and not change.source:
            return "ignore", change  # it names a followed table and touches none
        if any(_matches(pattern, found.text) for pattern in self.context.plan.stream_ddl.ignored):
            understood = not change.columns_differ if change is not None else bool(problem and problem.understood)
            if not understood:
                why = "it changes columns" if change is not None else str(problem)
                raise Refused(
                    "SW8550",
                    f"{found.where}: a pattern of ignore_ddl matches, but {why}. {by_hand(found.code, found.place)}",
                )
            return "ignore", change
        if problem is not None and problem.code == NEW_TABLE:
            offer_new_table(self.context, found)
            raise Refused(NEW_TABLE, f"{found.where}: {problem.why}. {way_on(found)}")
        if self.context.plan.stream_ddl.policy == "apply":
            problem = problem or self._why_unproved(found, change, copying=copying)
        elif problem is None or problem.code not in _OTHER_ROWS:
            if change is not None and change.emptied:
                problem = CannotFollow("SW8542", f"{change.source} is emptied (TRUNCATE)", understood=True)
            elif change is not None and change.replaces:
                why = f"{change.source} was replaced by another table, whose rows may be others"
                problem = CannotFollow("SW8552", why)
            else:
                raise stopped
        if problem is not None:
            way_out = rows_by_hand if problem.code in _OTHER_ROWS else by_hand
            again = _COMES_AGAIN if problem.code == "SW8542" and problem.understood else ""
            raise Refused(problem.code, f"{found.where}: {problem.why}. {again}{way_out(found.code, found.place)}")
        assert change is not None
        if change.columns_differ and found.after.partitions > 1:
            raise Refused(
                found.code,
                f"{found.where}: {change.words}, and the queue has {found.after.partitions} partitions: which rows "
                f"of the others are older is not known. {by_hand(found.code, found.place)}",
            )
        return "apply", change

    def _understand(self, found: LoggedStatement) -> LoggedChange:
        if found.error:
            raise CannotFollow(
                "SW8554",
                f"the source logged it with error {found.error}, so it ended early. What it has changed there is not "
                "known. Look at the source's table, with SHOW CREATE TABLE",
            )
        refuse_new_table(found, self.context.plan)
        swap = read_swap(found.text, found.database, self.context.plan)
        if swap is not None:
            if found.in_log is None:
                raise CannotFollow("SW8551", "messages do not say what the table that was swapped in looks like")
            return compare_swap(swap, table_after(self.context.servers, swap.source, after=found.in_log))
        after = found.in_log
        behind = None if after is None else partial(table_after, self.context.servers, after=after)
        return read_logged(found.text, found.database, self.context.plan, behind)

    def _why_unproved(
        self, found: LoggedStatement, change: LoggedChange | None, *, copying: bool
    ) -> CannotFollow | None:
        """Why it is not certain that the targets have the table's rows behind the statement."""
        if change is not None and change.emptied:
            return self.emptying.objection(found, change, copying=copying)
        if change is not None and (change.columns_differ or change.replaces) and self._is_counted(change.logical):
            raise Refused(
                "SW8543",
                f"{found.where}: {change.words}, and rows of {change.logical} have no key: they are found by all "
                "columns. Everything before it is applied. Make the same change in the schema file and on the targets "
                f"(`shardwright ddl new`, `ddl apply`), compile, and run: {RECOPY} {change.logical}",
            )
        if change is None or not change.replaces:
            return None
        swap = read_swap(found.text, found.database, self.context.plan)
        assert swap is not None and found.in_log is not None
        try:
            live = table_after(self.context.servers, swap.source, after=found.in_log)
            require_same_rows(self.context.servers, swap, live, after=found.in_log)
        except CannotFollow as cannot:
            # Tools drop the other table at once: then the shards show what it held.
            return (
                None
                if not copying and has_the_rows_of_the_shards(self.context.plan, self.context.servers, change.logical)
                else cannot
            )
        return None

    def _is_counted(self, logical: str) -> bool:
        return any(table.logical == logical for table in self.context.plan.keyless_tables)

    def _require_only_added(self, found: LoggedStatement, change: LoggedChange) -> None:
        """Chunks are read as the source is now: rows of them may have this change already. The run or the operator
        brings it to the targets afterwards, and these rows get it twice. Columns that were added do no such harm."""
        before = self.context.plan.table(change.logical).source.columns if change.logical else ()
        after = {column.name: column for column in change.columns}
        if any(after.get(column.name) != column for column in before):
            raise _not_while_copying(found, change.words)

    def _begin(self, found: LoggedStatement, decision: Decision, change: LoggedChange | None) -> None:
        ddl = RecordedDdl(
            found.place,
            source=change.source if change else "",
            logical=change.logical if change else "",
            statement=found.text,
            columns=columns_data(change.columns, change.renamed) if change and change.columns_differ else None,
        )
        allowed = self.emptying.ceilings.take_used()

        def begin(connection: Connection[Any]) -> None:
            record_started(connection, self.context.migration, ddl, decision=decision)
            for detail in allowed:
                audit(connection, self.context.migration, "deletes allowed", detail=detail)

        self.context.transaction(begin)

    def _route(self, found: LoggedStatement, change: LoggedChange) -> None:
        """To every physical table, by the router that knows what each has already, in the role of DDL."""
        assert change.routed is not None
        writer = take_over_everywhere(self.context.servers, role="ddl")
        routed = DdlChange(of_stream(found.place), 1, change.logical, change.routed, destructive=False)
        cut = not found.strict and NOT_STRICT in self.allowed
        connect = self.context.servers.connect_shard_of

        def fence(connection: Connection[Any]) -> None:
            writer.require(connection)

        access = ShardAccess(
            (lambda name: _not_strict(connect(name))) if cut else connect, self.shards_at_once, fence=fence
        )
        plan = replace(self.context.plan, ddl=(routed,))
        try:
            result = route_changes(plan, access, on_progress=lambda _progress: None)
        except Refused as refused:
            if refused.code != DOES_NOT_FIT or found.strict:
                raise
            raise Refused(
                NOT_STRICT,
                f"{found.where}: {change.words}. Its session at the source was not in strict mode, so the source cut "
                "its own values where they do not fit, and no event says which. On the shards one does not fit, either "
                f"({refused.message}). To cut the values of the targets in the same way, give the command below. When "
                "the run has caught up, `shardwright verify --report json=RESULT` names rows that differ, and "
                f"`shardwright repair RESULT` brings over the source's. shardwright run --allow {NOT_STRICT}",
            ) from refused
        if cut:
            self.allowed.discard(NOT_STRICT)
            self.context.emit(ValuesCut(change.logical, str(found.place)))
        self.context.emit(SchemaChangeRouted(change.logical, change.words, result.applied, result.already))

    def _pass(
        self, found: LoggedStatement, decision: Decision, change: LoggedChange | None, behind: MigrationState
    ) -> None:
        awaiting = change is not None and change.columns_differ
        words = change.words if change is not None else "its effect is not known"
        done = _DONE[decision]
        rows_go = decision == "apply" and change is not None and change.emptied is not None and change.emptied.delete
        if decision == "apply" and change is not None and change.routed is None and not rows_go:
            done = "the targets need nothing of it"
        passed = SchemaChange(str(found.place), found.short, decision, f"{done}; {words}")
        message = passed.sentence

        def pass_it(connection: Connection[Any]) -> None:
            migration = self.context.migration
            unknown = change is not None and change.unknown
            record_state(
                connection, migration, found.place, state="awaiting" if awaiting else "may" if unknown else "done"
            )
            if decision == "step over":
                forget_ahead(connection, migration, None)
            elif change is not None:
                forget_ahead(connection, migration, change.source)
            void_verified(connection, migration, why=message)
            if rows_go:
                forget_recent(connection, migration)  # what it keeps does not name the rows that are gone
            audit(connection, migration, f"stream DDL: {decision}", detail=message)
            close_batch(connection, migration, behind)

        self.context.transaction(pass_it)
        self.context.emit(passed)
        if awaiting:
            assert change is not None
            raise StoppedPartWay(
                "SW8548",
                f"{found.where}: {words}. {done.capitalize()}, and everything before it. Make the same change "
                f"in the schema file's CREATE TABLE of {change.source.partition('.')[2]}, compile, run again: the "
                f"stream continues right behind it{_not_carried(change)}",
            )


def _not_strict(connection: Connection[Any]) -> Connection[Any]:
    """In which values that do not fit are cut."""
    query(
        connection,
        "SET SESSION sql_mode = "
        "REPLACE(REPLACE(@@SESSION.sql_mode, 'STRICT_TRANS_TABLES', ''), 'STRICT_ALL_TABLES', '')",
    )
    return connection


_DONE = {
    "apply": "the targets have it",
    "ignore": "passed over",
    "step over": "skipped by the operator",
}


_OTHER_ROWS = frozenset({"SW8542", "SW8551", "SW8552", "SW8554"})
_COMES_AGAIN = "(The statement of a job that comes again and again: a pattern in `ignore_ddl` of the spec skips each.) "


def _not_carried(change: LoggedChange) -> str:
    if not change.left:
        return ""
    return (
        f". Not on the targets: {', '.join(change.left)}. When the schema file has that too and the run says that the "
        "targets differ (SW8402), `shardwright ddl new` writes the statements that bring it; compile, and `shardwright "
        "ddl apply` sends them"
    )


def _not_while_copying(found: LoggedStatement, what: str) -> Refused:
    return Refused(
        "SW8546",
        f"{found.where}: {what}, while rows are still being copied as they are now. With the new schema, {START_OVER}",
    )


def _matches(pattern: str, text: str) -> bool:
    return fnmatchcase(" ".join(text.split()).lower(), " ".join(pattern.split()).lower())
