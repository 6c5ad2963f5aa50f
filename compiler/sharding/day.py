"""Dates as an author writes them: a day, or a month or a year by its first day."""

from __future__ import annotations

import datetime

from shardwright.compiler.expressions.dates import DateColumn, days, months
from shardwright.compiler.expressions.expression import IntegerExpression
from shardwright.compiler.plan.catalogue import ColumnType

_ANY = DateColumn("day", ColumnType("date"), False)


def day_number(written: str) -> int | None:
    """The day as `dates.days` counts; None when it is no day of the calendar."""
    return _number(written, days(_ANY))


def month_number(written: str) -> int | None:
    """The month as `dates.months` counts."""
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
