"""How the objects in messages become row images of the captured tables.

Pure. Used in Spark tasks, and in the driver for single messages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NoReturn

from shardwright.compiler.plan.catalogue import Column
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.messages.column_texts import CannotCarry, Read, Unreadable
from shardwright.runtime.sources.messages.json_text import kind_and_length, quote
from shardwright.runtime.sources.messages.outcome import Image
from shardwright.specs.findings.remedies import START_OVER

ReaderOf = Callable[[Column], Read]
"""Gives the function that reads a column as a format writes it. Raises CannotCarry when the column cannot be read
exactly."""
Hidden = Mapping[str, frozenset[str]]
"""Table ("database.table") -> the columns whose values no failure may show, since the spec masks them or leaves them
out."""
NOTHING_HIDDEN: Hidden = {}


@dataclass(frozen=True, slots=True)
class TableImages:
    """Makes images of one table."""

    format: str
    """Name of the format, for failures."""
    table: str
    """As "database.table"."""
    columns: tuple[Column, ...]
    """All columns, in table order."""
    readers: tuple[Read, ...]
    """For each column the function that makes its canonical text."""
    values_of: Callable[[Mapping[str, Any]], Sequence[Any]]
    """Takes the values of all columns out of a row, in table order; raises KeyError where one is absent."""
    places: Mapping[str, int]
    """Column name -> index in `columns`."""
    hidden: frozenset[str] = frozenset()
    """Columns whose values no failure may show."""

    def image(self, row: Any, where: object) -> Image:
        """The image of an object that must hold every column of the table and nothing else."""
        return self._image(self._all_values(row, where), where)

    def pair(self, before: Any, after: Any, where: object) -> tuple[Image, Image]:
        """The images of a row before and after a change. A value that did not change is read once."""
        old, new = self._all_values(before, where), self._all_values(after, where)
        image = self._image(new, where)
        texts: list[str | None] = list(image)
        for place, value in enumerate(old):
            other = new[place]
            if value != other or value.__class__ is not other.__class__:
                texts[place] = None if value is None else self._text(place, value, where)
        self._require_not_null(texts, where)
        return tuple(texts), image

    def _image(self, values: Sequence[Any], where: object) -> Image:
        texts: list[str | None] = []
        for reader, value in zip(self.readers, values, strict=True):
            if value is None:
                texts.append(None)
            else:
                try:
                    texts.append(reader(value))
                except Unreadable as why:
                    self._refuse_value(len(texts), value, why, where)
        self._require_not_null(texts, where)
        return tuple(texts)

    def _text(self, place: int, value: Any, where: object) -> str:
        try:
            return self.readers[place](value)
        except Unreadable as why:
            self._refuse_value(place, value, why, where)

    def overlaid(self, after: Image, old: Any, where: object) -> Image:
        """The image before a change, made of the image after it and the columns that differed."""
        if not isinstance(old, dict):
            raise Refused("SW8432", f"{self._message(where)}: the old values are {self._display(old)}, not an object")
        texts: list[str | None] = list(after)
        for name, value in old.items():
            place = self.places.get(name)
            if place is None:
                self._refuse_unknown(name, where)
            texts[place] = None if value is None else self._text(place, value, where)
        self._require_not_null(texts, where)
        return tuple(texts)

    def _all_values(self, row: Any, where: object) -> Sequence[Any]:
        try:
            values = self.values_of(row)
        except (KeyError, TypeError):
            self._refuse_row(row, where)
        if len(row) != len(self.columns):
            self._refuse_row(row, where)
        return values

    def _refuse_row(self, row: Any, where: object) -> NoReturn:
        if not isinstance(row, dict):
            raise Refused("SW8432", f"{self._message(where)}: a row is {self._display(row)}, not an object")
        for column in self.columns:
            if column.name not in row:
                raise Refused(
                    "SW8433",
                    f"{self._message(where)}: the row lacks column {column.name}. Either the session that wrote it did "
                    "not have binlog_row_image=FULL, or the producer leaves columns or NULLs out, or the table was "
                    f"altered. Have whole rows written, then {START_OVER}, because the values are lost",
                )
        self._refuse_unknown(next(name for name in row if name not in self.places), where)

    def _refuse_unknown(self, name: str, where: object) -> NoReturn:
        raise Refused(
            "SW8434",
            f"{self._message(where)}: the row has column {quote(name)}, which the schema file does not have: the table "
            "was altered. Import the schema as it was at that message, compile, resume",
        )

    def _refuse_value(self, place: int, value: Any, why: Unreadable, where: object) -> NoReturn:
        name = self.columns[place].name
        reason = str(why)
        if name in self.hidden:
            kind = self.columns[place].type.name
            reason = f"{kind_and_length(value)} is no {kind} (not shown: the spec masks the column or leaves it out)"
        raise Refused(
            "SW8435",
            f"{self._message(where)}, column {name}: {reason}. The row cannot be taken exactly; when the "
            "schema file and the stream's options in the spec are right, read the source's binary log instead",
        ) from None

    def _require_not_null(self, texts: Sequence[str | None], where: object) -> None:
        if None in texts:
            for column, text in zip(self.columns, texts, strict=True):
                if text is None and not column.nullable:
                    raise Refused(
                        "SW8433",
                        f"{self._message(where)}: column {column.name} is NOT NULL and arrives as null: the message "
                        f"holds a part of a row, or the table was altered. Fix that, then {START_OVER}",
                    )

    def _display(self, row: Any) -> str:
        """What a failure shows of something in a row's place, which may hold the row's values."""
        return kind_and_length(row) if self.hidden else quote(row)

    def _message(self, where: object) -> str:
        return f"{where} ({self.format}), table {self.table}"


class FollowedImages:
    """The `TableImages` of each captured table, made when its first message comes."""

    def __init__(
        self,
        stream_format: str,
        tables: Mapping[str, tuple[Column, ...]],
        reader_of: ReaderOf,
        hidden: Hidden = NOTHING_HIDDEN,
    ) -> None:
        self._format = stream_format
        self._columns = tables
        self._folded = {name.casefold(): name for name in tables}
        self._reader_of = reader_of
        self._hidden = hidden
        self._made: dict[str, TableImages | None] = {}

    def display(self, message: Any) -> str:
        """What a failure shows of a message whose table is not known, which may hold a row's values."""
        return kind_and_length(message) if any(self._hidden.values()) else quote(message)

    def of(self, database: str, table: str, where: object) -> TableImages | None:
        """The images of a table; None for a table that is not captured. Raises Refused when the format cannot carry one
        of its columns."""
        name = f"{database}.{table}"
        try:
            return self._made[name]
        except KeyError:
            made = self._made[name] = self._make(name, where)
            return made

    def _make(self, name: str, where: object) -> TableImages | None:
        columns = self._columns.get(name)
        if columns is None:
            followed = self._folded.get(name.casefold())
            if followed is None:
                return None
            raise Refused(
                "SW8434",
                f"{where} ({self._format}) names table {name}, the schema {followed}: not every server distinguishes "
                "names that differ by case only, so they are refused",
            )
        names = [column.name for column in columns]
        return TableImages(
            self._format,
            name,
            columns,
            tuple(self._reader(name, column, where) for column in columns),
            itemgetter(*names) if len(names) > 1 else lambda row: (row[names[0]],),
            {column: place for place, column in enumerate(names)},
            self._hidden.get(name, frozenset()),
        )

    def _reader(self, table: str, column: Column, where: object) -> Read:
        try:
            return self._reader_of(column)
        except CannotCarry as why:
            raise Refused(
                "SW8436",
                f"{self._format} cannot carry column {column.name} of table {table}, first met at {where}: {why}",
            ) from None
