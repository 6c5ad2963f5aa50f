"""The contract of the expression tree: what every node can say about itself and the three forms it takes (MySQL, Spark,
Python); with the interval of values that an integer node can take, and the casts that the forms share.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqlglot import exp

from shardwright.compiler.sql import sql_text

SIGNED_64_LOW = -(2**63)
SIGNED_64_HIGH = 2**63 - 1
DECIMAL_38_HIGH = 10**38 - 1


def truncated_quotient(dividend: int, divisor: int) -> int:
    """Division as DIV does it: towards zero (Python's own `//` rounds down)."""
    if dividend >= 0 and divisor > 0:
        return dividend // divisor
    quotient = abs(dividend) // abs(divisor)
    return quotient if (dividend < 0) == (divisor < 0) else -quotient


def remainder(dividend: int, divisor: int) -> int:
    """The remainder as MySQL's and Spark's `%` give it: with the sign of the dividend (Python's takes the
    divisor's)."""
    if dividend >= 0 and divisor > 0:
        return dividend % divisor
    rest = abs(dividend) % abs(divisor)
    return -rest if dividend < 0 else rest


@dataclass(frozen=True, slots=True)
class Interval:
    """Every integer from `low` to `high`, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"

    @property
    def fits_signed_64(self) -> bool:
        return self.low >= SIGNED_64_LOW and self.high <= SIGNED_64_HIGH

    @property
    def fits_decimal_38(self) -> bool:
        return self.low >= -DECIMAL_38_HIGH and self.high <= DECIMAL_38_HIGH

    def within(self, other: Interval) -> bool:
        return other.low <= self.low and self.high <= other.high

    def union(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def plus(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def minus(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def times(self, other: Interval) -> Interval:
        corners = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(corners), max(corners))

    def negated(self) -> Interval:
        return Interval(-self.high, -self.low)

    def modulo(self, divisor: int) -> Interval:
        """Of `% divisor`, which takes the dividend's sign. Exact when no value reaches the divisor."""
        largest = abs(divisor) - 1
        if -largest <= self.low and self.high <= largest:
            return self
        return Interval(max(self.low, -largest) if self.low < 0 else 0, min(self.high, largest) if self.high > 0 else 0)

    def divided(self, divisor: int) -> Interval:
        """Of `div divisor`, which rounds towards zero and so keeps or reverses the order."""
        ends = [truncated_quotient(self.low, divisor), truncated_quotient(self.high, divisor)]
        return Interval(min(ends), max(ends))


Qualify = Callable[[str], exp.Expr]
"""Gives the SQL node that stands for a column, by the column's name."""

Row = Mapping[str, object]
"""A row as Python sees it: integers as int, text as str, binary as bytes, NULL as None."""


def unqualified(name: str) -> exp.Expr:
    return sql_text.column(name)


class NoMysqlForm(Exception):
    """MySQL cannot compute this expression; the text says why, as the end of a sentence."""


class Expression(ABC):
    """A node of the tree. Immutable; its three forms give the same value for every row. `mysql` raises NoMysqlForm where
    there is none.

    Spark's form expects typed columns: integers up to BIGINT as BIGINT, BIGINT UNSIGNED as DECIMAL(20,0), text as
    STRING, binary as BINARY.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def nullable(self) -> bool:
        """Whether the value may be NULL."""

    @abstractmethod
    def columns(self) -> frozenset[str]:
        """The names of the columns the value depends on."""

    @abstractmethod
    def evaluate(self, row: Row) -> object: ...

    @abstractmethod
    def spark(self, qualify: Qualify = unqualified) -> exp.Expr: ...

    @abstractmethod
    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr: ...


class MysqlInteger(StrEnum):
    """What type the MySQL form of an integer expression has: it decides where casts are needed, because a subtraction
    with one unsigned operand fails when its result is negative."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"
    DECIMAL = "decimal"


class IntegerExpression(Expression):
    """An integer within `interval`. Spark's form is a BIGINT exactly when the interval fits one, else a DECIMAL without
    fraction (a bare literal may be an INT)."""

    __slots__ = ()

    @property
    @abstractmethod
    def interval(self) -> Interval: ...

    @property
    @abstractmethod
    def mysql_type(self) -> MysqlInteger: ...

    @abstractmethod
    def evaluate(self, row: Row) -> int | None: ...


class TextExpression(Expression):
    """Unicode text. MySQL's form is always in utf8mb4, so that its bytes are the UTF-8 bytes of the other two forms."""

    __slots__ = ()

    @property
    @abstractmethod
    def longest(self) -> int | None:
        """The most characters the text can have; None when nothing is known."""

    @abstractmethod
    def evaluate(self, row: Row) -> str | None: ...


class BytesExpression(Expression):
    """Bytes, compared and hashed as they are."""

    __slots__ = ()

    @abstractmethod
    def evaluate(self, row: Row) -> bytes | None: ...


_MYSQL_TYPES = {
    MysqlInteger.SIGNED: exp.DType.BIGINT,
    MysqlInteger.UNSIGNED: exp.DType.UBIGINT,
}


def bracketed(node: exp.Expr) -> exp.Expr:
    """The node as an operand: in brackets when it is itself an operation."""
    return exp.Paren(this=node) if isinstance(node, exp.Binary | exp.Neg) and not _is_number(node) else node


def _is_number(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) or (isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal))


def decimal_38(node: exp.Expr) -> exp.Expr:
    return sql_text.cast(node, "DECIMAL(38, 0)")


def spark_bigint(node: exp.Expr) -> exp.Expr:
    return sql_text.cast(node, "BIGINT")


def spark_string(node: exp.Expr) -> exp.Expr:
    return sql_text.cast(node, "STRING", "spark")


def spark_binary(node: exp.Expr) -> exp.Expr:
    return sql_text.cast(node, "BINARY", "spark")


def utf8mb4(node: exp.Expr) -> exp.Expr:
    """`CAST(x AS CHAR CHARACTER SET utf8mb4)`: what `CONVERT(x USING utf8mb4)` means, in the spelling sqlglot keeps."""
    to = exp.DataType(this=exp.DType.CHARACTER_SET, kind=exp.Var(this="utf8mb4"))
    return exp.Cast(this=node, to=to)


def mysql_cast(node: exp.Expr, to: MysqlInteger) -> exp.Expr:
    if to is MysqlInteger.DECIMAL:
        return decimal_38(node)
    return exp.Cast(this=node, to=exp.DataType(this=_MYSQL_TYPES[to]))


def mysql_operand(value: IntegerExpression, qualify: Qualify, wanted: MysqlInteger) -> exp.Expr:
    """The MySQL form of `value` as an operand of type `wanted`."""
    node = value.mysql(qualify)
    if value.mysql_type is wanted:
        return bracketed(node)
    return mysql_cast(node, wanted)


def spark_operand(value: IntegerExpression, qualify: Qualify, *, decimal: bool) -> exp.Expr:
    """The Spark form of `value` as an operand of BIGINT or DECIMAL arithmetic."""
    node = value.spark(qualify)
    return decimal_38(node) if decimal and not _is_number(node) else bracketed(node)
