"""COALESCE, one class per family of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    BytesExpression,
    Expression,
    IntegerExpression,
    MysqlInteger,
    Qualify,
    Row,
    TextExpression,
    unqualified,
)
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.expressions.sql_types import decimal_38, mysql_cast


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
        return _columns(self.choices)

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
        return _columns(self.choices)

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
        return _columns(self.choices)

    def evaluate(self, row: Row) -> bytes | None:
        return next((value for choice in self.choices if (value := choice.evaluate(row)) is not None), None)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return _coalesce([choice.spark(qualify) for choice in self.choices])

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return _coalesce([choice.mysql(qualify) for choice in self.choices])


def _columns(choices: Sequence[Expression]) -> frozenset[str]:
    return frozenset().union(*(choice.columns() for choice in choices))


def _coalesce(nodes: list[exp.Expr]) -> exp.Expr:
    return exp.Coalesce(this=nodes[0], expressions=nodes[1:])
