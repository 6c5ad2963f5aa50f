"""Columns and literals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from sqlglot import exp

from shardwright.compiler.expressions.addresses import LONGEST
from shardwright.compiler.expressions.expression import (
    BytesExpression,
    Expression,
    IntegerExpression,
    MysqlInteger,
    Qualify,
    Row,
    SameSql,
    TextExpression,
    plain_column,
    utf8mb4,
)
from shardwright.compiler.expressions.interval import Interval, integer_interval
from shardwright.compiler.plan.catalogue import MARIADB_TYPES, Column, ColumnType
from shardwright.compiler.sql import sql_text

_PythonType = type  # leaves have a field of that name
_HASHABLE_BYTES = frozenset({"binary", "varbinary"})
DATES = frozenset({"date", "datetime", "timestamp"})


@dataclass(frozen=True, slots=True)
class IntegerLiteral(SameSql, IntegerExpression):
    value: int

    @property
    def interval(self) -> Interval:
        return Interval(self.value, self.value)

    @property
    def mysql_type(self) -> MysqlInteger:
        # -2**63 is written as the negation of a number that no BIGINT holds, hence the strict bound below
        if -(2**63) < self.value < 2**63:
            return MysqlInteger.SIGNED
        return MysqlInteger.UNSIGNED if 0 <= self.value < 2**64 else MysqlInteger.DECIMAL

    def _compute(self) -> int:
        return self.value

    def _sql(self) -> exp.Expr:
        return sql_text.number(self.value)


@dataclass(frozen=True, slots=True)
class TextLiteral(SameSql, TextExpression):
    """Printable ASCII without a backslash (the parser sees to it): the same bytes under every connection character set
    and every SQL mode."""

    value: str

    @property
    def longest(self) -> int | None:
        return len(self.value)

    def _compute(self) -> str:
        return self.value

    def _sql(self) -> exp.Expr:
        return sql_text.text(self.value)


@dataclass(frozen=True, slots=True)
class ColumnLeaf(Expression):
    """A column by its name: as it stands in Spark, and in MySQL unless a type says otherwise."""

    name: str
    type: ColumnType
    nullable: bool

    python: ClassVar[_PythonType]
    """What the column's values are in Python."""

    def columns(self) -> frozenset[str]:
        return frozenset({self.name})

    def evaluate(self, row: Row, /) -> Any:
        """Raises TypeError for a value of another type than `python`."""
        value = row[self.name]
        if value is not None and not isinstance(value, self.python):
            raise TypeError(f"column {self.name}: expected {self.python.__name__}, got {type(value).__name__}")
        return value

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        return qualify(self.name)

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        return qualify(self.name)


class IntegerColumn(ColumnLeaf, IntegerExpression):
    __slots__ = ()
    python = int

    @property
    def interval(self) -> Interval:
        return integer_interval(self.type)

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.UNSIGNED if self.type.unsigned else MysqlInteger.SIGNED


class TextLeaf(ColumnLeaf, TextExpression):
    """A column whose values MySQL's form casts to utf8mb4."""

    __slots__ = ()
    python = str

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        return utf8mb4(qualify(self.name))


class TextColumn(TextLeaf):
    __slots__ = ()

    @property
    def longest(self) -> int | None:
        return self.type.length


class DateColumn(TextLeaf):
    """A DATE, DATETIME or TIMESTAMP by its canonical text, which begins with `YYYY-MM-DD`. A TIMESTAMP is in UTC: every
    session of the tool is."""

    __slots__ = ()
    longest = 26


class AddressColumn(TextLeaf):
    """A UUID, INET4 or INET6 as the server prints it."""

    __slots__ = ()

    @property
    def longest(self) -> int | None:
        return LONGEST[self.type.name]


class BytesColumn(ColumnLeaf, BytesExpression):
    """A BINARY(n) is hashed with the zero bytes the server pads it with, so a row must carry them (hazard C17)."""

    __slots__ = ()
    python = bytes


def column_expression(column: Column) -> Expression | None:
    """The leaf for a column; None when its type cannot decide about shards."""
    kind = column.type
    if kind.is_integer:
        return IntegerColumn(column.name, kind, column.nullable)
    if kind.is_text and kind.charset != "binary":
        return TextColumn(column.name, kind, column.nullable)
    if kind.name in MARIADB_TYPES:
        return AddressColumn(column.name, kind, column.nullable)
    if kind.name in _HASHABLE_BYTES:
        return BytesColumn(column.name, kind, column.nullable)
    return None
