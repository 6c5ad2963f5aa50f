"""The two 32-bit halves of an integer, exclusive or, and the way from unsigned to signed: what hash functions are
made of.

Everything here is over 64-bit two's complement: -1 has the halves 4294967295 and 4294967295.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.arithmetic import Add, Divide, Modulo, Subtract
from shardwright.compiler.expressions.call import Function, IntegerCall
from shardwright.compiler.expressions.expression import (
    IntegerExpression,
    MysqlInteger,
    Qualify,
    bracket,
    decimal_38,
    plain_column,
    spark_bigint,
)
from shardwright.compiler.expressions.interval import SIGNED_64_HIGH, SIGNED_64_LOW, Interval
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.sql import sql_text
from shardwright.compiler.sql.template import fill

WORD = 2**32
UNSIGNED_WORD = Interval(0, WORD - 1)


def _low_half(value: exp.Expr) -> exp.Expr:
    return exp.BitwiseAnd(this=bracket(value), expression=sql_text.number(WORD - 1))


def _high_half(value: exp.Expr) -> exp.Expr:
    """Bit functions take a signed operand's two's complement, without the warning that a cast would give."""
    return exp.BitwiseRightShift(this=bracket(value), expression=sql_text.number(32))


def _xor(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    return exp.BitwiseXor(this=bracket(left), expression=bracket(right))


def _bits_of_both(left: IntegerExpression, right: IntegerExpression) -> Interval:
    return Interval(0, 2 ** max(left.interval.high.bit_length(), right.interval.high.bit_length()) - 1)


# Halves of a value that fits 64 bits signed; an unsigned one is divided instead (`low_word`, `high_word`).
LOW_HALF = Function(
    "low half", (), IntegerCall, UNSIGNED_WORD, mysql_type=MysqlInteger.UNSIGNED,
    python=lambda value: value & (WORD - 1),
    spark=_low_half,
)  # fmt: skip
HIGH_HALF = Function(
    "high half", (), IntegerCall, UNSIGNED_WORD, mysql_type=MysqlInteger.UNSIGNED,
    python=lambda value: (value >> 32) & (WORD - 1),
    spark="SHIFTRIGHTUNSIGNED(hole_1, 32)",
    mysql=_high_half,
)  # fmt: skip
XOR = Function(
    "xor", (), IntegerCall, _bits_of_both, mysql_type=MysqlInteger.UNSIGNED,
    python=operator.xor,
    spark=_xor,
)  # fmt: skip
"""Of two values that are never negative and fit 63 bits."""


@dataclass(frozen=True, slots=True)
class Absolute(IntegerExpression):
    """Of a value of 64 bits: above 34 digits Spark's ABS would round."""

    value: IntegerExpression

    _compute = staticmethod(abs)

    @property
    def interval(self) -> Interval:
        low, high = self.value.interval.low, self.value.interval.high
        return Interval(max(0, low, -high), max(abs(low), abs(high)))

    @property
    def mysql_type(self) -> MysqlInteger:
        return self.value.mysql_type

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        node = self.value.spark(qualify)
        return exp.Abs(this=node if self.interval.fits_signed_64 else decimal_38(node))

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        return exp.Abs(this=self.value.mysql(qualify))


@dataclass(frozen=True, slots=True)
class SignedLong(IntegerExpression):
    """An unsigned integer of 64 bits as its two's complement."""

    value: IntegerExpression

    interval = Interval(SIGNED_64_LOW, SIGNED_64_HIGH)
    mysql_type = MysqlInteger.DECIMAL

    def _compute(self, value: int) -> int:
        return value - 2**64 if value >= 2**63 else value

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        return spark_two_complement(self.value, qualify)

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        """In DECIMAL: a cast from unsigned to signed warns on some servers, which strict mode makes an error of."""
        wrapped = (
            "(CAST(hole_value AS DECIMAL(38, 0)) + 9223372036854775808) % 18446744073709551616 - 9223372036854775808"
        )
        return fill(wrapped, "mysql", value=self.value.mysql(qualify))


def low_word(value: IntegerExpression) -> IntegerExpression:
    return Modulo(value, WORD) if value.interval.low >= 0 else LOW_HALF(value)


def high_word(value: IntegerExpression) -> IntegerExpression:
    return Divide(value, WORD) if value.interval.low >= 0 else HIGH_HALF(value)


def to_signed(value: IntegerExpression, bits: int) -> IntegerExpression:
    """The two's complement of an unsigned integer of that many bits: 4294967295 of 32 bits is -1."""
    if bits == 64:
        return SignedLong(value)
    half = IntegerLiteral(2 ** (bits - 1))
    return Subtract(Modulo(Add(value, half), 2**bits), half)


def spark_two_complement(value: IntegerExpression, qualify: Qualify) -> exp.Expr:
    """Spark: the 64 bits of the value as a BIGINT, whatever its sign at home."""
    node = value.spark(qualify)
    if value.interval.fits_signed_64:
        return spark_bigint(node)
    wrapped = "CAST(hole_value - IF(hole_value > 9223372036854775807, 18446744073709551616, 0) AS BIGINT)"
    return fill(wrapped, "spark", value=bracket(node))
