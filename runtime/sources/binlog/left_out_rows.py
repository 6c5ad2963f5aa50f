"""Collects what the scan of a range leaves out as our own. There is hardly ever any: a direction begins where the other
one has ended.

Runs in the driver. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.captured_tables import CapturedTable, images_of
from shardwright.runtime.sources.binlog.events import UPDATES, LogEvent
from shardwright.runtime.sources.left_out import NOTHING, LeftOutRange


@dataclass
class LeftOutRows:
    """Gets the row events of our own transactions; `count` ends a transaction."""

    keys: Mapping[str, tuple[int, ...]]
    """Followed table -> which columns of an image are the key."""
    most: int
    """So many keys are kept at the most."""
    _transactions: int = 0
    _rows: int = 0
    _found: dict[str, dict[tuple[str, ...], None]] = field(default_factory=dict)
    _unknown: str = ""
    _open: list[tuple[str, int, list[tuple[str | None, ...]]]] = field(default_factory=list)
    _kept: int = 0

    def add(self, event: LogEvent, table: CapturedTable) -> None:
        at = self.keys.get(table.name, ())
        try:
            images = images_of(event, table.as_logged(event))
        except Refused as why:  # nothing of it would have been read
            self._unknown = self._unknown or why.message
            images = []
        rows = len(images) // 2 if event.kind in UPDATES else len(images)
        keys = [] if self._unknown else list(dict.fromkeys(tuple(image[place] for place in at) for image in images))
        self._kept += len(keys)
        if self._kept > self.most:
            self._unknown = self._unknown or f"they are more than {self.most:,}"
        self._open.append((table.name, rows, keys))

    def count(self) -> None:
        """A transaction has ended."""
        if not self._open:
            return
        self._transactions += 1
        for table, rows, keys in self._open:
            self._rows += rows
            self._found.setdefault(table, {}).update((key, None) for key in map(_whole, keys) if key)
            if not all(map(_whole, keys)):
                self._unknown = self._unknown or f"{table} has no key"
        self._open.clear()
        if self._unknown:
            self._found.clear()

    def summary(self) -> LeftOutRange:
        """Of the transactions that have ended."""
        if not self._transactions:
            return NOTHING
        keys = {table: tuple(some) for table, some in self._found.items()}
        return LeftOutRange(self._transactions, self._rows, {} if self._unknown else keys, self._unknown)


def _whole(key: tuple[str | None, ...]) -> tuple[str, ...]:
    """Empty for a key that names no row."""
    known = tuple(value for value in key if value is not None)
    return known if len(known) == len(key) else ()
