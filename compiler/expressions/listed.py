"""From listed values to numbers, byte for byte, and one number for all others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    BytesExpression,
    IntegerExpression,
    MysqlInteger,
    Qualify,
    Row,
    TextExpression,
    unqualified,
)
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.expressions.sql_types import spark_bigint, spark_binary
from shardwright.compiler.plan.plan import SqlDialect
from shardwright.compiler.sql import sql_text

ListedValue = int | str | bytes


@dataclass(frozen=True, slots=True)
class Listed(IntegerExpression):
    """`results` maps each listed value to its number, `default` is for the rest."""

    value: IntegerExpression | TextExpression | BytesExpression
    results: Mapping[ListedValue, int]
    default: int

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def interval(self) -> Interval:
        numbers = [*self.results.values(), self.default]
        return Interval(min(numbers), max(numbers))

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.SIGNED

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> int | None:
        value = self.value.evaluate(row)
        return None if value is None else self.results.get(value, self.default)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        node = self.value.spark(qualify)
        if isinstance(self.value, TextExpression):
            node = spark_binary(node)
        return spark_bigint(self._case(node, "spark"))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        """Texts are compared as bytes: a collation would find 'cn' in a list that holds 'CN'."""
        node = self.value.mysql(qualify)
        if isinstance(self.value, TextExpression):
            node = exp.Cast(this=node, to=exp.DataType.build("BINARY", dialect="mysql"))
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
