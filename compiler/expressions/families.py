"""What kind of value an expression gives, in words, and what is inside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shardwright.compiler.expressions import functions
from shardwright.compiler.expressions.call import Call, Function, TextCall
from shardwright.compiler.expressions.comparable import DecimalExpression, EnumColumn, MomentExpression
from shardwright.compiler.expressions.conditions import BooleanExpression, Comparison, Membership
from shardwright.compiler.expressions.expression import BytesExpression, Expression, IntegerExpression, TextExpression
from shardwright.compiler.expressions.leaves import TextColumn

_NAMES: tuple[tuple[Any, str], ...] = (
    (IntegerExpression, "an integer"),
    (DecimalExpression, "a decimal"),
    (TextExpression, "text"),
    (BytesExpression, "binary"),
    (MomentExpression, "a date or time"),
    (BooleanExpression, "a condition"),
)


def family_name(value: Expression) -> str:
    found = next((name for family, name in _NAMES if isinstance(value, family)), None)
    kind = getattr(getattr(value, "type", None), "name", "another type")
    return found or str(kind).upper()


_DIGITS = (functions.HEX, functions.SHA2)


def _calls(value: Expression, *wanted: Function[TextCall]) -> bool:
    return isinstance(value, Call) and value.function in wanted


def find_folding_column(value: Expression) -> TextColumn | None:
    """A column whose collation takes different texts for equal ones, where `value` is compared as the column would
    be."""
    if isinstance(value, TextColumn):
        return None if (value.type.collation or "").endswith("_bin") else value
    if isinstance(value, BooleanExpression) or _calls(value, functions.EXACT, *_DIGITS):
        return None
    return next((found for part in value.operands if (found := find_folding_column(part)) is not None), None)


def text_sources(value: Expression) -> Iterator[str]:
    """The columns whose characters may stand in a text."""
    if isinstance(value, TextColumn | EnumColumn):
        yield value.name
    elif isinstance(value, TextExpression) and not _calls(value, *_DIGITS):
        for part in value.operands:
            yield from text_sources(part)


def literals_in_comparisons(value: Expression) -> Iterator[tuple[frozenset[str], Expression]]:
    """Each literal that stands in a comparison, with the columns it is compared with."""
    if isinstance(value, Comparison | Membership):
        columns = value.columns()
        yield from ((columns, part) for part in value.operands if not part.columns())
    for part in value.operands:
        yield from literals_in_comparisons(part)
