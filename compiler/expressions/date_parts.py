"""Year, month, day and day of a moment. A part of a zero date is 0."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.comparable import MomentExpression
from shardwright.compiler.expressions.expression import (
    IntegerExpression,
    MysqlInteger,
    Qualify,
    spark_bigint,
    unqualified,
)
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill

# name -> first character (from 1) and number of characters in the canonical text, largest value
_PARTS: dict[str, tuple[int, int, int]] = {
    "year": (1, 4, 9999),
    "month": (6, 2, 12),
    "day": (9, 2, 31),
    "hour": (12, 2, 23),
    "minute": (15, 2, 59),
    "second": (18, 2, 59),
}
PARTS = tuple(_PARTS)


@dataclass(frozen=True, slots=True)
class MomentPart(IntegerExpression):
    """`part` is one of PARTS; hour, minute and second of a DATE are not asked for (the translator refuses them)."""

    part: str
    value: MomentExpression

    mysql_type = MysqlInteger.SIGNED

    @property
    def interval(self) -> Interval:
        return Interval(0, _PARTS[self.part][2])

    def _compute(self, value: str) -> int:
        start, length, _ = _PARTS[self.part]
        return int(value[start - 1 : start - 1 + length])

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        start, length, _ = _PARTS[self.part]
        digits = exp.Substring(this=self.value.spark(qualify), start=sql.number(start), length=sql.number(length))
        return spark_bigint(digits)

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        function = "DAYOFMONTH" if self.part == "day" else self.part.upper()
        return fill(f"{function}(hole_value)", "mysql", value=self.value.mysql(qualify))


@dataclass(frozen=True, slots=True)
class DayOf(MomentExpression):
    """DATE(moment)."""

    value: MomentExpression

    fraction = None

    def _compute(self, value: str) -> str:
        return value[:10]

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.Left(this=self.value.spark(qualify), expression=sql.number(10))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.cast(self.value.mysql(qualify), "DATE", dialect="mysql")
