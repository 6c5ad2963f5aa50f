"""Dates as shard keys: the numbers of months and of days in a date's canonical text, and in what an author writes (a
day, or a month or a year by its first day).

Nothing here calls a date function of a server or of Spark: they agree on the digits of a date but not on time zones,
zero dates or calendars.
"""

from __future__ import annotations

import datetime

from shardwright.compiler.expressions.arithmetic import Add, Divide, Modulo, Multiply, Subtract
from shardwright.compiler.expressions.expression import IntegerExpression, TextExpression
from shardwright.compiler.expressions.functions import SUBSTR
from shardwright.compiler.expressions.leaves import DateColumn, IntegerLiteral
from shardwright.compiler.expressions.texts import LeadingInteger
from shardwright.compiler.plan.catalogue import ColumnType

_ANY = DateColumn("day", ColumnType("date"), False)


def _year(date: TextExpression) -> IntegerExpression:
    return LeadingInteger(SUBSTR(date, 1, 4))


def months(date: TextExpression) -> IntegerExpression:
    """Months since the beginning of year 0."""
    return Subtract(Add(Multiply(_year(date), IntegerLiteral(12)), _month(date)), IntegerLiteral(1))


def days(date: TextExpression) -> IntegerExpression:
    """A count of days that goes up by one every day of the proleptic Gregorian calendar; only differences mean
    anything.

    The year is taken to begin in March, so that the leap day is its last and 153 days are always five months.
    """
    from_march = Add(months(date), IntegerLiteral(10))
    years, month = Subtract(Divide(from_march, 12), IntegerLiteral(1)), Modulo(from_march, 12)
    before = Divide(Add(Multiply(month, IntegerLiteral(153)), IntegerLiteral(2)), 5)
    leap = Add(Subtract(Divide(years, 4), Divide(years, 100)), Divide(years, 400))
    return Add(Add(Add(Multiply(years, IntegerLiteral(365)), leap), before), _day(date))


def _month(date: TextExpression) -> IntegerExpression:
    return LeadingInteger(SUBSTR(date, 6, 2))


def _day(date: TextExpression) -> IntegerExpression:
    return LeadingInteger(SUBSTR(date, 9, 2))


def day_number(written: str) -> int | None:
    """The day as `days` counts; None when it is no day of the calendar."""
    return _number(written, days(_ANY))


def month_number(written: str) -> int | None:
    """The month as `months` counts."""
    return _number(written, months(_ANY))


def full_day(written: str) -> str | None:
    """`2024` and `2024-01` with the rest of their first day; None when it is no day of the calendar."""
    whole = written + "-01" * (2 - written.count("-"))
    try:
        return datetime.date.fromisoformat(whole).isoformat() if len(whole) == 10 else None
    except ValueError:
        return None


def _number(written: str, count: IntegerExpression) -> int | None:
    whole = full_day(written)
    return None if whole is None else count.evaluate({"day": whole})
