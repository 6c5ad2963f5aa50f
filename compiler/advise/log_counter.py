"""What has a binary log of a database's tables? Writes by table, keys that were updated, and transactions over several
values of a key: exactly, where statements and their digests only let it be guessed. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from shardwright.compiler.advise.candidates import find_candidates
from shardwright.compiler.advise.design import Way, make_design
from shardwright.compiler.advise.references import find_references
from shardwright.compiler.advise.source import LoggedWrites, SourceDatabase
from shardwright.compiler.advise.usage import TableColumn

KeyColumns = Mapping[str, Mapping[str, str]]
"""By a key's name: table -> its column that holds the key. Small letters."""
Row = Mapping[str, str | None]
"""The key columns of a row by name, as the log has them."""


def key_columns(source: SourceDatabase) -> KeyColumns:
    """Of each key that may be right."""
    references = find_references(source)
    found: dict[str, Mapping[str, str]] = {}
    for key in find_candidates(source, references):
        design = make_design(key, source, references, only_key=True)
        placed = {one.table: one.columns[0] for one in design.of_way(Way.KEY)}
        if placed:
            found[key.name] = placed
    return found


@dataclass
class LogCounter:
    """Gets the rows of the log, transaction by transaction."""

    keys: KeyColumns
    _rows: dict[str, Counter[str]] = field(default_factory=lambda: {kind: Counter() for kind in ("+", "~", "-")})
    _updated: Counter[TableColumn] = field(default_factory=Counter)
    _with_key: Counter[str] = field(default_factory=Counter)
    _crossing: Counter[str] = field(default_factory=Counter)
    _open: dict[str, set[str | None]] = field(default_factory=dict)
    _transactions: int = 0
    _has_rows: bool = False

    def columns_of(self, table: str) -> frozenset[str]:
        """Those that `add` wants of the table's rows."""
        return frozenset(placed[table] for placed in self.keys.values() if table in placed)

    def add(self, table: str, before: Row | None, after: Row | None) -> None:
        """A row that was inserted (no `before`), deleted (no `after`) or updated."""
        self._has_rows = True
        kind = "+" if before is None else "-" if after is None else "~"
        self._rows[kind][table] += 1
        if before is not None and after is not None:
            self._updated.update((table, name) for name, value in after.items() if before[name] != value)
        for image in (before, after):
            if image is not None:
                for key, value in self._values(table, image):
                    self._open.setdefault(key, set()).add(value)

    def _values(self, table: str, image: Row) -> Iterator[tuple[str, str | None]]:
        for key, placed in self.keys.items():
            if table in placed:
                yield key, image[placed[table]]

    def end_transaction(self) -> None:
        self._transactions += self._has_rows
        for key, values in self._open.items():
            self._with_key[key] += 1
            self._crossing[key] += len(values) > 1
        self._open, self._has_rows = {}, False

    def writes(self, *, seconds: float) -> LoggedWrites:
        """`seconds` that the log covers."""
        self.end_transaction()
        inserted, updated, deleted = (dict(self._rows[kind]) for kind in ("+", "~", "-"))
        return LoggedWrites(
            seconds,
            self._transactions,
            inserted,
            updated,
            deleted,
            dict(self._updated),
            {key: (count, self._crossing[key]) for key, count in self._with_key.items()},
        )
