"""`interval`: equal steps of days, months or years from a first day on; each step has a place.

Dates before the first and after the last interval go into that one, or, with `outside: cycle`, the intervals begin
again. Months and years are those of the calendar: with a step of months only the month of `start` counts. Rows of a
DATETIME belong to their day; a TIMESTAMP's day is the one in UTC.
"""

from __future__ import annotations

from shardwright.compiler.expressions.arithmetic import Divide, Subtract, divide, floor_modulo
from shardwright.compiler.expressions.expression import IntegerExpression
from shardwright.compiler.expressions.ladder import CLAMP, PICK
from shardwright.compiler.expressions.leaves import DateColumn, IntegerLiteral
from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.sharding.day import day_number, days, full_day, month_number, months
from shardwright.compiler.sharding.function import Request, ShardFunction
from shardwright.compiler.sharding.places import places_in_order, refuse_mixed, table_within
from shardwright.specs.findings.wording import quote


def interval(request: Request) -> ShardFunction | None:
    key = request.key()
    if not isinstance(key, DateColumn):
        message = f"algorithm interval needs a date, datetime or timestamp, not column '{request.column.name}'"
        raise Refusal("SW5008", message, "range takes integers")
    elapsed = _units_since_start(request, key)
    grid = request.grid
    every = len(grid.databases) if "tables_by" in request.rule.options else grid.places
    count = len(request.items("places")) or every
    places = places_in_order(request, count, "intervals")
    if elapsed is None or places is None or refuse_mixed(request, places, "places"):
        return None
    value, step = elapsed
    index = _index(value, step, count, cycle=request.word("outside", "clamp") == "cycle")
    database = PICK(index, *(place.database for place in places))
    table = PICK(index, *(place.table or 0 for place in places))
    return ShardFunction(database, table_within(request, places, table))


def _units_since_start(request: Request, key: DateColumn) -> tuple[IntegerExpression, int] | None:
    """Units since the start, and how many of them make a step; None after a finding."""
    start = request.word("start", "")
    number, unit = request.word("step", "1 day").split()
    if full_day(start) is None:
        request.error("SW5014", f"{quote(start)} is no day of the calendar", "start")
        return None
    if unit.startswith("day"):
        return Subtract(days(key), IntegerLiteral(day_number(start) or 0)), int(number)
    factor = 12 if unit.startswith("year") else 1
    return Subtract(months(key), IntegerLiteral(month_number(start) or 0)), int(number) * factor


def _index(elapsed: IntegerExpression, step: int, count: int, *, cycle: bool) -> IntegerExpression:
    if cycle:
        return divide(floor_modulo(elapsed, step * count), step)
    return CLAMP(Divide(elapsed, step) if step > 1 else elapsed, 0, count - 1)
