"""Which events a range of the log has, each with its table and transaction: one reader for the scan and for the read,
since both must agree on what a transaction is. Also which columns the log has that no catalogue shows.

Runs in the driver (scan) and in Spark tasks (read); reads the source server.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.sources.binlog.connection import connected
from shardwright.runtime.sources.binlog.damaged import UNREADABLE, damaged
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.events import ROWS, Kind, LogEvent, rotate_to
from shardwright.runtime.sources.binlog.followed import FollowedTable, FollowedTables
from shardwright.runtime.sources.binlog.log_range import Log
from shardwright.runtime.sources.binlog.marks import Marks
from shardwright.runtime.sources.binlog.position import FIRST_OFFSET, LogPosition
from shardwright.runtime.sources.binlog.table_map import TableMap
from shardwright.runtime.sources.binlog.transactions import Transactions

_LONG_KEYS = (
    "SELECT COUNT(DISTINCT index_name) FROM information_schema.statistics WHERE table_schema = %s AND table_name = %s "
    "AND index_type = 'HASH' AND non_unique = 0 AND VERSION() LIKE '%%MariaDB%%'"
)


def may_hide(endpoint: Endpoint, table: TableMap) -> int:
    """How many hidden columns the server may have in this table, as it is now."""
    with connected(endpoint) as connection, connection.cursor() as cursor:
        cursor.execute(_LONG_KEYS, (table.database, table.table))
        return int(cursor.fetchall()[0][0])


_TABLE_MAP = int(Kind.TABLE_MAP)  # plain: compared for every event


class Step(NamedTuple):
    """One event. `table` is set for rows of a captured table. `inside`: the position after it is inside a transaction.
    `committed_at`: the time of the last transaction end so far (seconds since 1970); None before the first."""

    event: LogEvent
    table: FollowedTable | None
    inside: bool
    committed_at: int | None

    @property
    def after(self) -> LogPosition:
        """The position after the event: after a rotation that is the start of the next file."""
        if self.event.kind == Kind.ROTATE:
            return LogPosition(rotate_to(self.event.data).file, FIRST_OFFSET)
        return LogPosition(self.event.file, self.event.end)


def walk(log: Log, start: LogPosition, end: LogPosition) -> Iterator[Step]:
    """Every event of [start, end), judged. `start` must be a transaction boundary. Rows of transactions that runs of
    the migrations `log.own` have written are nobody's. Raises Refused for an event that cannot be followed."""
    followed = FollowedTables(log, partial(may_hide, log.endpoint))
    transactions = Transactions(log.tables)
    marks = Marks(log.own)
    for event in dump(log.endpoint, start, end):
        table = None
        try:
            transactions.feed(event)
            if event.kind == _TABLE_MAP:
                followed.describe(event)
                if log.own:
                    marks.describe(event)
            elif event.kind in ROWS:
                table = followed.changed_by(event)
                if marks.tables:
                    marks.see(event, rows_seen=transactions.holds_followed_rows)
                    table = None if marks.ours else table
                if table is not None:
                    transactions.followed_rows_seen()
        except UNREADABLE as error:
            raise damaged(event, error) from error
        if not transactions.inside:
            followed.forget()
            if marks.tables:
                marks.forget()
        yield Step(event, table, transactions.inside, transactions.committed_at)
