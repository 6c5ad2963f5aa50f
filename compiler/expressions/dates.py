"""Dates as shard keys: their canonical text, and the numbers in it.

Nothing here calls a date function: the three engines agree on the digits of a date but not on time zones, zero dates or
calendars.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.arithmetic import Add, Divide, Modulo, Multiply, Subtract
from shardwright.compiler.expressions.expression import (
    IntegerExpression,
    Qualify,
    Row,
    TextExpression,
    unqualified,
    utf8mb4,
)
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.expressions.texts import LeadingInteger, Substring
from shardwright.compiler.plan.catalogue import ColumnType

DATES = frozenset({"date", "datetime", "timestamp"})


@dataclass(frozen=True, slots=True)
class DateColumn(TextExpression):
    """A DATE, DATETIME or TIMESTAMP by its canonical text, which begins with `YYYY-MM-DD`. A TIMESTAMP is in UTC: every
    session of the tool is."""

    name: str
    type: ColumnType
    nullable: bool

    @property
    def longest(self) -> int | None:
        return 26

    def columns(self) -> frozenset[str]:
        return frozenset({self.name})

    def evaluate(self, row: Row) -> str | None:
        value = row[self.name]
        if value is not None and not isinstance(value, str):
            raise TypeError(f"column {self.name}: expected a date as text, got {type(value).__name__}")
        return value

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return qualify(self.name)

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return utf8mb4(qualify(self.name))


def year(date: TextExpression) -> IntegerExpression:
    return LeadingInteger(Substring(date, 1, 4))


def months(date: TextExpression) -> IntegerExpression:
    """Months since the beginning of year 0."""
    return Subtract(Add(Multiply(year(date), IntegerLiteral(12)), _month(date)), IntegerLiteral(1))


def days(date: TextExpression) -> IntegerExpression:
    """A count of days that goes up by one every day of the proleptic Gregorian calendar; only differences mean anything.

    The year is taken to begin in March, so that the leap day is its last and 153 days are always five months.
    """
    from_march = Add(months(date), IntegerLiteral(10))
    years, month = Subtract(Divide(from_march, 12), IntegerLiteral(1)), Modulo(from_march, 12)
    before = Divide(Add(Multiply(month, IntegerLiteral(153)), IntegerLiteral(2)), 5)
    leap = Add(Subtract(Divide(years, 4), Divide(years, 100)), Divide(years, 400))
    return Add(Add(Add(Multiply(years, IntegerLiteral(365)), leap), before), _day(date))


def _month(date: TextExpression) -> IntegerExpression:
    return LeadingInteger(Substring(date, 6, 2))


def _day(date: TextExpression) -> IntegerExpression:
    return LeadingInteger(Substring(date, 9, 2))
