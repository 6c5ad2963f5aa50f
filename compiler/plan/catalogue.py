"""What the source's CREATE TABLE statements say, as data. Made from the committed schema file; also what the binlog
decoder goes by, since binlog row metadata is optional on both servers (hazard C2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from shardwright.specs.findings.diagnostics import Span

INTEGERS = frozenset({"tinyint", "smallint", "mediumint", "int", "bigint"})
TEXTS = frozenset({"char", "varchar", "tinytext", "text", "mediumtext", "longtext"})
BINARIES = frozenset({"binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob"})
SPATIALS = frozenset(
    {
        "geometry",
        "point",
        "linestring",
        "polygon",
        "multipoint",
        "multilinestring",
        "multipolygon",
        "geometrycollection",
    }
)
MARIADB_TYPES = frozenset({"uuid", "inet4", "inet6"})
"""Kept in a few bytes and printed as a text of ASCII characters. Only MariaDB has them."""
NOT_IN_MESSAGES = MARIADB_TYPES | {"vector"}
"""Types of which nobody has shown what the messages of a queue hold."""
_TINY = frozenset({"bit", "tinytext", "tinyblob"})
_SHORT = 255


@dataclass(frozen=True, slots=True)
class ColumnType:
    """A MySQL column type.

    name       lower case, synonyms resolved: bool -> tinyint, integer -> int, numeric -> decimal, json stays json
    length     characters of char/varchar, bytes of binary/varbinary, bits of bit, numbers of vector
    precision  digits of decimal; fractional digits (0..6) of time, datetime, timestamp
    scale      digits after the point of decimal
    labels     members of enum and set, in order
    charset, collation   resolved for text, enum and set; None elsewhere
    """

    name: str
    unsigned: bool = False
    length: int | None = None
    precision: int | None = None
    scale: int | None = None
    labels: tuple[str, ...] = ()
    charset: str | None = None
    collation: str | None = None

    @property
    def is_integer(self) -> bool:
        return self.name in INTEGERS

    @property
    def is_text(self) -> bool:
        return self.name in TEXTS

    @property
    def may_be_long(self) -> bool:
        """Whether a value may have more than some hundred characters or bytes."""
        if self.name in {"char", "varchar", "binary", "varbinary"}:
            return (self.length or 0) > _SHORT
        return (
            self.name == "json" or self.name in SPATIALS or ((self.is_text or self.is_bytes) and self.name not in _TINY)
        )

    @property
    def is_bytes(self) -> bool:
        """Travels as hexadecimal text: its bytes are no characters."""
        return self.name in BINARIES or self.name in SPATIALS or self.name in ("bit", "vector")


def is_one_integer(kinds: Sequence[ColumnType]) -> bool:
    """Whether a key of these columns is one whole number, so that its ranges can be divided."""
    return len(kinds) == 1 and kinds[0].is_integer


@dataclass(frozen=True, slots=True)
class Column:
    """`unreadable` says why it cannot be copied: a column that is excluded is only counted. A `generated` one is
    computed by the server: by `expression`, from the columns that it `reads`; a `stored` one is kept in the row."""

    name: str
    type: ColumnType
    nullable: bool
    generated: bool = False
    stored: bool = False
    expression: str = ""
    reads: tuple[str, ...] = ()
    auto_increment: bool = False
    unreadable: str = ""


EXPRESSION: Final = -1
"""In the place of a length: the part of a key is an expression."""


@dataclass(frozen=True, slots=True)
class UniqueKey:
    name: str
    columns: tuple[str, ...]
    """All that it reads."""

    @property
    def parts(self) -> tuple[tuple[str, int], ...]:
        """Each column, with how much of its value counts, 0: all of it; or an expression's text with EXPRESSION."""
        return tuple((name, 0) for name in self.columns)

    @property
    def whole(self) -> tuple[str, ...]:
        """The columns of which the whole value counts."""
        return tuple(name for name, length in self.parts if not length)

    @property
    def words(self) -> str:
        """Its parts as a CREATE TABLE lists them."""
        return ", ".join(f"{name}({length})" if length > 0 else name for name, length in self.parts)


@dataclass(frozen=True, slots=True)
class PrefixKey(UniqueKey):
    """A unique key that compares only how some of its values begin: so many characters, or bytes of a column that holds
    bytes. `lengths` are those of `columns`, 0 where the whole value counts. Rows do not go by such a key."""

    lengths: tuple[int, ...]

    @property
    def parts(self) -> tuple[tuple[str, int], ...]:
        return tuple(zip(self.columns, self.lengths, strict=True))


@dataclass(frozen=True, slots=True)
class FunctionalKey(PrefixKey):
    """A unique key that compares what the server computes (MySQL's functional key parts). `columns` are first those of
    its other parts, with `lengths`, then those that `expressions` read: MySQL's, in parentheses, over bare names."""

    expressions: tuple[str, ...]

    @property
    def columns_read(self) -> tuple[str, ...]:
        """The columns that the expressions read."""
        return self.columns[len(self.lengths) :]

    @property
    def parts(self) -> tuple[tuple[str, int], ...]:
        columns = zip(self.columns, self.lengths, strict=False)
        return (*columns, *((text, EXPRESSION) for text in self.expressions))


@dataclass(frozen=True, slots=True)
class SourceTable:
    """One table of the schema file. `statement` is its CREATE TABLE; `column_spans` say where each column stands.

    `left_out` are clauses that the statement was read without, `refused` those without which a copy would be another
    table. `partitions` is its PARTITION BY as it was written, empty where it has none."""

    name: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...]
    unique_keys: tuple[UniqueKey, ...]
    statement: exp.Create
    span: Span
    column_spans: Mapping[str, Span]
    left_out: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    partitions: str = ""
    prefix_keys: tuple[PrefixKey, ...] = ()

    def column(self, name: str) -> Column | None:
        """The column of that name, compared without case as the server does; None when there is none."""
        return next((column for column in self.columns if column.name.lower() == name.lower()), None)

    @property
    def every_unique_key(self) -> tuple[UniqueKey, ...]:
        """Beside the primary key: those over whole columns, and those over how values begin or over expressions."""
        return (*self.unique_keys, *self.prefix_keys)

    @property
    def row_key(self) -> tuple[str, ...]:
        """The key that rows go by when the spec names none: the primary key, else the first unique key without NULL,
        as InnoDB itself chooses. Empty when there is none."""
        unique = (key.columns for key in self.unique_keys if all(self._identifies(name) for name in key.columns))
        return self.primary_key or next(unique, ())

    def _identifies(self, name: str) -> bool:
        column = self.column(name)
        return column is not None and not (column.nullable or column.generated or column.unreadable)
