"""`+ - *` and the unary minus, and `%` and `div` by a literal as MySQL and Spark do them: towards zero, the remainder
with the dividend's sign. The caller that builds a node has checked that its interval fits (`make`,
`sharding/algorithms`).
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    IntegerExpression,
    MysqlInteger,
    Qualify,
    bracket,
    mysql_cast,
    mysql_operand,
    plain_column,
    spark_bigint,
    spark_operand,
)
from shardwright.compiler.expressions.interval import Interval, divide_towards_zero, remainder
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.sql import sql_text


@dataclass(frozen=True, slots=True)
class _BinaryOperation(IntegerExpression):
    """`+ - *`. Computed in BIGINT when both operands and the result fit one, else in DECIMAL(38,0).

    Spark's optimizer puts the literals of a chain of BIGINT sums, or products, aside: `(0 * a) * b` is computed as
    `(a * b) * 0`, and `a * b` may overflow. A chain that could is computed in DECIMAL, whose order Spark keeps.
    """

    left: IntegerExpression
    right: IntegerExpression

    node: ClassVar[type[exp.Binary]]
    regrouped: ClassVar[bool] = False
    """Whether Spark changes the order of a chain of these."""

    combine: ClassVar[staticmethod[[Interval, Interval], Interval]]
    """The same operation on intervals."""

    @property
    def interval(self) -> Interval:
        return self.combine(self.left.interval, self.right.interval)

    @property
    def _is_wide(self) -> bool:
        return not all(part.fits_signed_64 for part in (self.left.interval, self.right.interval, self.interval))

    def _spark_chain(self) -> Sequence[IntegerExpression]:
        """The operands Spark sees as one chain; this node alone where it is computed in DECIMAL, which ends a chain."""
        if self._is_wide:
            return (self,)
        chain = [part for side in (self.left, self.right) for part in self._chain_of(side)]
        return chain if not self.regrouped or self._fits_regrouped(chain) else (self,)

    def _chain_of(self, side: IntegerExpression) -> Sequence[IntegerExpression]:
        return side._spark_chain() if isinstance(side, _BinaryOperation) and side.node is self.node else (side,)

    def _fits_regrouped(self, chain: Sequence[IntegerExpression]) -> bool:
        """Whether everything but literals, and the literals, can be put together from left to right in 64 bits."""
        literals = [part.interval for part in chain if not part.columns()]
        others = [part.interval for part in chain if part.columns()]
        if not literals:
            return True
        return all(whole.fits_signed_64 for side in (literals, others) for whole in accumulate(side, self.combine))

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.SIGNED if self.interval.fits_signed_64 else MysqlInteger.DECIMAL

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        decimal = self._spark_chain() == (self,)
        left = spark_operand(self.left, qualify, decimal=decimal)
        node: exp.Expr = self.node(this=left, expression=spark_operand(self.right, qualify, decimal=decimal))
        return spark_bigint(node) if decimal and self.interval.fits_signed_64 else node

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        operands = MysqlInteger.DECIMAL if self._is_wide else MysqlInteger.SIGNED
        left = mysql_operand(self.left, qualify, operands)
        node: exp.Expr = self.node(this=left, expression=mysql_operand(self.right, qualify, operands))
        return node if self.mysql_type is operands else mysql_cast(node, self.mysql_type)


class Add(_BinaryOperation):
    __slots__ = ()
    node = exp.Add
    regrouped = True
    combine = staticmethod(Interval.plus)
    _compute = staticmethod(operator.add)


class Subtract(_BinaryOperation):
    __slots__ = ()
    node = exp.Sub
    combine = staticmethod(Interval.minus)
    _compute = staticmethod(operator.sub)


class Multiply(_BinaryOperation):
    __slots__ = ()
    node = exp.Mul
    regrouped = True
    combine = staticmethod(Interval.times)
    _compute = staticmethod(operator.mul)


@dataclass(frozen=True, slots=True)
class Negate(IntegerExpression):
    value: IntegerExpression

    @property
    def interval(self) -> Interval:
        return self.value.interval.negate()

    @property
    def _in_decimal(self) -> bool:
        return not (self.interval.fits_signed_64 and self.value.interval.fits_signed_64)

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.SIGNED if self.interval.fits_signed_64 else MysqlInteger.DECIMAL

    def _compute(self, value: int) -> int:
        return -value

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        operand = spark_operand(self.value, qualify, decimal=self._in_decimal)
        if not self._in_decimal:
            return exp.Neg(this=operand)
        # Spark's unary minus rounds a DECIMAL to 34 digits (Scala's BigDecimal does), its subtraction keeps all 38.
        node = exp.Sub(this=exp.Literal.number(0), expression=operand)
        return spark_bigint(node) if self.interval.fits_signed_64 else node

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        operand = MysqlInteger.DECIMAL if self._in_decimal else MysqlInteger.SIGNED
        node = exp.Neg(this=mysql_operand(self.value, qualify, operand))
        return node if self.mysql_type is operand else mysql_cast(node, self.mysql_type)


@dataclass(frozen=True, slots=True)
class Modulo(IntegerExpression):
    """`%`: the remainder with the sign of the dividend. The divisor is positive: its sign never matters."""

    dividend: IntegerExpression
    divisor: int

    @property
    def interval(self) -> Interval:
        return self.dividend.interval.modulo(self.divisor)

    @property
    def mysql_type(self) -> MysqlInteger:
        inner = self.dividend.mysql_type
        return MysqlInteger.SIGNED if inner is MysqlInteger.DECIMAL else inner

    def _compute(self, dividend: int) -> int:
        return remainder(dividend, self.divisor)

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        dividend = self.dividend.spark(qualify)
        node = exp.Mod(this=bracket(dividend), expression=sql_text.number(self.divisor))
        if self.dividend.interval.fits_signed_64:
            return node
        short = exp.Mod(this=_bigint_or_null(dividend), expression=sql_text.number(self.divisor))
        return exp.Coalesce(this=short, expressions=[spark_bigint(node)])

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        node = exp.Mod(this=bracket(self.dividend.mysql(qualify)), expression=sql_text.number(self.divisor))
        return mysql_cast(node, MysqlInteger.SIGNED) if self.dividend.mysql_type is MysqlInteger.DECIMAL else node


@dataclass(frozen=True, slots=True)
class Divide(IntegerExpression):
    """`div`: the quotient without its fraction. It fits 64 bits: DIV yields no more in MySQL and in Spark."""

    dividend: IntegerExpression
    divisor: int

    @property
    def interval(self) -> Interval:
        return self.dividend.interval.divide(self.divisor)

    @property
    def mysql_type(self) -> MysqlInteger:
        unsigned = self.divisor > 0 and self.dividend.mysql_type is MysqlInteger.UNSIGNED
        return MysqlInteger.UNSIGNED if unsigned else MysqlInteger.SIGNED

    def _compute(self, dividend: int) -> int:
        return divide_towards_zero(dividend, self.divisor)

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        dividend = self.dividend.spark(qualify)
        node = exp.IntDiv(this=bracket(dividend), expression=sql_text.number(self.divisor))
        if self.dividend.interval.fits_signed_64 or self.divisor < 0:  # -2**63 div -1 is no BIGINT
            return node
        short = exp.IntDiv(this=_bigint_or_null(dividend), expression=sql_text.number(self.divisor))
        return exp.Coalesce(this=short, expressions=[node])

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        dividend = self.dividend
        if dividend.mysql_type is MysqlInteger.UNSIGNED and self.divisor < 0:
            wanted = MysqlInteger.SIGNED if dividend.interval.fits_signed_64 else MysqlInteger.DECIMAL
            operand = mysql_operand(dividend, qualify, wanted)
        else:
            operand = bracket(dividend.mysql(qualify))
        return exp.IntDiv(this=operand, expression=sql_text.number(self.divisor))


def _bigint_or_null(node: exp.Expr) -> exp.Expr:
    """NULL where the value needs more than 64 bits: Spark divides BIGINT some fifty times faster than DECIMAL."""
    return exp.TryCast(this=node.copy(), to=exp.DataType.build("BIGINT"), safe=True)


def floor_modulo(value: IntegerExpression, divisor: int) -> IntegerExpression:
    """The remainder that is never negative: `value % n` where that suffices, else `((value % n) + n) % n`."""
    rest = Modulo(value, divisor)
    if rest.interval.low >= 0:
        return rest
    return Modulo(Add(rest, IntegerLiteral(divisor)), divisor)


def divide(value: IntegerExpression, divisor: int) -> IntegerExpression:
    return value if divisor == 1 else Divide(value, divisor)
