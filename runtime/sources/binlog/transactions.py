"""Where transactions begin and end in the log, which commit at another place, and which events must stop the reader
(hazards A5-A7, E1, E2, E12, E21).

Pure. Used in the driver (scan) and in Spark tasks (read).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from shardwright.compiler.ddl.logged.new_tables import MeantTables
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.events import (
    HEADER_SIZE,
    IGNORABLE_FLAG,
    MARIADB_PREPARED_FLAG,
    MARIADB_STANDALONE_FLAG,
    ROWS,
    STATEMENT_END_FLAG,
    Kind,
    LogEvent,
    Statement,
    error_of,
    is_alter_without_effect,
    mariadb_gtid_flags,
    statement_of,
)
from shardwright.runtime.sources.binlog.statements import Effect, Statements
from shardwright.runtime.sources.binlog.table_changed import TableChanged, without_values
from shardwright.runtime.sources.binlog.xa import Ends, Prepares, read_end, read_prepare
from shardwright.runtime.sources.positions.pending import Span
from shardwright.specs.findings.remedies import START_OVER

# The parts of a LOAD DATA in statement form are judged where the log uses them, at EXECUTE_LOAD_QUERY.
_NEUTRAL = frozenset(
    {Kind.STOP, Kind.ROTATE, Kind.IGNORABLE, Kind.ROWS_QUERY, Kind.PREVIOUS_GTIDS, Kind.TRANSACTION_CONTEXT,
     Kind.VIEW_CHANGE, Kind.ANNOTATE_ROWS, Kind.BINLOG_CHECKPOINT, Kind.GTID_LIST, Kind.START_ENCRYPTION,
     Kind.INTVAR, Kind.RAND, Kind.USER_VAR, Kind.BEGIN_LOAD_QUERY, Kind.APPEND_BLOCK, Kind.DELETE_FILE}
)  # fmt: skip
_FILLS = re.compile(rb"\bSTART\s+TRANSACTION\s*$", re.IGNORECASE)
"""Ends MySQL's CREATE TABLE ... SELECT, whose rows come behind it."""
_GTIDS = frozenset({Kind.GTID, Kind.ANONYMOUS_GTID, Kind.GTID_TAGGED})


