"""The base of the expression tree: what every node can say about itself and the three forms it takes (MySQL, Spark,
Python); with the casts that the forms share.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar

from sqlglot import exp

from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.sql import sql_text

Qualify = Callable[[str], exp.Expr]
"""Gives the SQL node that stands for a column, by the column's name."""

Row = Mapping[str, object]
"""A row as Python sees it: integers as int, text as str, binary as bytes, NULL as None."""


def plain_column(name: str) -> exp.Expr:
    return sql_text.column(name)


class NoMysqlForm(Exception):
    """MySQL cannot compute this expression; the text says why, as the end of a sentence."""


class Expression(ABC):
    """A node of the tree: a frozen dataclass. Its three forms give the same value for every row. `mysql` raises
    NoMysqlForm where there is none. A node overrides what does not simply follow from its operands.

    Spark's form expects typed columns: integers up to BIGINT as BIGINT, BIGINT UNSIGNED as DECIMAL(20,0), text as
    STRING, binary as BINARY.
    """

    __slots__ = ("_operands",)
    _operands: tuple[Expression, ...]
    __match_args__: ClassVar[tuple[str, ...]] = ()

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The expressions among the node's fields, in their order."""
        try:
            return self._operands
        except AttributeError:  # kept at the first use: a node is evaluated for thousands of rows
            found = tuple(_expressions(getattr(self, name) for name in self.__match_args__))
            object.__setattr__(self, "_operands", found)
            return found

    @property
    def nullable(self) -> bool:
        """Whether the value may be NULL."""
        return any(operand.nullable for operand in self.operands)

    def columns(self) -> frozenset[str]:
        """The names of the columns the value depends on."""
        return frozenset().union(*(operand.columns() for operand in self.operands))

    def evaluate(self, row: Row, /) -> Any:
        """The value: NULL where an operand is, else what `_compute` makes of the operands' values."""
        values = [operand.evaluate(row) for operand in self.operands]
        return None if None in values else self._compute(*values)

    _compute: Callable[..., Any]

    @abstractmethod
    def spark(self, qualify: Qualify = plain_column) -> exp.Expr: ...

    @abstractmethod
    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr: ...


def evaluate_each(parts: Sequence[Expression], rows: Sequence[Row]) -> list[list[Any]]:
    """The values of each of `parts` for all rows: as `evaluate` gives them, but node by node, and what several parts
    are made of once. For thousands of rows that takes a third of the time."""
    known: list[tuple[Expression, list[Any]]] = []  # not all nodes have a hash

    def values(node: Expression) -> list[Any]:
        found = next((each for other, each in known if other == node), None)
        if found is None:
            if node.operands and type(node).evaluate is Expression.evaluate:
                compute, columns = node._compute, [values(operand) for operand in node.operands]
                found = [None if None in each else compute(*each) for each in zip(*columns, strict=True)]
            else:
                found = [node.evaluate(row) for row in rows]
            known.append((node, found))
        return found

    return [values(part) for part in parts]


def _expressions(fields: Iterable[object]) -> Iterator[Expression]:
    for field in fields:
        if isinstance(field, Expression):
            yield field
        elif isinstance(field, tuple):
            yield from _expressions(field)


class SameSql(Expression):
    """A node that Spark and MySQL spell alike: `_sql` makes it of the operands' nodes."""

    __slots__ = ()
    _sql: Callable[..., exp.Expr]

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        return self._sql(*(operand.spark(qualify) for operand in self.operands))

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        return self._sql(*(operand.mysql(qualify) for operand in self.operands))


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
    evaluate: Callable[[Row], int | None]

    @property
    @abstractmethod
    def interval(self) -> Interval: ...

    @property
    @abstractmethod
    def mysql_type(self) -> MysqlInteger: ...


class TextExpression(Expression):
    """Unicode text. MySQL's form is always in utf8mb4, so that its bytes are the UTF-8 bytes of the other two forms."""

    __slots__ = ()
    evaluate: Callable[[Row], str | None]

    @property
    @abstractmethod
    def longest(self) -> int | None:
        """The most characters the text can have; None when nothing is known."""


class BytesExpression(Expression):
    """Bytes, compared and hashed as they are."""

    __slots__ = ()
    evaluate: Callable[[Row], bytes | None]


Octets = TextExpression | BytesExpression
"""What byte functions take: a text is its UTF-8 bytes."""

_MYSQL_TYPES = {
    MysqlInteger.SIGNED: exp.DType.BIGINT,
    MysqlInteger.UNSIGNED: exp.DType.UBIGINT,
}


def bracket(node: exp.Expr) -> exp.Expr:
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


def mysql_binary(node: exp.Expr) -> exp.Expr:
    return sql_text.cast(node, "BINARY", "mysql")


def octets(value: str | bytes) -> bytes:
    return value.encode("utf-8") if isinstance(value, str) else value


def spark_octets(value: Expression, qualify: Qualify) -> exp.Expr:
    """The Spark form, a text as its UTF-8 bytes."""
    node = value.spark(qualify)
    return spark_binary(node) if isinstance(value, TextExpression) else node


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
        return bracket(node)
    return mysql_cast(node, wanted)


def spark_operand(value: IntegerExpression, qualify: Qualify, *, decimal: bool) -> exp.Expr:
    """The Spark form of `value` as an operand of BIGINT or DECIMAL arithmetic."""
    node = value.spark(qualify)
    return decimal_38(node) if decimal and not _is_number(node) else bracket(node)
