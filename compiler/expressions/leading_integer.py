"""CAST(text AS SIGNED)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    IntegerExpression,
    MysqlInteger,
    Qualify,
    Row,
    TextExpression,
    unqualified,
)
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.expressions.sql_types import mysql_cast, spark_bigint
from shardwright.compiler.sql import sql_text

_MOST_DIGITS = 18
_PATTERN = "^-?[0-9]{1,18}"
_DIGITS = re.compile(_PATTERN)


@dataclass(frozen=True, slots=True)
class LeadingInteger(IntegerExpression):
    """The value of an optional `-` and the 1 to 18 ASCII digits the text begins with; 0 when it begins otherwise.

    MySQL's own CAST also skips leading white space, takes a `+`, goes on to 19 digits and more, and warns about anything
    that follows, which strict mode turns into an error inside a write. Spark's fails on it. So all three forms cut the
    number out first: no warning, no error, and never an overflow.
    """

    value: TextExpression

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def interval(self) -> Interval:
        longest = _MOST_DIGITS + 1 if self.value.longest is None else self.value.longest
        most = 10 ** min(_MOST_DIGITS, longest) - 1
        least = 10 ** min(_MOST_DIGITS, max(0, longest - 1)) - 1
        return Interval(-least, most)

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.SIGNED

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> int | None:
        value = self.value.evaluate(row)
        if value is None:
            return None
        found = _DIGITS.match(value)
        return int(found.group()) if found else 0

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        text = self.value.spark(qualify)
        found = exp.RegexpExtract(this=text, expression=sql_text.text(_PATTERN), group=sql_text.number(0))
        return self._unless_null(text, spark_bigint(_or_zero(found)))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        text = self.value.mysql(qualify)
        found = exp.Anonymous(this="REGEXP_SUBSTR", expressions=[text, sql_text.text(_PATTERN)])
        return self._unless_null(text, mysql_cast(_or_zero(found), MysqlInteger.SIGNED))

    def _unless_null(self, text: exp.Expr, number: exp.Expr) -> exp.Expr:
        if not self.nullable:
            return number
        absent = exp.Is(this=text.copy(), expression=exp.Null())
        return exp.Case(ifs=[exp.If(this=absent, true=exp.Null())], default=number)


def _or_zero(found: exp.Expr) -> exp.Expr:
    """No match is NULL in MySQL and an empty text in MariaDB and Spark: both become '0'."""
    present = exp.Nullif(this=found, expression=sql_text.text(""))
    return exp.Coalesce(this=present, expressions=[sql_text.text("0")])
