"""Which rows of the old tables stand where after the next migration, by the two rules' arithmetic. Pure.

Where both rules are made of remainders and quotients of one value (a key, or a hash of it), each of its remainders is
tried: that is exact. Otherwise made-up keys are routed, and the shares are those of a sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from math import lcm

from shardwright.compiler.expressions.arithmetic import Divide, Modulo
from shardwright.compiler.expressions.expression import Expression, IntegerExpression
from shardwright.compiler.expressions.leaves import column_expression
from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.compiler.sharding.function import ShardFunction, route_each
from shardwright.compiler.sharding.key_samples import sample_rows

Place = tuple[int, int]
"""Database and table, counted from 0."""

KEYS = 20_000
MOST_REMAINDERS = 1 << 20


@dataclass(frozen=True, slots=True)
class Moves:
    """The share of all rows for each old place and new one. `sampled` is the number of keys that were routed; 0: the
    shares are exact."""

    shares: Mapping[tuple[Place, Place], Fraction]
    sampled: int = 0


def moves(old: ShardFunction, new: ShardFunction, columns: Iterable[Column]) -> Moves:
    """`columns` are those of the table. Two rules that read different columns count as independent."""
    if (both := _of_remainders(old, new)) is not None:
        return Moves(_shares(Counter((before, after) for before, after in both)))
    if not old.columns() & new.columns():
        befores, afters = _of_remainders(old), _of_remainders(new)
        if befores is not None and afters is not None:
            before, after = Counter(place for (place,) in befores), Counter(place for (place,) in afters)
            return Moves(_shares(Counter({(a, b): before[a] * after[b] for a in before for b in after})))
    names = old.columns() | new.columns()
    rows = list(sample_rows([column for column in columns if column.name in names], KEYS))
    return Moves(_shares(Counter(zip(route_each(old, rows), route_each(new, rows), strict=True))), KEYS)


def _shares(found: Counter[tuple[Place, Place]]) -> Mapping[tuple[Place, Place], Fraction]:
    return {flow: Fraction(count, found.total()) for flow, count in sorted(found.items())}


def _of_remainders(*functions: ShardFunction) -> Iterator[tuple[Place, ...]] | None:
    """What the functions give for each remainder of the value that they are all made of. None: of no one value."""
    parts = [part for function in functions for part in (function.database, function.table)]
    for value in _candidates(parts):
        if (period := _period(parts, value)) is not None:
            return _each_remainder(functions, value, period)
    return None


def _each_remainder(functions: Iterable[ShardFunction], value: Expression, period: int) -> Iterator[tuple[Place, ...]]:
    leaf = column_expression(Column("value", ColumnType("bigint", unsigned=True), False))
    assert isinstance(leaf, IntegerExpression)
    of_leaf = [
        ShardFunction(*(_integer(_instead(part, value, leaf)) for part in (function.database, function.table)))
        for function in functions
    ]
    rests = [{"value": rest} for rest in range(period)]
    return zip(*(route_each(function, rests) for function in of_leaf), strict=True)


def _integer(expression: Expression) -> IntegerExpression:
    assert isinstance(expression, IntegerExpression)
    return expression


def _candidates(parts: Iterable[Expression]) -> Iterator[IntegerExpression]:
    """Values that a part is made of, from the largest to the smallest."""
    pending = list(parts)
    while pending:
        node = pending.pop(0)
        if isinstance(node, IntegerExpression) and node.columns():
            yield node
        pending += _children(node)


def _children(node: Expression) -> list[Expression]:
    return [each for field in fields(node) if isinstance(each := getattr(node, field.name), Expression)]  # type: ignore[arg-type]


def _instead(node: Expression, value: Expression, leaf: Expression) -> Expression:
    if node == value:
        return leaf
    changed = {
        field.name: _instead(each, value, leaf)
        for field in fields(node)  # type: ignore[arg-type]
        if isinstance(each := getattr(node, field.name), Expression)
    }
    return replace(node, **changed) if changed else node  # type: ignore[type-var]


def _period(parts: Iterable[Expression], value: Expression) -> int | None:
    """After how many values all parts begin again; None where one of them does not, or is made of something else."""
    found = 1
    for part in parts:
        rhythm = _rhythm(part, value)
        if rhythm is None or rhythm.divisor:
            return None
        found = lcm(found, rhythm.period)
    return found if found <= MOST_REMAINDERS else None


@dataclass(frozen=True, slots=True)
class _Rhythm:
    """Either a part begins again after `period` values, or it is the value, divided by `divisor`."""

    period: int = 1
    divisor: int = 0


def _rhythm(node: Expression, value: Expression) -> _Rhythm | None:
    if node == value:
        return _Rhythm(divisor=1)
    if not node.columns():
        return _Rhythm()
    inner = [_rhythm(child, value) for child in _children(node)]
    known = [rhythm for rhythm in inner if rhythm is not None]
    if not inner or len(known) < len(inner):
        return None
    if isinstance(node, (Modulo, Divide)) and known[0].divisor:
        if isinstance(node, Modulo):
            return _Rhythm(known[0].divisor * node.divisor)
        return _Rhythm(divisor=known[0].divisor * node.divisor)
    return None if any(rhythm.divisor for rhythm in known) else _Rhythm(lcm(*(rhythm.period for rhythm in known)))
