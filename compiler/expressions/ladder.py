"""From integers and listed values to numbers: an integer held between two ends, numbers by ranges, numbers by listed
values byte for byte.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.call import Function, IntegerCall
from shardwright.compiler.expressions.expression import (
    IntegerExpression,
    MysqlInteger,
    Octets,
    Qualify,
    TextExpression,
    bracket,
    mysql_binary,
    plain_column,
    spark_bigint,
    spark_binary,
    spark_octets,
)
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.plan.plan import SqlDialect
from shardwright.compiler.sql import sql_text
from shardwright.compiler.sql.template import fill


def _between(value: IntegerExpression, low: int, high: int) -> Interval:
    inner = value.interval
    return Interval(min(max(inner.low, low), high), min(max(inner.high, low), high))


CLAMP = Function(
    "clamp", (), IntegerCall, bounds=_between,
    python=lambda value, low, high: min(max(value, low), high),
    spark="CAST(LEAST(GREATEST(hole_1, hole_2), hole_3) AS BIGINT)",
    mysql="LEAST(GREATEST(hole_1, hole_2), hole_3)",
)  # fmt: skip


def _pick_in_spark(index: exp.Expr, *results: exp.Expr) -> exp.Expr:
    text = "CAST(ELEMENT_AT(ARRAY(hole_results), CAST((hole_index) + 1 AS INT)) AS BIGINT)"
    return fill(text, "spark", index=index, results=results)


def _pick_in_mysql(index: exp.Expr, *results: exp.Expr) -> exp.Expr:
    return fill("CAST(ELT((hole_index) + 1, hole_results) AS SIGNED)", "mysql", index=index, results=results)


PICK = Function(
    "pick", (), IntegerCall, bounds=lambda _index, *results: Interval(min(results), max(results)),
    python=lambda index, *results: results[index],
    spark=_pick_in_spark,
    mysql=_pick_in_mysql,
)  # fmt: skip
"""The number at an index, which stays within them."""

_NAMED = "ELEMENT_AT(TRANSFORM(ARRAY(hole_value), `it` -> hole_branches), 1)"


@dataclass(frozen=True, slots=True)
class Ladder(IntegerExpression):
    """`results[i]` holds from `boundaries[i - 1]` (included) to `boundaries[i]` (excluded). Made by `ladder`."""

    value: IntegerExpression
    boundaries: tuple[int, ...]
    results: tuple[int, ...]

    mysql_type = MysqlInteger.SIGNED

    @property
    def interval(self) -> Interval:
        return Interval(min(self.results), max(self.results))

    def _compute(self, value: int) -> int:
        return self.results[bisect_right(self.boundaries, value)]

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        """The value is computed once and named, however many branches look at it."""
        node = fill(_NAMED, "spark", value=self.value.spark(qualify), branches=self._case(sql_text.column("it")))
        return spark_bigint(node)

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        return self._case(bracket(self.value.mysql(qualify)))

    def _case(self, value: exp.Expr) -> exp.Expr:
        """Branches are tried in order, so each needs only its upper end."""
        branches = [
            exp.If(this=exp.LT(this=value.copy(), expression=sql_text.number(end)), true=sql_text.number(result))
            for end, result in zip(self.boundaries, self.results, strict=False)
        ]
        return exp.Case(ifs=branches, default=sql_text.number(self.results[-1]))


def ladder(value: IntegerExpression, boundaries: tuple[int, ...], results: tuple[int, ...]) -> IntegerExpression:
    """With neighbours of equal result made one. One result more than boundaries, which ascend."""
    ends: list[int] = []
    kept = [results[0]]
    for end, result in zip(boundaries, results[1:], strict=True):
        if result != kept[-1]:
            ends.append(end)
            kept.append(result)
    return Ladder(value, tuple(ends), tuple(kept)) if ends else IntegerLiteral(kept[0])


ListedValue = int | str | bytes


@dataclass(frozen=True, slots=True)
class ValueChoice(IntegerExpression):
    """`results` maps each listed value to its number, `default` is for the rest."""

    value: IntegerExpression | Octets
    results: Mapping[ListedValue, int]
    default: int

    mysql_type = MysqlInteger.SIGNED

    @property
    def interval(self) -> Interval:
        numbers = [*self.results.values(), self.default]
        return Interval(min(numbers), max(numbers))

    def _compute(self, value: ListedValue) -> int:
        return self.results.get(value, self.default)

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        return spark_bigint(self._case(spark_octets(self.value, qualify), "spark"))

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        """Texts are compared as bytes: a collation would find 'cn' in a list that holds 'CN'."""
        node = self.value.mysql(qualify)
        if isinstance(self.value, TextExpression):
            node = mysql_binary(node)
        return self._case(node, "mysql")

    def _case(self, value: exp.Expr, dialect: SqlDialect) -> exp.Expr:
        by_result: dict[int, list[ListedValue]] = {}
        for key, result in self.results.items():
            if result != self.default:
                by_result.setdefault(result, []).append(key)
        if not by_result:
            return sql_text.number(self.default)
        branches = [
            exp.If(
                this=exp.In(this=value.copy(), expressions=[_literal(key, dialect) for key in keys]),
                true=sql_text.number(result),
            )
            for result, keys in sorted(by_result.items())
        ]
        return exp.Case(ifs=branches, default=sql_text.number(self.default))


def _literal(key: ListedValue, dialect: SqlDialect) -> exp.Expr:
    if isinstance(key, int):
        return sql_text.number(key)
    octets = key.encode("utf-8") if isinstance(key, str) else key
    plain = octets.isascii() and octets.decode("latin-1").isprintable() and b"\\" not in octets and b"${" not in octets
    if dialect == "mysql" and not plain:
        return exp.HexString(this=octets.hex().upper())
    if not plain:
        return exp.Unhex(this=sql_text.text(octets.hex().upper()))
    text = sql_text.text(octets.decode("ascii"))
    return spark_binary(text) if dialect == "spark" else text
