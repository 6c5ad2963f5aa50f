"""Year, month, day and day of a moment. A part of a zero date is 0."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.comparable import MomentExpression
from shardwright.compiler.expressions.expression import (
    IntegerExpression,
    Interval,
    MysqlInteger,
    Qualify,
    Row,
    spark_bigint,
    unqualified,
)
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

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def interval(self) -> Interval:
        return Interval(0, _PARTS[self.part][2])

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.SIGNED

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> int | None:
        value = self.value.evaluate(row)
        start, length, _ = _PARTS[self.part]
        return None if value is None else int(value[start - 1 : start - 1 + length])

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

    @property
    def fraction(self) -> int | None:
        return None

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> str | None:
        value = self.value.evaluate(row)
        return None if value is None else value[:10]

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.Left(this=self.value.spark(qualify), expression=sql.number(10))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.cast(self.value.mysql(qualify), "DATE", dialect="mysql")
