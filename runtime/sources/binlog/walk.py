"""Which events a range of the log has, each with its table and transaction: one reader for the scan and for the read,
since both must agree on what a transaction is.

Runs in the driver (scan) and in Spark tasks (read); reads the source server.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shardwright.runtime.sources.binlog.captured_tables import CapturedTable
from shardwright.runtime.sources.binlog.damage import UNREADABLE, damage_refusal
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.events import ROWS, Kind, LogEvent, rotate_to
from shardwright.runtime.sources.binlog.left_out_rows import LeftOutRows
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.prepared_transactions import PreparedTransactions
from shardwright.runtime.sources.binlog.row_events import RowEvents
from shardwright.runtime.sources.binlog.transactions import Transactions
from shardwright.runtime.sources.positions.log_position import FIRST_OFFSET, LogPosition

_TABLE_MAP = int(Kind.TABLE_MAP)  # plain: compared for every event


class Step(NamedTuple):
    """One event. `table` is set for rows of a captured table; its decoder fits the columns that they have. `changes`:
    it has such rows, or those that a run of ours wrote. `inside`: the position after it is inside a transaction.
    `committed_at`: the time of the last transaction end so far (seconds since 1970); None before the first. `size`: the
    bytes of the log that are read for it."""

    event: LogEvent
    table: CapturedTable | None
    inside: bool
    committed_at: int | None
    size: int
    changes: bool

    @property
    def after(self) -> LogPosition:
        """The position after the event: after a rotation that is the start of the next file."""
        if self.event.kind == Kind.ROTATE:
            return LogPosition(rotate_to(self.event.data).file, FIRST_OFFSET)
        return LogPosition(self.event.file, self.event.end)


def walk(
    log: Log,
    start: LogPosition,
    end: LogPosition,
    prepared: PreparedTransactions | None = None,
    left_out: LeftOutRows | None = None,
) -> Iterator[Step]:
    """Every event of [start, end), judged. `start` must be a transaction boundary. Rows of transactions that our own
    runs (`log.own`) have written are nobody's; `left_out` gets those of captured tables. Rows of an XA transaction come
    once more where it commits, and only there they have their table. `prepared` is for `start`. Raises Refused for an
    event that cannot be followed."""
    rows = RowEvents(log, left_out)
    transactions = Transactions(log.tables, log.meant)
    prepared = prepared or PreparedTransactions(log, start)
    for event in dump(log.endpoint, start, end):
        table, changes = None, False
        committed_at = transactions.committed_at
        try:
            transactions.feed(event)
            if event.kind == _TABLE_MAP:
                rows.describe(event)
            elif event.kind in ROWS:
                table = rows.table_of(event, rows_seen=transactions.holds_followed_rows)
                changes = table is not None or rows.ours
                if table is not None:
                    transactions.note_followed_rows()
                    if transactions.commits_elsewhere:
                        prepared.hold(event, table)
                        table = None
                    else:
                        table = table.as_logged(event)
        except UNREADABLE as error:
            raise damage_refusal(event, error) from error
        if transactions.xa is not None:
            for moved, changed in prepared.rows_at(event, transactions.take_xa()):
                yield Step(
                    moved,
                    changed.as_logged(moved),
                    inside=True,
                    committed_at=committed_at,
                    size=len(moved.data),
                    changes=True,
                )
        if not transactions.inside:
            rows.forget()
        yield Step(event, table, transactions.inside, transactions.committed_at, event.end - event.start, changes)
