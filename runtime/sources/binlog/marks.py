"""Whose transaction is it? Every transaction that a run writes to a target begins with a row of the ledger, which is in
the server's log in the same transaction. So a reader of that log knows the run's own writes and leaves them out whole.

Anybody may have a table of that name. So a row counts only in the databases that have the ledgers, and only where it
comes before all rows of followed tables: a run writes it first. An account that may write to the ledger can imitate it:
what is left out is counted, and compared by a cutover (`left_out`).

Pure. Used in the driver (scan) and in Spark tasks (read).
"""

from __future__ import annotations

from typing import Final

from shardwright.runtime.sources.binlog.damage import refuse_damage
from shardwright.runtime.sources.binlog.events import HEADER_SIZE, UPDATES, LogEvent, columns_at
from shardwright.runtime.sources.binlog.log import Own
from shardwright.runtime.sources.binlog.table_map import name_of, parse_table_map, table_id_of

MARKING: Final = frozenset({"_shardwright_step", "_shardwright_chunk_done"})
"""The ledger's tables whose rows begin our transactions. Their first column is the migration's name."""
_SHORT: Final = 256
"""A VARCHAR of fewer bytes than this has one byte before its text, any other has two."""


class Marks:
    """Gets the events of each transaction in order. `ours`: the transaction was written by a run, with a row in one of
    the ledgers `own`."""

    def __init__(self, own: Own) -> None:
        self._own = own
        self._databases = frozenset(database for database, _ in own)
        self._by_description: dict[bytes, tuple[str, int] | None] = {}
        self.tables: dict[int, tuple[str, int]] = {}
        """The marking tables of the transaction by number: the database, and how many bytes stand before the text of
        the first column."""
        self.ours = False

    def describe(self, event: LogEvent) -> None:
        """Takes in a TABLE_MAP."""
        description = event.data[HEADER_SIZE:]
        try:
            marking = self._by_description[description]
        except KeyError:
            marking = self._by_description[description] = self._read_mark_table(event)
        if marking is not None:
            self.tables[table_id_of(event.data)] = marking

    def see(self, event: LogEvent, *, rows_seen: bool) -> None:
        """Takes in a row event of a transaction that has marking tables. `rows_seen`: it has rows of followed tables
        before this one, so that it is an application's, whatever it writes to the ledger."""
        marking = self.tables.get(table_id_of(event.data))
        if marking is None or self.ours or rows_seen:
            return
        database, prefix = marking
        at = _first_value_at(event)
        length = int.from_bytes(event.data[at : at + prefix], "little")
        migration = event.data[at + prefix : at + prefix + length].decode("utf-8", "replace")
        self.ours = (database, migration) in self._own

    def forget(self) -> None:
        """The transaction has ended."""
        self.tables.clear()
        self.ours = False

    def _read_mark_table(self, event: LogEvent) -> tuple[str, int] | None:
        if name_of(event).rpartition(".")[2] not in MARKING:
            return None
        described = parse_table_map(event)
        if described.table not in MARKING or described.database not in self._databases:
            return None
        return described.database, 1 if int.from_bytes(described.metadata[0], "little") < _SHORT else 2


@refuse_damage
def _first_value_at(event: LogEvent) -> int:
    """Where the first column of the first row begins: a VARCHAR that is not NULL. All our statements write it, and it
    is part of the primary key, so it is in the image whatever binlog_row_image is."""
    count, at = columns_at(event)
    bitmap = (count + 7) // 8
    present = int.from_bytes(event.data[at : at + bitmap], "little") & ((1 << count) - 1)
    return at + bitmap * (2 if event.kind in UPDATES else 1) + (present.bit_count() + 7) // 8
