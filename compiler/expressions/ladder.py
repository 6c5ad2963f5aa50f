"""From ranges of an integer to numbers: below the first boundary the first, then the next at each boundary."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.expression import IntegerExpression, MysqlInteger, Qualify, Row, unqualified
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.expressions.sql_types import bracketed, spark_bigint
from shardwright.compiler.sql import sql_text
from shardwright.compiler.sql.template import fill

_NAMED = "ELEMENT_AT(TRANSFORM(ARRAY(hole_value), `it` -> hole_branches), 1)"


@dataclass(frozen=True, slots=True)
class Ladder(IntegerExpression):
    """`results[i]` holds from `boundaries[i - 1]` (included) to `boundaries[i]` (excluded). Made by `ladder`."""

    value: IntegerExpression
    boundaries: tuple[int, ...]
    results: tuple[int, ...]

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def interval(self) -> Interval:
        return Interval(min(self.results), max(self.results))

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.SIGNED

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> int | None:
        value = self.value.evaluate(row)
        return None if value is None else self.results[bisect_right(self.boundaries, value)]

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        """The value is computed once and named, however many branches look at it."""
        node = fill(_NAMED, "spark", value=self.value.spark(qualify), branches=self._case(sql_text.column("it")))
        return spark_bigint(node)

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return self._case(bracketed(self.value.mysql(qualify)))

    def _case(self, value: exp.Expr) -> exp.Expr:
        """Branches are tried in order, so each needs only its upper end."""
        branches = [
            exp.If(this=exp.LT(this=value.copy(), expression=sql_text.number(end)), true=sql_text.number(result))
            for end, result in zip(self.boundaries, self.results, strict=False)
        ]
        return exp.Case(ifs=branches, default=sql_text.number(self.results[-1]))


@dataclass(frozen=True, slots=True)
class Picked(IntegerExpression):
    """`results[index]`; `index` stays within them."""

    index: IntegerExpression
    results: tuple[int, ...]

    @property
    def nullable(self) -> bool:
        return self.index.nullable

    @property
    def interval(self) -> Interval:
        return Interval(min(self.results), max(self.results))

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.SIGNED

    def columns(self) -> frozenset[str]:
        return self.index.columns()

    def evaluate(self, row: Row) -> int | None:
        index = self.index.evaluate(row)
        return None if index is None else self.results[index]

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        index, results = self.index.spark(qualify), [sql_text.number(result) for result in self.results]
        text = "CAST(ELEMENT_AT(ARRAY(hole_results), CAST((hole_index) + 1 AS INT)) AS BIGINT)"
        return fill(text, "spark", index=index, results=results)

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        index, results = self.index.mysql(qualify), [sql_text.number(result) for result in self.results]
        return fill("CAST(ELT((hole_index) + 1, hole_results) AS SIGNED)", "mysql", index=index, results=results)


def ladder(value: IntegerExpression, boundaries: tuple[int, ...], results: tuple[int, ...]) -> IntegerExpression:
    """With neighbours of equal result made one. One result more than boundaries, which ascend."""
    ends: list[int] = []
    kept = [results[0]]
    for end, result in zip(boundaries, results[1:], strict=True):
        if result != kept[-1]:
            ends.append(end)
            kept.append(result)
    return Ladder(value, tuple(ends), tuple(kept)) if ends else IntegerLiteral(kept[0])
