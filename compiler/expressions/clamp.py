"""An integer held between two ends: LEAST(GREATEST(x, low), high)."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.expression import IntegerExpression, MysqlInteger, Qualify, Row, unqualified
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.expressions.sql_types import spark_bigint
from shardwright.compiler.plan.plan import SqlDialect
from shardwright.compiler.sql import sql_text
from shardwright.compiler.sql.template import fill


@dataclass(frozen=True, slots=True)
class Clamp(IntegerExpression):
    value: IntegerExpression
    low: int
    high: int

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def interval(self) -> Interval:
        inner = self.value.interval
        return Interval(min(max(inner.low, self.low), self.high), min(max(inner.high, self.low), self.high))

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.SIGNED

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> int | None:
        value = self.value.evaluate(row)
        return None if value is None else min(max(value, self.low), self.high)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return spark_bigint(self._held(self.value.spark(qualify), "spark"))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return self._held(self.value.mysql(qualify), "mysql")

    def _held(self, value: exp.Expr, dialect: SqlDialect) -> exp.Expr:
        low, high = sql_text.number(self.low), sql_text.number(self.high)
        text = "LEAST(GREATEST(hole_value, hole_low), hole_high)"
        return fill(text, dialect, value=value, low=low, high=high)
