"""`+ - *` and the unary minus. Whoever builds a node has checked that its interval fits (`translate.py`, `algorithms.py`)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from sqlglot import exp

from shardwright.compiler.expressions.expression import IntegerExpression, MysqlInteger, Qualify, Row, unqualified
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.expressions.sql_types import mysql_cast, mysql_operand, spark_bigint, spark_operand


@dataclass(frozen=True, slots=True)
class _BinaryOperation(IntegerExpression):
    """`+ - *`. Computed in BIGINT when both operands and the result fit one, else in DECIMAL(38,0)."""

    left: IntegerExpression
    right: IntegerExpression

    node: ClassVar[type[exp.Binary]]

    @staticmethod
    @abstractmethod
    def operate(left: int, right: int) -> int: ...

    @property
    def nullable(self) -> bool:
        return self.left.nullable or self.right.nullable

    @property
    def _in_decimal(self) -> bool:
        return not all(part.fits_signed_64 for part in (self.left.interval, self.right.interval, self.interval))

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.SIGNED if self.interval.fits_signed_64 else MysqlInteger.DECIMAL

    def columns(self) -> frozenset[str]:
        return self.left.columns() | self.right.columns()

    def evaluate(self, row: Row) -> int | None:
        left, right = self.left.evaluate(row), self.right.evaluate(row)
        return None if left is None or right is None else self.operate(left, right)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        decimal = self._in_decimal
        left = spark_operand(self.left, qualify, decimal=decimal)
        node: exp.Expr = self.node(this=left, expression=spark_operand(self.right, qualify, decimal=decimal))
        return spark_bigint(node) if decimal and self.interval.fits_signed_64 else node

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        operands = MysqlInteger.DECIMAL if self._in_decimal else MysqlInteger.SIGNED
        left = mysql_operand(self.left, qualify, operands)
        node: exp.Expr = self.node(this=left, expression=mysql_operand(self.right, qualify, operands))
        return node if self.mysql_type is operands else mysql_cast(node, self.mysql_type)


@dataclass(frozen=True, slots=True)
class Add(_BinaryOperation):
    node = exp.Add

    @staticmethod
    def operate(left: int, right: int) -> int:
        return left + right

    @property
    def interval(self) -> Interval:
        return self.left.interval.plus(self.right.interval)


@dataclass(frozen=True, slots=True)
class Subtract(_BinaryOperation):
    node = exp.Sub

    @staticmethod
    def operate(left: int, right: int) -> int:
        return left - right

    @property
    def interval(self) -> Interval:
        return self.left.interval.minus(self.right.interval)


@dataclass(frozen=True, slots=True)
class Multiply(_BinaryOperation):
    node = exp.Mul

    @staticmethod
    def operate(left: int, right: int) -> int:
        return left * right

    @property
    def interval(self) -> Interval:
        return self.left.interval.times(self.right.interval)


@dataclass(frozen=True, slots=True)
class Negate(IntegerExpression):
    value: IntegerExpression

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def interval(self) -> Interval:
        return self.value.interval.negated()

    @property
    def _in_decimal(self) -> bool:
        return not (self.interval.fits_signed_64 and self.value.interval.fits_signed_64)

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.SIGNED if self.interval.fits_signed_64 else MysqlInteger.DECIMAL

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> int | None:
        value = self.value.evaluate(row)
        return None if value is None else -value

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        operand = spark_operand(self.value, qualify, decimal=self._in_decimal)
        if not self._in_decimal:
            return exp.Neg(this=operand)
        # Spark's unary minus rounds a DECIMAL to 34 digits (Scala's BigDecimal does), its subtraction keeps all 38.
        node = exp.Sub(this=exp.Literal.number(0), expression=operand)
        return spark_bigint(node) if self.interval.fits_signed_64 else node

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        operand = MysqlInteger.DECIMAL if self._in_decimal else MysqlInteger.SIGNED
        node = exp.Neg(this=mysql_operand(self.value, qualify, operand))
        return node if self.mysql_type is operand else mysql_cast(node, self.mysql_type)
