"""IF, CASE and COALESCE, one class per family of values: the value of the first condition that is true (NULL is not),
or the first value that is not NULL.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from sqlglot import exp

from shardwright.compiler.expressions.conditions import BooleanExpression
from shardwright.compiler.expressions.expression import (
    BytesExpression,
    Expression,
    IntegerExpression,
    MysqlInteger,
    Qualify,
    Row,
    TextExpression,
    decimal_38,
    mysql_cast,
    plain_column,
)
from shardwright.compiler.expressions.interval import Interval


@dataclass(frozen=True, slots=True)
class OneOf(Expression):
    """Conditions with a value each, and the value where none is true. Without conditions: the first value that is not
    NULL. A value that is None is NULL. Spark and MySQL spell the choice alike."""

    conditions: tuple[BooleanExpression, ...]
    outcomes: tuple[Any, ...]

    @property
    def values(self) -> tuple[Any, ...]:
        return tuple(value for value in self.outcomes if value is not None)

    @property
    def nullable(self) -> bool:
        may_be_null = [value is None or value.nullable for value in self.outcomes]
        return any(may_be_null) if self.conditions else all(may_be_null)

    def evaluate(self, row: Row, /) -> Any:
        if not self.conditions:
            return next((found for value in self.outcomes if (found := value.evaluate(row)) is not None), None)
        branches = zip(self.conditions, self.outcomes, strict=False)
        chosen = next((value for condition, value in branches if condition.evaluate(row)), self.outcomes[-1])
        return None if chosen is None else chosen.evaluate(row)

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        return self._sql(lambda operand: operand.spark(qualify))

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        return self._sql(lambda operand: operand.mysql(qualify))

    def _sql(self, form: Callable[[Expression], exp.Expr]) -> exp.Expr:
        """The choice over the operands, each in that form."""
        *values, last = [exp.Null() if value is None else form(value) for value in self.outcomes]
        if not self.conditions:
            first, *others = [*values, last]
            return exp.Coalesce(this=first, expressions=others)
        branches = zip(self.conditions, values, strict=True)
        return exp.Case(ifs=[exp.If(this=form(test), true=value) for test, value in branches], default=last)


class _OneInteger(OneOf, IntegerExpression):
    """All values are cast to one type."""

    __slots__ = ()

    @property
    def interval(self) -> Interval:
        intervals: list[Interval] = [value.interval for value in self.values]
        return reduce(Interval.union, intervals)

    @property
    def mysql_type(self) -> MysqlInteger:
        types: set[MysqlInteger] = {value.mysql_type for value in self.values}
        if len(types) == 1:
            return types.pop()
        return MysqlInteger.SIGNED if self.interval.fits_signed_64 else MysqlInteger.DECIMAL

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        wide = not self.interval.fits_signed_64

        def form(operand: Expression) -> exp.Expr:
            node = operand.spark(qualify)
            return decimal_38(node) if wide and isinstance(operand, IntegerExpression) else node

        return self._sql(form)

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        wanted = self.mysql_type

        def form(operand: Expression) -> exp.Expr:
            node = operand.mysql(qualify)
            is_other = isinstance(operand, IntegerExpression) and operand.mysql_type is not wanted
            return mysql_cast(node, wanted) if is_other else node

        return self._sql(form)


class _OneText(OneOf, TextExpression):
    __slots__ = ()

    @property
    def longest(self) -> int | None:
        lengths = [value.longest for value in self.values]
        return None if None in lengths else max(lengths)


class _OneBinary(OneOf, BytesExpression):
    __slots__ = ()


_KINDS = ((IntegerExpression, _OneInteger), (TextExpression, _OneText), (BytesExpression, _OneBinary))


def one_of(conditions: Sequence[BooleanExpression], outcomes: Sequence[Expression | None]) -> Expression | None:
    """One outcome more than conditions, or no condition. None for values that are not all of one kind."""
    values = [value for value in outcomes if value is not None]
    for kind, node in _KINDS:
        if values and all(isinstance(value, kind) for value in values):
            return node(tuple(conditions), tuple(outcomes))
    return None
