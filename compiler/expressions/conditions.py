"""Conditions with three answers, true, false and NULL (unknown), as SQL has them; and comparisons of two values of one
family.

Texts are compared by their UTF-8 bytes: letter case, accents and spaces at the end count, whatever the column's
collation (the translator refuses columns whose collation means something else).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlglot import exp

from shardwright.compiler.expressions.comparable import MomentExpression, MomentLiteral
from shardwright.compiler.expressions.expression import (
    Expression,
    Qualify,
    Row,
    SameSql,
    TextExpression,
    bracket,
    mysql_binary,
    plain_column,
)
from shardwright.compiler.sql import sql_text as sql

Connective = Literal["and", "or"]
_CONNECTIVES: dict[Connective, type[exp.Connector]] = {"and": exp.And, "or": exp.Or}


class BooleanExpression(Expression):
    """A condition. MySQL's form is 0, 1 or NULL, Spark's a BOOLEAN."""

    __slots__ = ()
    evaluate: Callable[[Row], bool | None]


@dataclass(frozen=True, slots=True)
class Junction(SameSql, BooleanExpression):
    """AND: false where one part is, else NULL where one is. OR: true where one part is, else NULL where one is."""

    word: Connective
    parts: tuple[BooleanExpression, ...]

    def evaluate(self, row: Row) -> bool | None:
        deciding = self.word == "or"
        answers = [part.evaluate(row) for part in self.parts]
        if any(answer is deciding for answer in answers):
            return deciding
        return None if None in answers else not deciding

    def _sql(self, *nodes: exp.Expr) -> exp.Expr:
        connector = _CONNECTIVES[self.word]
        operands = [exp.Paren(this=node) if isinstance(node, exp.Connector) else node for node in nodes]
        result = operands[0]
        for operand in operands[1:]:
            result = connector(this=result, expression=operand)
        return result


@dataclass(frozen=True, slots=True)
class Not(SameSql, BooleanExpression):
    value: BooleanExpression

    def _compute(self, value: bool) -> bool:
        return not value

    def _sql(self, value: exp.Expr) -> exp.Expr:
        return exp.Not(this=exp.Paren(this=value))


@dataclass(frozen=True, slots=True)
class IsNull(BooleanExpression):
    value: Expression

    nullable = False

    def evaluate(self, row: Row) -> bool | None:
        return self.value.evaluate(row) is None

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        return self._test_null(self.value.spark(qualify), qualify)

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        return self._test_null(self.value.mysql(qualify), qualify)

    def _test_null(self, node: exp.Expr, qualify: Qualify) -> exp.Expr:
        """Of a column itself, not of what it is cast to."""
        name = getattr(self.value, "name", None)
        asked = qualify(name) if isinstance(name, str) else exp.Paren(this=node)
        return exp.Is(this=asked, expression=exp.Null())


SIGNS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.NullSafeEQ: "<=>",
}
_NODES: dict[str, type[exp.Binary]] = {sign: node for node, sign in SIGNS.items() if issubclass(node, exp.Binary)}
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class _ComparisonNode(BooleanExpression):
    """Spark and MySQL spell it alike, over operands that are made comparable."""

    __slots__ = ()
    _sql: Callable[..., exp.Expr]

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        return self._sql(*spark_operands(self.operands, qualify))

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        return self._sql(*_mysql_operands(self.operands, qualify))


@dataclass(frozen=True, slots=True)
class Comparison(_ComparisonNode):
    """`left sign right`; both of one family. `<=>` takes two NULLs for equal and is never NULL."""

    sign: str
    left: Expression
    right: Expression

    @property
    def nullable(self) -> bool:
        return self.sign != "<=>" and (self.left.nullable or self.right.nullable)

    def evaluate(self, row: Row) -> bool | None:
        left, right = python_operands(self.operands, row)
        if self.sign == "<=>":
            return left == right
        return None if left is None or right is None else _COMPARE[self.sign](left, right)

    def _sql(self, left: exp.Expr, right: exp.Expr) -> exp.Expr:
        return _NODES[self.sign](this=left, expression=right)


@dataclass(frozen=True, slots=True)
class Membership(_ComparisonNode):
    """`value IN (literals)`; no literal is NULL."""

    value: Expression
    choices: tuple[Expression, ...]

    def evaluate(self, row: Row) -> bool | None:
        value, *choices = python_operands(self.operands, row)
        return None if value is None else value in choices

    def _sql(self, value: exp.Expr, *choices: exp.Expr) -> exp.Expr:
        return exp.In(this=value, expressions=list(choices))


def python_operands(parts: Sequence[Expression], row: Row) -> list[object]:
    values = [part.evaluate(row) for part in parts]
    width = _widest(parts)
    if width is None:
        return values
    return [
        value + _missing(part.fraction, width)
        if isinstance(value, str) and isinstance(part, MomentExpression)
        else value
        for part, value in zip(parts, values, strict=True)
    ]


def spark_operands(parts: Sequence[Expression], qualify: Qualify) -> list[exp.Expr]:
    """Moments as texts of one width, so that they are ordered as texts."""
    width = _widest(parts)
    nodes = []
    for part in parts:
        node = part.spark(qualify)
        more = _missing(part.fraction, width) if isinstance(part, MomentExpression) and width is not None else ""
        if more and isinstance(part, MomentLiteral):
            node = sql.text(part.text + more)
        elif more:
            node = exp.Concat(expressions=[node, sql.text(more)], safe=True, coalesce=False)
        nodes.append(bracket(node))
    return nodes


def _widest(parts: Sequence[Expression]) -> int | None:
    """The most digits of a second among moments; -1 when all are dates; None when there are no moments."""
    fractions = [part.fraction for part in parts if isinstance(part, MomentExpression)]
    return max((-1 if fraction is None else fraction for fraction in fractions), default=None)


def _missing(fraction: int | None, width: int) -> str:
    """What a moment's text lacks: the time of day, the point, zeros."""
    if width == -1:
        return ""
    text = " 00:00:00" if fraction is None else ""
    own = fraction or 0
    return text + ("." if own == 0 and width else "") + "0" * (width - own)


def _mysql_operands(parts: Sequence[Expression], qualify: Qualify) -> list[exp.Expr]:
    """Texts as their bytes."""
    nodes = [(part, part.mysql(qualify)) for part in parts]
    return [mysql_binary(node) if isinstance(part, TextExpression) else bracket(node) for part, node in nodes]
