"""Which rows take effect where an XA transaction commits? The server has logged them where it was prepared: in the same
range of the log, or long before it (hazard E21).

Used in the driver (scan) and in Spark tasks (read); reads the source server again for a transaction that is large, or
that was prepared before the range.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.sources.binlog.captured_tables import CapturedTable
from shardwright.runtime.sources.binlog.damage import UNREADABLE, damage_refusal
from shardwright.runtime.sources.binlog.dump import PURGED, dump
from shardwright.runtime.sources.binlog.events import ROWS, Kind, LogEvent
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.look_back import LookBack
from shardwright.runtime.sources.binlog.row_events import RowEvents
from shardwright.runtime.sources.binlog.xa import Ends, Prepares
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.pending import NONE_PENDING, Pending, Span, Xid
from shardwright.specs.findings.remedies import START_OVER

HELD_BYTES: Final = 16 << 20
"""Of row events that are kept until their transactions commit; what is more is read again then."""
_MOST_BYTES: Final = (1 << 31) - 1
"""Of one transaction's row events: their bytes number the rows, in 32 bits with a sign."""
_PLACE_IS_GONE: Final = frozenset({PURGED, "SW8110"})

ChangedRows = tuple[LogEvent, CapturedTable]


class PreparedTransactions:
    """Gets what happens to XA transactions in a range of the log, in order. `pending`: those that are prepared at the
    place that was reached; a new mapping each time it changes, so that a caller may keep one."""

    def __init__(
        self, log: Log, start: LogPosition, pending: Pending = NONE_PENDING, look_back: LookBack | None = None
    ) -> None:
        """`start`: where the range begins. `pending`: those that the caller knows there. Others are looked for."""
        self._log = log
        self._start = start
        self._look_back = look_back or LookBack(log.endpoint, start)
        self.pending = pending
        self.looked_up: dict[Xid, Span] = {}
        """Those that commit in the range and were looked for."""
        self._held: dict[Xid, list[ChangedRows]] = {}
        self._open: list[ChangedRows] | None = []
        """Rows of the transaction that has not been prepared yet; None: they are too large."""
        self._bytes = 0

    def hold(self, event: LogEvent, table: CapturedTable) -> None:
        """Takes in rows of a transaction that is not prepared yet."""
        if self._open is None:
            return
        self._open.append((event, table))
        self._bytes += len(event.data)
        if self._bytes > HELD_BYTES:
            self._bytes -= _bytes_of(self._open)
            self._open = None

    def rows_at(self, event: LogEvent, done: Prepares | Ends) -> Iterator[ChangedRows]:
        """The rows that take effect by `event`, in the order of the log and each at the event's place. Raises Refused
        (SW8118) where they cannot be found."""
        if isinstance(done, Prepares):
            self._prepare(done)
            if not done.one_phase:
                return
        elif not done.commits:
            self._roll_back(done.xid)
            return
        span = self._take(done.xid, event)
        held = self._let_go(done.xid)
        if span is not None:
            yield from _at(event, self._read_again(span, done.xid, event) if held is None else held)

    def _prepare(self, done: Prepares) -> None:
        self.pending = {**self.pending, done.xid: done.span if done.has_rows else None}
        if self._open:
            self._held[done.xid] = self._open
        self._open = []

    def _roll_back(self, xid: Xid) -> None:
        if xid in self.pending:
            self.pending = _without(self.pending, xid)
        else:
            self._look_back.note_end(xid)
        self._let_go(xid)

    def _take(self, xid: Xid, event: LogEvent) -> Span | None:
        if xid in self.pending:
            span = self.pending[xid]
            self.pending = _without(self.pending, xid)
            return span
        found = self._look_back.find(xid)
        if found is None:
            raise self._refusal(xid, event)
        self.looked_up[xid] = found
        return found

    def _let_go(self, xid: Xid) -> list[ChangedRows] | None:
        held = self._held.pop(xid, None)
        self._bytes -= _bytes_of(held or ())
        return held

    def _read_again(self, span: Span, xid: Xid, commit: LogEvent) -> Iterator[ChangedRows]:
        rows, seen = RowEvents(self._log), False
        start = replace(self._start, file=span.file, offset=span.start, created=None)
        try:
            for event in dump(self._log.endpoint, start, replace(start, offset=span.end)):
                try:
                    if event.kind == Kind.TABLE_MAP:
                        rows.describe(event)
                    elif event.kind in ROWS and (table := rows.table_of(event, rows_seen=seen)) is not None:
                        seen = True
                        yield event, table
                except UNREADABLE as error:
                    raise damage_refusal(event, error) from error
        except RuntimeFailure as failure:
            raise self._refusal(xid, commit) if failure.code in _PLACE_IS_GONE else failure from None

    def _refusal(self, xid: Xid, commit: LogEvent) -> Refused:
        return Refused(
            "SW8118",
            f"at {commit.place} the XA transaction {xid} commits, but no log file that {self._log.endpoint} still has "
            f"prepares it: the file was purged, or the server was made from a backup since. Which rows it changed is "
            f"not known: {START_OVER}",
        )


def _at(place: LogEvent, rows: Iterable[ChangedRows]) -> Iterator[ChangedRows]:
    """The rows as if the transaction had been logged at `place`, whose bytes count by themselves."""
    line = 0
    for event, table in rows:
        moved = event._replace(
            timestamp=place.timestamp, file=place.file, start=place.start, end=place.start, line=line
        )
        yield moved, table
        line += len(event.data)  # more than it has rows
        if line > _MOST_BYTES:
            raise Refused(
                "SW8115",
                f"the XA transaction that commits at {place.place} has more than {_MOST_BYTES:,} bytes of rows, and no "
                f"more can be read: make such transactions smaller, then {START_OVER}",
            )


def _without(pending: Pending, xid: Xid) -> Pending:
    return {other: span for other, span in pending.items() if other != xid}


def _bytes_of(rows: Iterable[ChangedRows]) -> int:
    return sum(len(event.data) for event, _ in rows)
