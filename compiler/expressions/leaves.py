"""Columns and literals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    BytesExpression,
    Expression,
    IntegerExpression,
    Interval,
    MysqlInteger,
    Qualify,
    Row,
    TextExpression,
    unqualified,
    utf8mb4,
)
from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.compiler.sql import sql_text

Value = TypeVar("Value")

_INTEGER_BITS = {"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64}
_HASHABLE_BYTES = frozenset({"binary", "varbinary"})


@dataclass(frozen=True, slots=True)
class IntegerLiteral(IntegerExpression):
    value: int

    @property
    def nullable(self) -> bool:
        return False

    @property
    def interval(self) -> Interval:
        return Interval(self.value, self.value)

    @property
    def mysql_type(self) -> MysqlInteger:
        # -2**63 is written as the negation of a number that no BIGINT holds, hence the strict bound below
        if -(2**63) < self.value < 2**63:
            return MysqlInteger.SIGNED
        return MysqlInteger.UNSIGNED if 0 <= self.value < 2**64 else MysqlInteger.DECIMAL

    def columns(self) -> frozenset[str]:
        return frozenset()

    def evaluate(self, row: Row) -> int | None:
        return self.value

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return sql_text.number(self.value)

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return sql_text.number(self.value)


@dataclass(frozen=True, slots=True)
class TextLiteral(TextExpression):
    """Printable ASCII without a backslash (the parser sees to it): the same bytes under every connection character set
    and every SQL mode."""

    value: str

    @property
    def nullable(self) -> bool:
        return False

    @property
    def longest(self) -> int | None:
        return len(self.value)

    def columns(self) -> frozenset[str]:
        return frozenset()

    def evaluate(self, row: Row) -> str | None:
        return self.value

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return sql_text.text(self.value)

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return sql_text.text(self.value)


class ColumnLeaf(Expression):
    """A column by its name: as it stands in Spark, and in MySQL unless a type says otherwise."""

    __slots__ = ()
    name: str

    def columns(self) -> frozenset[str]:
        return frozenset({self.name})

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return qualify(self.name)

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return qualify(self.name)


def value_of(row: Row, name: str, kind: type[Value]) -> Value | None:
    """The column's value. Raises TypeError when it is of another type than the column's leaf evaluates to."""
    value = row[name]
    if value is not None and not isinstance(value, kind):
        raise TypeError(f"column {name}: expected {kind.__name__}, got {type(value).__name__}")
    return value


@dataclass(frozen=True, slots=True)
class IntegerColumn(ColumnLeaf, IntegerExpression):
    name: str
    type: ColumnType
    nullable: bool

    @property
    def interval(self) -> Interval:
        bits = _INTEGER_BITS[self.type.name]
        return Interval(0, 2**bits - 1) if self.type.unsigned else Interval(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.UNSIGNED if self.type.unsigned else MysqlInteger.SIGNED

    def evaluate(self, row: Row) -> int | None:
        return value_of(row, self.name, int)


@dataclass(frozen=True, slots=True)
class TextColumn(ColumnLeaf, TextExpression):
    name: str
    type: ColumnType
    nullable: bool

    @property
    def longest(self) -> int | None:
        return self.type.length

    def evaluate(self, row: Row) -> str | None:
        return value_of(row, self.name, str)

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return utf8mb4(qualify(self.name))


@dataclass(frozen=True, slots=True)
class BytesColumn(ColumnLeaf, BytesExpression):
    """A BINARY(n) is hashed with the zero bytes the server pads it with, so a row must carry them (hazard C17)."""

    name: str
    type: ColumnType
    nullable: bool

    def evaluate(self, row: Row) -> bytes | None:
        return value_of(row, self.name, bytes)


def column_expression(column: Column) -> Expression | None:
    """The leaf for a column; None when its type cannot decide about shards."""
    kind = column.type
    if kind.is_integer:
        return IntegerColumn(column.name, kind, column.nullable)
    if kind.is_text and kind.charset != "binary":
        return TextColumn(column.name, kind, column.nullable)
    if kind.name in _HASHABLE_BYTES:
        return BytesColumn(column.name, kind, column.nullable)
    return None
