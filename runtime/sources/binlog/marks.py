"""Whose transaction is it? Every transaction that a run writes to a target begins with a row of the ledger, which is in
the server's log in the same transaction. So a reader of that log knows the run's own writes and leaves them out whole.

Pure. Used in the driver (scan) and in Spark tasks (read).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.damaged import refusing_damage
from shardwright.runtime.sources.binlog.events import HEADER_SIZE, UPDATES, LogEvent, columns_at
from shardwright.runtime.sources.binlog.table_map import name_of, parse_table_map, table_id_of
from shardwright.specs.findings.remedies import START_OVER

MARKING: Final = frozenset({"_shardwright_step", "_shardwright_chunk_done"})
"""The ledger's tables whose rows begin our transactions. Their first column is the migration's name."""
_SHORT: Final = 256
"""A VARCHAR of fewer bytes than this has one byte before its text, any other has two."""


class Marks:
    """Gets the events of each transaction in order. `ours`: the transaction was written by a run of one of
    `migrations`."""

    def __init__(self, migrations: Collection[str]) -> None:
        self._migrations = frozenset(migrations)
        self._by_description: dict[bytes, int | None] = {}
        self.tables: dict[int, int] = {}
        """The marking tables of the transaction by number, each with how many bytes stand before the text of its first
        column."""
        self.ours = False

    def describe(self, event: LogEvent) -> None:
        """Takes in a TABLE_MAP."""
        description = event.data[HEADER_SIZE:]
        try:
            prefix = self._by_description[description]
        except KeyError:
            prefix = self._by_description[description] = _prefix(event)
        if prefix is not None:
            self.tables[table_id_of(event.data)] = prefix

    def see(self, event: LogEvent, *, rows_seen: bool) -> None:
        """Takes in a row event of a transaction that has marking tables. `rows_seen`: it has rows of followed tables
        before this one. Raises Refused (SW8119) when the mark comes behind such rows: they have been read as an
        application's already."""
        prefix = self.tables.get(table_id_of(event.data))
        if prefix is None or self.ours:
            return
        at = _first_value_at(event)
        length = int.from_bytes(event.data[at : at + prefix], "little")
        if event.data[at + prefix : at + prefix + length].decode("utf-8", "replace") not in self._migrations:
            return
        if rows_seen:
            raise Refused(
                "SW8119",
                f"the transaction at {event.place} has a row of our ledger behind rows of followed tables. A run "
                f"writes its ledger first, so something else wrote to the ledger: {START_OVER}",
            )
        self.ours = True

    def forget(self) -> None:
        """The transaction has ended."""
        self.tables.clear()
        self.ours = False


def _prefix(event: LogEvent) -> int | None:
    if name_of(event).partition(".")[2] not in MARKING:
        return None
    return 1 if int.from_bytes(parse_table_map(event).metadata[0], "little") < _SHORT else 2


@refusing_damage
def _first_value_at(event: LogEvent) -> int:
    """Where the first column of the first row begins: a VARCHAR that is not NULL. All our statements write it, and it
    is part of the primary key, so it is in the image whatever binlog_row_image is."""
    count, at = columns_at(event)
    bitmap = (count + 7) // 8
    present = int.from_bytes(event.data[at : at + bitmap], "little") & ((1 << count) - 1)
    return at + bitmap * (2 if event.kind in UPDATES else 1) + (present.bit_count() + 7) // 8
