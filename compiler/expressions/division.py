"""`%` and `div` by a literal, as MySQL and Spark do them: towards zero, the remainder with the dividend's sign."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.arithmetic import Add
from shardwright.compiler.expressions.expression import IntegerExpression, MysqlInteger, Qualify, Row, unqualified
from shardwright.compiler.expressions.interval import Interval, remainder, truncated_quotient
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.expressions.sql_types import bracketed, mysql_cast, mysql_operand, spark_bigint
from shardwright.compiler.sql import sql_text


@dataclass(frozen=True, slots=True)
class Modulo(IntegerExpression):
    """`%`: the remainder with the sign of the dividend. The divisor is positive: its sign never matters."""

    dividend: IntegerExpression
    divisor: int

    @property
    def nullable(self) -> bool:
        return self.dividend.nullable

    @property
    def interval(self) -> Interval:
        return self.dividend.interval.modulo(self.divisor)

    @property
    def mysql_type(self) -> MysqlInteger:
        inner = self.dividend.mysql_type
        return MysqlInteger.SIGNED if inner is MysqlInteger.DECIMAL else inner

    def columns(self) -> frozenset[str]:
        return self.dividend.columns()

    def evaluate(self, row: Row) -> int | None:
        value = self.dividend.evaluate(row)
        return None if value is None else remainder(value, self.divisor)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        dividend = self.dividend.spark(qualify)
        node = exp.Mod(this=bracketed(dividend), expression=sql_text.number(self.divisor))
        if self.dividend.interval.fits_signed_64:
            return node
        short = exp.Mod(this=_bigint_or_null(dividend), expression=sql_text.number(self.divisor))
        return exp.Coalesce(this=short, expressions=[spark_bigint(node)])

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        node = exp.Mod(this=bracketed(self.dividend.mysql(qualify)), expression=sql_text.number(self.divisor))
        return mysql_cast(node, MysqlInteger.SIGNED) if self.dividend.mysql_type is MysqlInteger.DECIMAL else node


@dataclass(frozen=True, slots=True)
class Divide(IntegerExpression):
    """`div`: the quotient without its fraction. It fits 64 bits: DIV yields no more in MySQL and in Spark."""

    dividend: IntegerExpression
    divisor: int

    @property
    def nullable(self) -> bool:
        return self.dividend.nullable

    @property
    def interval(self) -> Interval:
        return self.dividend.interval.divided(self.divisor)

    @property
    def mysql_type(self) -> MysqlInteger:
        unsigned = self.divisor > 0 and self.dividend.mysql_type is MysqlInteger.UNSIGNED
        return MysqlInteger.UNSIGNED if unsigned else MysqlInteger.SIGNED

    def columns(self) -> frozenset[str]:
        return self.dividend.columns()

    def evaluate(self, row: Row) -> int | None:
        value = self.dividend.evaluate(row)
        return None if value is None else truncated_quotient(value, self.divisor)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        dividend = self.dividend.spark(qualify)
        node = exp.IntDiv(this=bracketed(dividend), expression=sql_text.number(self.divisor))
        if self.dividend.interval.fits_signed_64 or self.divisor < 0:  # -2**63 div -1 is no BIGINT
            return node
        short = exp.IntDiv(this=_bigint_or_null(dividend), expression=sql_text.number(self.divisor))
        return exp.Coalesce(this=short, expressions=[node])

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        dividend = self.dividend
        if dividend.mysql_type is MysqlInteger.UNSIGNED and self.divisor < 0:
            wanted = MysqlInteger.SIGNED if dividend.interval.fits_signed_64 else MysqlInteger.DECIMAL
            operand = mysql_operand(dividend, qualify, wanted)
        else:
            operand = bracketed(dividend.mysql(qualify))
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


def divided(value: IntegerExpression, divisor: int) -> IntegerExpression:
    return value if divisor == 1 else Divide(value, divisor)
