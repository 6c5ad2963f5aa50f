"""IF, CASE and COALESCE, one class per family of values: the value of the first condition that is true (NULL is not),
or the first value that is not NULL.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Generic, TypeVar

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
    unqualified,
)
from shardwright.compiler.expressions.interval import Interval

_Value = TypeVar("_Value", bound=Expression)
_Form = Callable[[Expression], exp.Expr]


class _OneOf(Expression, Generic[_Value]):
    """One value of several. Spark and MySQL spell the choice alike."""

    __slots__ = ()

    @property
    @abstractmethod
    def values(self) -> tuple[_Value, ...]: ...

    @abstractmethod
    def _sql(self, form: _Form) -> exp.Expr:
        """The choice over the operands, each in that form."""

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return self._sql(lambda operand: operand.spark(qualify))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return self._sql(lambda operand: operand.mysql(qualify))


@dataclass(frozen=True, slots=True)
class _Coalesce(_OneOf[_Value]):
    choices: tuple[_Value, ...]

    @property
    def values(self) -> tuple[_Value, ...]:
        return self.choices

    @property
    def nullable(self) -> bool:
        return all(choice.nullable for choice in self.choices)

    def evaluate(self, row: Row, /) -> Any:
        return next((value for choice in self.choices if (value := choice.evaluate(row)) is not None), None)

    def _sql(self, form: _Form) -> exp.Expr:
        first, *others = [form(choice) for choice in self.choices]
        return exp.Coalesce(this=first, expressions=others)


@dataclass(frozen=True, slots=True)
class _Choice(_OneOf[_Value]):
    """Conditions with their values, and the value where none is true; None is NULL."""

    branches: tuple[tuple[BooleanExpression, _Value | None], ...]
    default: _Value | None

    @property
    def _outcomes(self) -> list[_Value | None]:
        return [*(value for _, value in self.branches), self.default]

    @property
    def values(self) -> tuple[_Value, ...]:
        return tuple(value for value in self._outcomes if value is not None)

    @property
    def nullable(self) -> bool:
        return any(value is None or value.nullable for value in self._outcomes)

    def evaluate(self, row: Row, /) -> Any:
        chosen = next((value for condition, value in self.branches if condition.evaluate(row)), self.default)
        return None if chosen is None else chosen.evaluate(row)

    def _sql(self, form: _Form) -> exp.Expr:
        *values, default = [exp.Null() if value is None else form(value) for value in self._outcomes]
        conditions = [form(condition) for condition, _ in self.branches]
        ifs = [exp.If(this=condition, true=value) for condition, value in zip(conditions, values, strict=True)]
        return exp.Case(ifs=ifs, default=default)


class _OneInteger(_OneOf[IntegerExpression], IntegerExpression):
    """All values are cast to one type."""

    __slots__ = ()

    @property
    def interval(self) -> Interval:
        return reduce(Interval.union, (value.interval for value in self.values))

    @property
    def mysql_type(self) -> MysqlInteger:
        types = {value.mysql_type for value in self.values}
        if len(types) == 1:
            return types.pop()
        return MysqlInteger.SIGNED if self.interval.fits_signed_64 else MysqlInteger.DECIMAL

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        wide = not self.interval.fits_signed_64

        def form(operand: Expression) -> exp.Expr:
            node = operand.spark(qualify)
            return decimal_38(node) if wide and isinstance(operand, IntegerExpression) else node

        return self._sql(form)

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        wanted = self.mysql_type

        def form(operand: Expression) -> exp.Expr:
            node = operand.mysql(qualify)
            is_other = isinstance(operand, IntegerExpression) and operand.mysql_type is not wanted
            return mysql_cast(node, wanted) if is_other else node

        return self._sql(form)


class _OneText(_OneOf[TextExpression], TextExpression):
    __slots__ = ()

    @property
    def longest(self) -> int | None:
        lengths = [value.longest for value in self.values]
        return None if None in lengths else max(length for length in lengths if length is not None)


class IntegerCoalesce(_Coalesce[IntegerExpression], _OneInteger):
    __slots__ = ()


class TextCoalesce(_Coalesce[TextExpression], _OneText):
    __slots__ = ()


class BytesCoalesce(_Coalesce[BytesExpression], BytesExpression):
    __slots__ = ()


class IntegerChoice(_Choice[IntegerExpression], _OneInteger):
    __slots__ = ()


class TextChoice(_Choice[TextExpression], _OneText):
    __slots__ = ()


class BytesChoice(_Choice[BytesExpression], BytesExpression):
    __slots__ = ()


_Kinds = tuple[tuple[type[Expression], Callable[..., Expression]], ...]
COALESCES: _Kinds = (
    (IntegerExpression, IntegerCoalesce), (TextExpression, TextCoalesce), (BytesExpression, BytesCoalesce)
)  # fmt: skip
CHOICES: _Kinds = (
    (IntegerExpression, IntegerChoice), (TextExpression, TextChoice), (BytesExpression, BytesChoice)
)  # fmt: skip


def of_one_kind(values: Sequence[Expression], kinds: _Kinds) -> Callable[..., Expression] | None:
    """The node for values that are all of one kind; None for others, and for no value."""
    found = (node for kind, node in kinds if values and all(isinstance(value, kind) for value in values))
    return next(found, None)
