"""Values that are only compared and taken apart: decimals, dates and times, and columns that nothing but IS NULL is
asked of.

Spark and Python see a date or time as its canonical text. Texts of one width are ordered as the server orders the
values, zero dates first.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    Expression,
    IntegerExpression,
    MysqlInteger,
    Qualify,
    Row,
    plain_column,
)
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.expressions.leaves import DATES, ColumnLeaf, TextLeaf, column_expression
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.sql import sql_text as sql

MOST_DIGITS = 38
"""Spark's decimals."""


class DecimalExpression(Expression):
    """An exact number with `whole` digits before and `scale` digits after the point."""

    __slots__ = ()
    evaluate: Callable[[Row], Decimal | None]

    @property
    @abstractmethod
    def whole(self) -> int: ...

    @property
    @abstractmethod
    def scale(self) -> int: ...


@dataclass(frozen=True, slots=True)
class DecimalLiteral(DecimalExpression):
    value: Decimal

    @property
    def whole(self) -> int:
        return max(1, len(str(abs(int(self.value)))))

    @property
    def scale(self) -> int:
        exponent = self.value.as_tuple().exponent
        return max(0, -exponent) if isinstance(exponent, int) else 0

    def _compute(self) -> Decimal:
        return self.value

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        return exp.cast(sql.text(f"{self.value:f}"), f"DECIMAL({self.whole + self.scale}, {self.scale})")

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        literal = exp.Literal.number(f"{abs(self.value):f}")
        return exp.Neg(this=literal) if self.value < 0 else literal


class DecimalColumn(ColumnLeaf, DecimalExpression):
    __slots__ = ()
    python = Decimal

    @property
    def whole(self) -> int:
        return (self.type.precision or 10) - self.scale

    @property
    def scale(self) -> int:
        return self.type.scale or 0


class MomentExpression(Expression):
    """A DATE (`fraction` None) or a DATETIME with so many digits of a second, as canonical text in Spark and Python."""

    __slots__ = ()
    evaluate: Callable[[Row], str | None]

    @property
    @abstractmethod
    def fraction(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class MomentLiteral(MomentExpression):
    """`text` is canonical text of a DATE or DATETIME(`fraction`)."""

    text: str
    fraction: int | None

    def _compute(self) -> str:
        return self.text

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        return sql.text(self.text)

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        kind = "DATE" if self.fraction is None else f"DATETIME({self.fraction})"
        return exp.cast(sql.text(self.text), kind, dialect="mysql")


class MomentColumn(ColumnLeaf, MomentExpression):
    """A DATE, DATETIME or TIMESTAMP column; a TIMESTAMP's digits are those of UTC."""

    __slots__ = ()
    python = str

    @property
    def fraction(self) -> int | None:
        return None if self.type.name == "date" else self.type.precision or 0


class YearColumn(ColumnLeaf, IntegerExpression):
    """A YEAR as the number it is. MySQL's form is cast, because a bare comparison takes 24 for 2024."""

    __slots__ = ()
    python = int
    interval = Interval(0, 2155)
    mysql_type = MysqlInteger.SIGNED

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        return exp.cast(qualify(self.name), "SIGNED", dialect="mysql")


class EnumColumn(TextLeaf):
    """An ENUM as its label."""

    __slots__ = ()

    @property
    def longest(self) -> int | None:
        return max(map(len, self.type.labels))


class OpaqueColumn(ColumnLeaf):
    """A column of a type that can be asked for NULL and nothing else: FLOAT, TIME, SET, JSON and others."""

    __slots__ = ()

    def evaluate(self, row: Row, /) -> str | None:
        value = row[self.name]
        return None if value is None else str(value)


def any_column(column: Column) -> Expression:
    """The leaf for a column of any type: what `where` and `derive` read."""
    kind = column.type
    made = column_expression(column)
    if made is not None:
        return made
    if kind.name == "decimal" and (kind.precision or 10) <= MOST_DIGITS:
        return DecimalColumn(column.name, kind, column.nullable)
    if kind.name in DATES:
        return MomentColumn(column.name, kind, column.nullable)
    if kind.name == "year":
        return YearColumn(column.name, kind, column.nullable)
    if kind.name == "enum":
        return EnumColumn(column.name, kind, column.nullable)
    return OpaqueColumn(column.name, kind, column.nullable)