class Transactions:
    """Gets every event in order. `inside` says whether the position after the last one is inside a transaction,
    `holds_followed_rows` whether that one has rows of captured tables, `commits_elsewhere` whether these take effect
    at another event (XA). `committed_at` is the time of the last transaction's end (seconds since 1970). Raises Refused
    for an event that cannot be followed."""

    def __init__(self, tables: Iterable[str], meant: MeantTables) -> None:
        self._statements = Statements(tables, meant)
        self.inside = False
        self.committed_at: int | None = None
        self._awaiting_first = False  # a GTID came; whether one statement or a transaction follows is not known yet
        self._standalone = False  # MariaDB announced a single statement without COMMIT
        self._without_effect = False  # that statement is an ALTER that starts or is taken back
        self.holds_followed_rows = False
        self.commits_elsewhere = False
        self.xa: Prepares | Ends | None = None
        """What the last event did to an XA transaction; the caller takes it out (`take_xa`)."""
        self._begun = 0  # where the open transaction begins in its file
        self._handlers: dict[int, Callable[[LogEvent], None]] = {
            **dict.fromkeys(ROWS, self._rows),
            **dict.fromkeys(_GTIDS, self._gtid),
            Kind.TABLE_MAP: self._require_transaction,
            Kind.XID: self._commit,
            Kind.QUERY: self._statement,
            Kind.EXECUTE_LOAD_QUERY: self._statement,
            Kind.MARIADB_GTID: self._mariadb_gtid,
            Kind.XA_PREPARE: self._xa_prepare,
            Kind.FORMAT_DESCRIPTION: self._require_outside,
        }

    def feed(self, event: LogEvent) -> None:
        handle = self._handlers.get(event.kind)
        if handle is not None:
            handle(event)
        elif event.kind not in _NEUTRAL:
            _refuse_kind(event)

    def note_followed_rows(self) -> None:
        """The caller met rows of a captured table in the open transaction, so the log may no longer roll it back."""
        self.holds_followed_rows = True

    def take_xa(self) -> Prepares | Ends:
        assert self.xa is not None
        done, self.xa = self.xa, None
        return done

    def _open(self, event: LogEvent) -> None:
        self._require_outside(event)
        self.inside = True
        self._standalone = False
        self.holds_followed_rows = self.commits_elsewhere = False
        self._begun = event.start

    def _end(self, event: LogEvent) -> None:
        self.inside = self._awaiting_first = self._standalone = False
        self.holds_followed_rows = self.commits_elsewhere = False
        self.committed_at = event.timestamp

    def _require_transaction(self, event: LogEvent) -> None:
        if not self.inside:
            raise Refused(
                "SW8110",
                f"the log at {event.place} is inside a transaction: reading must start at a transaction's begin. "
                "Resume from a position that Shardwright has recorded",
            )

    def _require_outside(self, event: LogEvent) -> None:
        if self.inside:
            raise Refused("SW8116", f"the log at {event.place} begins something new inside an unfinished transaction")

    def _require_no_rows(self, event: LogEvent) -> None:
        if self.holds_followed_rows:
            raise Refused(
                "SW8118",
                f"the transaction that ends at {event.place} takes back rows of followed tables after they were "
                f"logged; such transactions are not supported: {START_OVER}",
            )

    def _commit(self, event: LogEvent) -> None:
        self._require_transaction(event)
        self._end(event)

    def _gtid(self, event: LogEvent) -> None:
        self._open(event)
        self._awaiting_first = True

    def _rows(self, event: LogEvent) -> None:
        self._require_transaction(event)
        self._awaiting_first = False
        if self._standalone and event.data[HEADER_SIZE + 6] & STATEMENT_END_FLAG:
            self._end(event)

    def _mariadb_gtid(self, event: LogEvent) -> None:
        self._open(event)
        flags = mariadb_gtid_flags(event)
        self._standalone = bool(flags & MARIADB_STANDALONE_FLAG)
        self._without_effect = self._standalone and is_alter_without_effect(event)
        self.commits_elsewhere = bool(flags & MARIADB_PREPARED_FLAG)

    def _statement(self, event: LogEvent) -> None:
        if self._standalone and self._without_effect:
            self._end(event)
            return
        statement = statement_of(event)
        effect = self._statements.effect(statement.database, statement.text)
        match effect:
            case Effect.BEGIN | Effect.XA_BEGIN:
                if not self.inside:
                    self._open(event)
                self._awaiting_first = False
                self.commits_elsewhere |= effect is Effect.XA_BEGIN
            case Effect.COMMIT:
                self._end(event)
            case Effect.XA_END:
                self._xa_end(event, statement)
            case Effect.ROLLBACK | Effect.PARTIAL_ROLLBACK:
                self._require_no_rows(event)
                if effect is Effect.ROLLBACK:
                    self._end(event)
            case _:
                alone = not self.inside or self._awaiting_first or self._standalone
                _refuse_change(event, statement, effect, alone=alone)
                if not self.inside or self._awaiting_first or self._standalone:
                    self._end(event)

    def _xa_prepare(self, event: LogEvent) -> None:
        self._require_transaction(event)
        xid, one_phase = read_prepare(event)
        span = Span(event.file, self._begun, event.end)
        self.xa = Prepares(xid, span, one_phase, self.holds_followed_rows)
        self._end(event)

    def _xa_end(self, event: LogEvent, statement: Statement) -> None:
        within = self.commits_elsewhere  # never prepared: what no rollback takes back made the server log it
        self.xa = None if within else read_end(statement.text)
        self._require_no_rows(event)
        failed = error_of(event) and (self.xa is None or self.xa.commits)
        if (self.xa is None and not within) or failed:
            how = f"with error {error_of(event)}" if failed else "in a form that we do not know"
            raise Refused(
                "SW8118",
                f"at {event.place} an XA transaction ends {how}: "
                f"{without_values(statement.text, length=200)!r}. Which rows that concerns is not known: {START_OVER}",
            )
        self._end(event)


def _refuse_change(event: LogEvent, statement: Statement, effect: Effect, *, alone: bool) -> None:
    if effect is Effect.CHANGES_ROWS:
        raise Refused(
            "SW8112",
            f"at {event.place} the log holds a statement instead of the rows it changed: "
            f"{without_values(statement.text, length=200)!r} (in database "
            f"'{statement.database}'). Set binlog_format=ROW for all sessions; what this statement changed is not "
            f"known, so {START_OVER}",
        )
    if effect in (Effect.CHANGES_TABLE, Effect.MAKES_TABLE):
        alone = alone and not _FILLS.search(statement.text)
        raise TableChanged(event, statement, alone=alone, is_new=effect is Effect.MAKES_TABLE)


def _refuse_kind(event: LogEvent) -> None:
    if event.kind == Kind.PARTIAL_UPDATE_ROWS:
        raise Refused(
            "SW8111",
            f"the event at {event.place} holds parts of JSON values only: clear binlog_row_value_options on the server "
            f"and in every session, then {START_OVER}",
        )
    if event.kind == Kind.INCIDENT:
        raise Refused("SW8115", f"the server says at {event.place} that events were lost: {START_OVER}")
    if not event.flags & IGNORABLE_FLAG:
        raise Refused("SW8115", f"the event at {event.place} has type {event.kind}, which we cannot read: {START_OVER}")
