"""A CSV file of keys that somebody exported: typed by the columns of a table."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from shardwright.compiler.catalogue import ColumnType
from shardwright.compiler.plan import TablePlan
from shardwright.runtime.failures import RuntimeFailure


class KeyFile:
    """The file's first line names columns. Raises RuntimeFailure (SW8811) with the line of what cannot be read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            with path.open(encoding="utf-8-sig", newline="") as file:
                lines = list(csv.reader(file))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise RuntimeFailure("SW8811", f"cannot read {path}: {error}") from None
        if len(lines) < 2:
            raise RuntimeFailure("SW8811", f"{path}: a line with column names and at least one key are needed")
        self._names, self._lines = [name.strip() for name in lines[0]], lines[1:]

    def rows(self, table: TablePlan, columns: frozenset[str]) -> Sequence[Mapping[str, object]] | None:
        """Every line as a row of these columns; None when the file lacks one of them."""
        kinds = {column.name: column.type for column in table.source_columns if column.name in columns}
        if not set(kinds) <= set(self._names) or set(kinds) != columns:
            return None
        places = [(name, self._names.index(name)) for name in sorted(kinds)]
        return [
            {name: self._value(line, place, kinds[name], number) for name, place in places}
            for number, line in enumerate(self._lines, start=2)
            if line
        ]

    def _value(self, line: Sequence[str], place: int, kind: ColumnType, number: int) -> object:
        try:
            return _typed(line[place], kind)
        except (ValueError, IndexError):
            shown = line[place] if place < len(line) else "nothing"
            message = f"{self._path}:{number}: '{shown}' is no {kind.name} value (bytes are written as hexadecimal)"
            raise RuntimeFailure("SW8811", message) from None


def _typed(text: str, kind: ColumnType) -> object:
    if kind.is_integer:
        return int(text)
    return bytes.fromhex(text) if kind.is_bytes else text
