"""Functions as data: what a function is in the three forms and what it takes is a row (`functions`), and one node for
each kind of result calls it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any, Generic, TypeVar

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    Expression,
    IntegerExpression,
    MysqlInteger,
    Qualify,
    TextExpression,
    plain_column,
    spark_octets,
)
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.plan.plan import SqlDialect
from shardwright.compiler.sql import sql_text
from shardwright.compiler.sql.template import fill

Form = str | Callable[..., exp.Expr]
"""A template in which `hole_1`, `hole_2` are the operands, or what makes the node of theirs."""

Parameter = Callable[[Expression, str], Expression | int]
"""Checks what is written for an operand of the function with that name. Raises Refusal."""

Node = TypeVar("Node", bound="Call")


@dataclass(frozen=True, slots=True, eq=False)
class Function(Generic[Node]):
    """A function of expressions and, after them, of whole numbers; NULL where an expression is. Called, it gives the
    node: the caller has checked the operands.

    name        as messages call it
    parameters  one for each operand; the last one is for all that follow, too
    result      which node calls it
    bounds      an integer's interval, a text's most characters: fixed, or made of the operands
    python      the value, made of the operands' values
    spark, mysql   no form of MySQL's own: as in Spark
    octets      Spark's form takes a text as its UTF-8 bytes
    mysql_type  of an integer
    """

    name: str
    parameters: Sequence[Parameter]
    result: type[Node]
    bounds: Any
    python: Callable[..., Any]
    spark: Form
    mysql: Form | None = None
    octets: bool = False
    mysql_type: MysqlInteger = MysqlInteger.SIGNED

    def __call__(self, *operands: Expression | int) -> Node:
        values = tuple(operand for operand in operands if isinstance(operand, Expression))
        return self.result(self, values, tuple(operand for operand in operands if isinstance(operand, int)))

    def check(self, *operands: Expression) -> Node:
        """The node for what is written. Raises Refusal."""
        checks = chain(self.parameters, repeat(self.parameters[-1]))
        return self(*(check(operand, self.name) for operand, check in zip(operands, checks, strict=False)))


@dataclass(frozen=True, slots=True)
class Call(Expression):
    function: Function[Any]
    values: tuple[Any, ...]
    numbers: tuple[int, ...]

    @property
    def bounds(self) -> Any:
        known = self.function.bounds
        return known(*self.values, *self.numbers) if callable(known) else known

    def _compute(self, *values: Any) -> Any:
        return self.function.python(*values, *self.numbers)

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        octets = self.function.octets
        nodes = [spark_octets(value, qualify) if octets else value.spark(qualify) for value in self.values]
        return self._form(self.function.spark, "spark", nodes)

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        nodes = [value.mysql(qualify) for value in self.values]
        return self._form(self.function.mysql or self.function.spark, "mysql", nodes)

    def _form(self, form: Form, dialect: SqlDialect, nodes: Sequence[exp.Expr]) -> exp.Expr:
        operands = [*nodes, *map(sql_text.number, self.numbers)]
        if not isinstance(form, str):
            return form(*operands)
        return fill(form, dialect, **{str(place): node for place, node in enumerate(operands, 1)})


class IntegerCall(Call, IntegerExpression):
    __slots__ = ()

    @property
    def interval(self) -> Interval:
        found: Interval = self.bounds
        return found

    @property
    def mysql_type(self) -> MysqlInteger:
        return self.function.mysql_type


class TextCall(Call, TextExpression):
    __slots__ = ()

    @property
    def longest(self) -> int | None:
        found: int | None = self.bounds
        return found
