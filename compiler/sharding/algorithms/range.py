"""`range`: keys below the first boundary, from there to below the second, and so on. Integers and dates.

A date boundary is a day, or a month or year by its first day. Rows of a DATETIME belong to their day.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from shardwright.compiler.expressions.expression import IntegerExpression
from shardwright.compiler.expressions.ladder import ladder
from shardwright.compiler.expressions.leaves import DateColumn
from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.sharding.day import day_number, days
from shardwright.compiler.sharding.function import Request, ShardFunction
from shardwright.compiler.sharding.places import places_in_order, refuse_mixed, table_within
from shardwright.specs.findings.wording import quote


def by_range(request: Request) -> ShardFunction | None:
    key = request.key()
    if isinstance(key, DateColumn):
        value: IntegerExpression = days(key)
    elif isinstance(key, IntegerExpression):
        value = key
    else:
        message = f"algorithm range takes integers and dates, not column '{request.column.name}'"
        raise Refusal("SW5008", message, "lookup places texts one by one")
    boundaries = _boundaries(request, by_date=isinstance(key, DateColumn))
    places = places_in_order(request, len(request.items("boundaries")) + 1, "ranges")
    if boundaries is None or places is None or refuse_mixed(request, places, "places"):
        return None
    database = ladder(value, boundaries, tuple(place.database for place in places))
    table = ladder(value, boundaries, tuple(place.table or 0 for place in places))
    return ShardFunction(database, table_within(request, places, table))


def _boundaries(request: Request, *, by_date: bool) -> tuple[int, ...] | None:
    numbers: list[int] = []
    for index, written in enumerate(request.items("boundaries")):
        number = day_number(str(written)) if by_date else written
        if not isinstance(number, int) or (by_date and not isinstance(written, str)):
            wanted = "a date such as 2024-01-31" if by_date else "a whole number"
            request.error("SW5014", f"the boundary {quote(written)} is not {wanted}", "boundaries", index)
        else:
            numbers.append(number)
    if len(numbers) < len(request.items("boundaries")):
        return None
    return tuple(numbers) if _ascend(request, numbers) else None


def _ascend(request: Request, numbers: Sequence[int]) -> bool:
    written = request.items("boundaries")
    for index, (before, after) in enumerate(pairwise(numbers)):
        if after <= before:
            what = "stands twice" if after == before else f"is lower than the one before, {quote(written[index])}"
            request.error("SW5014", f"the boundary {quote(written[index + 1])} {what}", "boundaries", index + 1)
            return False
    return True
