"""Conditions with three answers: true, false and NULL (unknown), as SQL has them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from shardwright.compiler.expressions.expression import Expression, Qualify, Row, unqualified

Connective = Literal["and", "or"]
_CONNECTIVES: dict[Connective, type[exp.Connector]] = {"and": exp.And, "or": exp.Or}


class BooleanExpression(Expression):
    """A condition. MySQL's form is 0, 1 or NULL, Spark's a BOOLEAN."""

    __slots__ = ()

    @abstractmethod
    def evaluate(self, row: Row) -> bool | None: ...


@dataclass(frozen=True, slots=True)
class Connected(BooleanExpression):
    """AND: false where one part is, else NULL where one is. OR: true where one part is, else NULL where one is."""

    word: Connective
    parts: tuple[BooleanExpression, ...]

    @property
    def nullable(self) -> bool:
        return any(part.nullable for part in self.parts)

    def columns(self) -> frozenset[str]:
        return frozenset().union(*(part.columns() for part in self.parts))

    def evaluate(self, row: Row) -> bool | None:
        deciding = self.word == "or"
        answers = [part.evaluate(row) for part in self.parts]
        if any(answer is deciding for answer in answers):
            return deciding
        return None if None in answers else not deciding

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return self._connected([part.spark(qualify) for part in self.parts])

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return self._connected([part.mysql(qualify) for part in self.parts])

    def _connected(self, nodes: list[exp.Expr]) -> exp.Expr:
        connector = _CONNECTIVES[self.word]
        operands = [exp.Paren(this=node) if isinstance(node, exp.Connector) else node for node in nodes]
        result = operands[0]
        for operand in operands[1:]:
            result = connector(this=result, expression=operand)
        return result


@dataclass(frozen=True, slots=True)
class Not(BooleanExpression):
    value: BooleanExpression

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> bool | None:
        answer = self.value.evaluate(row)
        return None if answer is None else not answer

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.Not(this=exp.Paren(this=self.value.spark(qualify)))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.Not(this=exp.Paren(this=self.value.mysql(qualify)))


@dataclass(frozen=True, slots=True)
class IsNull(BooleanExpression):
    value: Expression

    @property
    def nullable(self) -> bool:
        return False

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> bool | None:
        return self.value.evaluate(row) is None

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return self._asked(self.value.spark(qualify), qualify)

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return self._asked(self.value.mysql(qualify), qualify)

    def _asked(self, node: exp.Expr, qualify: Qualify) -> exp.Expr:
        """Of a column itself, not of what it is cast to."""
        name = getattr(self.value, "name", None)
        asked = qualify(name) if isinstance(name, str) else exp.Paren(this=node)
        return exp.Is(this=asked, expression=exp.Null())


def is_true(condition: exp.Expr) -> exp.Expr:
    """The condition with NULL counted as no match."""
    return exp.Coalesce(this=condition, expressions=[exp.false()])
