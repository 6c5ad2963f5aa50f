"""A CSV file of keys that somebody exported: typed by the columns of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sharding.csv_text import Cell, CsvFault, read_csv
from shardwright.compiler.sharding.key_values import NotOfType, key_value
from shardwright.runtime.failures import RuntimeFailure


class KeyFile:
    """The file's first line names columns. Raises RuntimeFailure (SW8811) with the line of what cannot be read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            lines = list(read_csv(path.read_text("utf-8-sig"), file=str(path)))
        except (OSError, UnicodeDecodeError) as error:
            raise RuntimeFailure("SW8811", f"cannot read {path}: {error}") from None
        except CsvFault as fault:
            raise RuntimeFailure("SW8811", f"{fault.span}: {fault.message}") from None
        if len(lines) < 2:
            raise RuntimeFailure("SW8811", f"{path}: a line with column names and at least one key are needed")
        self._names, self._lines = [cell.text.strip() for cell in lines[0]], lines[1:]

    def rows(self, table: TablePlan, columns: frozenset[str]) -> Sequence[Mapping[str, object]] | None:
        """Every line as a row of these columns; None when the file lacks one of them."""
        known = [Column(c.name, c.type, c.nullable) for c in table.source_columns if c.name in columns]
        names = {column.name for column in known}
        if names != columns or not names <= set(self._names):
            return None
        places = [(column, self._names.index(column.name)) for column in known]
        return [{column.name: self._value(line, place, column) for column, place in places} for line in self._lines]

    def _value(self, line: Sequence[Cell], place: int, column: Column) -> object:
        try:
            return key_value(line[place].text, column)
        except (NotOfType, IndexError):
            shown = line[place].text if place < len(line) else "nothing"
            kind = column.type.name
            message = f"'{shown}' is no {kind} value (bytes are written as hexadecimal)"
            raise RuntimeFailure("SW8811", f"{self._path}:{line[0].span.line}: {message}") from None
