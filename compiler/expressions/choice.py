"""IF, CASE and COALESCE, one class per family of values: the value of the first condition that is true (NULL is not),
or the first value that is not NULL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeVar

from sqlglot import exp

from shardwright.compiler.expressions.conditions import BooleanExpression
from shardwright.compiler.expressions.expression import (
    BytesExpression,
    Expression,
    IntegerExpression,
    Interval,
    MysqlInteger,
    Qualify,
    Row,
    TextExpression,
    decimal_38,
    mysql_cast,
    unqualified,
)


@dataclass(frozen=True, slots=True)
class IntegerCoalesce(IntegerExpression):
    choices: tuple[IntegerExpression, ...]

    @property
    def nullable(self) -> bool:
        return all(choice.nullable for choice in self.choices)

    @property
    def interval(self) -> Interval:
        return reduce(Interval.union, (choice.interval for choice in self.choices))

    @property
    def mysql_type(self) -> MysqlInteger:
        types = {choice.mysql_type for choice in self.choices}
        if len(types) == 1:
            return types.pop()
        return MysqlInteger.SIGNED if self.interval.fits_signed_64 else MysqlInteger.DECIMAL

    def columns(self) -> frozenset[str]:
        return _columns_of_all(self.choices)

    def evaluate(self, row: Row) -> int | None:
        return next((value for choice in self.choices if (value := choice.evaluate(row)) is not None), None)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        nodes = [choice.spark(qualify) for choice in self.choices]
        if not self.interval.fits_signed_64:
            nodes = [decimal_38(node) for node in nodes]
        return _coalesce(nodes)

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        wanted = self.mysql_type
        nodes = []
        for choice in self.choices:
            node = choice.mysql(qualify)
            nodes.append(node if choice.mysql_type is wanted else mysql_cast(node, wanted))
        return _coalesce(nodes)


@dataclass(frozen=True, slots=True)
class TextCoalesce(TextExpression):
    choices: tuple[TextExpression, ...]

    @property
    def nullable(self) -> bool:
        return all(choice.nullable for choice in self.choices)

    @property
    def longest(self) -> int | None:
        lengths = [choice.longest for choice in self.choices]
        return None if None in lengths else max(length for length in lengths if length is not None)

    def columns(self) -> frozenset[str]:
        return _columns_of_all(self.choices)

    def evaluate(self, row: Row) -> str | None:
        return next((value for choice in self.choices if (value := choice.evaluate(row)) is not None), None)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return _coalesce([choice.spark(qualify) for choice in self.choices])

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return _coalesce([choice.mysql(qualify) for choice in self.choices])


@dataclass(frozen=True, slots=True)
class BytesCoalesce(BytesExpression):
    choices: tuple[BytesExpression, ...]

    @property
    def nullable(self) -> bool:
        return all(choice.nullable for choice in self.choices)

    def columns(self) -> frozenset[str]:
        return _columns_of_all(self.choices)

    def evaluate(self, row: Row) -> bytes | None:
        return next((value for choice in self.choices if (value := choice.evaluate(row)) is not None), None)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return _coalesce([choice.spark(qualify) for choice in self.choices])

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return _coalesce([choice.mysql(qualify) for choice in self.choices])


def _columns_of_all(choices: Sequence[Expression]) -> frozenset[str]:
    return frozenset().union(*(choice.columns() for choice in choices))


def _coalesce(nodes: list[exp.Expr]) -> exp.Expr:
    return exp.Coalesce(this=nodes[0], expressions=nodes[1:])


_Value = TypeVar("_Value", bound=Expression)
Branch = tuple[BooleanExpression, _Value | None]
"""A condition and its value; None is NULL."""


@dataclass(frozen=True, slots=True)
class IntegerChoice(IntegerExpression):
    branches: tuple[Branch[IntegerExpression], ...]
    default: IntegerExpression | None

    @property
    def _values(self) -> list[IntegerExpression]:
        return _values(self.branches, self.default)

    @property
    def nullable(self) -> bool:
        return _nullable(self.branches, self.default)

    @property
    def interval(self) -> Interval:
        return reduce(Interval.union, (value.interval for value in self._values))

    @property
    def mysql_type(self) -> MysqlInteger:
        types = {value.mysql_type for value in self._values}
        if len(types) == 1:
            return types.pop()
        return MysqlInteger.SIGNED if self.interval.fits_signed_64 else MysqlInteger.DECIMAL

    def columns(self) -> frozenset[str]:
        return _columns(self.branches, self.default)

    def evaluate(self, row: Row) -> int | None:
        chosen = _chosen(self.branches, self.default, row)
        return None if chosen is None else chosen.evaluate(row)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        wide = not self.interval.fits_signed_64

        def form(value: IntegerExpression) -> exp.Expr:
            return decimal_38(value.spark(qualify)) if wide else value.spark(qualify)

        values = [None if value is None else form(value) for _, value in self.branches]
        conditions = [condition.spark(qualify) for condition, _ in self.branches]
        return _case(conditions, values, None if self.default is None else form(self.default))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        wanted = self.mysql_type

        def form(value: IntegerExpression) -> exp.Expr:
            node = value.mysql(qualify)
            return node if value.mysql_type is wanted else mysql_cast(node, wanted)

        values = [None if value is None else form(value) for _, value in self.branches]
        conditions = [condition.mysql(qualify) for condition, _ in self.branches]
        return _case(conditions, values, None if self.default is None else form(self.default))


@dataclass(frozen=True, slots=True)
class TextChoice(TextExpression):
    branches: tuple[Branch[TextExpression], ...]
    default: TextExpression | None

    @property
    def nullable(self) -> bool:
        return _nullable(self.branches, self.default)

    @property
    def longest(self) -> int | None:
        lengths = [value.longest for value in _values(self.branches, self.default)]
        return None if None in lengths else max(length for length in lengths if length is not None)

    def columns(self) -> frozenset[str]:
        return _columns(self.branches, self.default)

    def evaluate(self, row: Row) -> str | None:
        chosen = _chosen(self.branches, self.default, row)
        return None if chosen is None else chosen.evaluate(row)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return _spark_case(self.branches, self.default, qualify)

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return _mysql_case(self.branches, self.default, qualify)


@dataclass(frozen=True, slots=True)
class BytesChoice(BytesExpression):
    branches: tuple[Branch[BytesExpression], ...]
    default: BytesExpression | None

    @property
    def nullable(self) -> bool:
        return _nullable(self.branches, self.default)

    def columns(self) -> frozenset[str]:
        return _columns(self.branches, self.default)

    def evaluate(self, row: Row) -> bytes | None:
        chosen = _chosen(self.branches, self.default, row)
        return None if chosen is None else chosen.evaluate(row)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return _spark_case(self.branches, self.default, qualify)

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return _mysql_case(self.branches, self.default, qualify)


def _values(branches: Sequence[Branch[_Value]], default: _Value | None) -> list[_Value]:
    return [value for value in (*(value for _, value in branches), default) if value is not None]


def _nullable(branches: Sequence[Branch[_Value]], default: _Value | None) -> bool:
    return any(value is None or value.nullable for value in (*(value for _, value in branches), default))


def _columns(branches: Sequence[Branch[_Value]], default: _Value | None) -> frozenset[str]:
    parts: list[Expression] = [*(condition for condition, _ in branches), *_values(branches, default)]
    return frozenset().union(*(part.columns() for part in parts))


def _chosen(branches: Sequence[Branch[_Value]], default: _Value | None, row: Row) -> _Value | None:
    return next((value for condition, value in branches if condition.evaluate(row)), default)


def _spark_case(branches: Sequence[Branch[_Value]], default: _Value | None, qualify: Qualify) -> exp.Expr:
    values = [None if value is None else value.spark(qualify) for _, value in branches]
    conditions = [condition.spark(qualify) for condition, _ in branches]
    return _case(conditions, values, None if default is None else default.spark(qualify))


def _mysql_case(branches: Sequence[Branch[_Value]], default: _Value | None, qualify: Qualify) -> exp.Expr:
    values = [None if value is None else value.mysql(qualify) for _, value in branches]
    conditions = [condition.mysql(qualify) for condition, _ in branches]
    return _case(conditions, values, None if default is None else default.mysql(qualify))


def _case(conditions: Sequence[exp.Expr], values: Sequence[exp.Expr | None], default: exp.Expr | None) -> exp.Expr:
    ifs = [
        exp.If(this=condition, true=value or exp.Null()) for condition, value in zip(conditions, values, strict=True)
    ]
    return exp.Case(ifs=ifs, default=default or exp.Null())
