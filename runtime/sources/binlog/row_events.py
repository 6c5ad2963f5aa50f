"""Which rows of a followed table does a row event change, that no run of ours has written? Also which columns the log
has that no catalogue shows.

Used in the driver (scan) and in Spark tasks (read); reads the source server where a table may have hidden columns.
"""

from __future__ import annotations

from functools import partial

from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.sources.binlog.captured_tables import CapturedTable, CapturedTables
from shardwright.runtime.sources.binlog.connection import connect_dump
from shardwright.runtime.sources.binlog.events import LogEvent
from shardwright.runtime.sources.binlog.left_out_rows import LeftOutRows
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.marks import Marks
from shardwright.runtime.sources.binlog.table_map import TableMap

_LONG_KEYS = (
    "SELECT COUNT(DISTINCT index_name) FROM information_schema.statistics WHERE table_schema = %s AND table_name = %s "
    "AND index_type = 'HASH' AND non_unique = 0 AND VERSION() LIKE '%%MariaDB%%'"
)


def may_hide(endpoint: Endpoint, table: TableMap) -> int:
    """How many hidden columns the server may have in this table, as it is now."""
    with connect_dump(endpoint) as connection, connection.cursor() as cursor:
        cursor.execute(_LONG_KEYS, (table.database, table.table))
        return int(cursor.fetchall()[0][0])


class RowEvents:
    """Gets the TABLE_MAP and row events of each transaction in order."""

    def __init__(self, log: Log, left_out: LeftOutRows | None = None) -> None:
        """`left_out` gets the rows of followed tables that our own runs have changed."""
        self._left_out = left_out
        self._followed = CapturedTables(log, partial(may_hide, log.endpoint))
        self._marks = Marks(log.own)
        self._marked = bool(log.own)
        self._only_own, self._rows_seen = log.only_own, False

    @property
    def ours(self) -> bool:
        """Whether a run of ours has written the transaction."""
        return self._marks.ours

    def describe(self, event: LogEvent) -> None:
        """Takes in a TABLE_MAP. Raises Refused when the table is not as in the catalogue."""
        self._followed.describe(event)
        if self._marked:
            self._marks.describe(event)

    def table_of(self, event: LogEvent, *, rows_seen: bool) -> CapturedTable | None:
        """The followed table that a row event changes; None for other tables, and for the transactions of our own runs;
        where the log is read for these, for all others. `rows_seen`: its transaction has rows of followed tables before
        it."""
        table = self._followed.table_of_rows(event)
        if self._marks.tables:
            self._marks.see(event, rows_seen=rows_seen or self._rows_seen)
            if self._marks.ours:
                if table is not None and self._left_out is not None:
                    self._left_out.add(event, table)
                return table if self._only_own else None
        if self._only_own:
            self._rows_seen |= table is not None
            return None
        return table

    def forget(self) -> None:
        """The transaction has ended."""
        self._followed.forget()
        self._rows_seen = False
        if self._marks.tables:
            self._marks.forget()
