"""Between texts and integers: the decimal digits of an integer, and CAST(text AS SIGNED)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    IntegerExpression,
    MysqlInteger,
    Qualify,
    TextExpression,
    mysql_cast,
    plain_column,
    spark_string,
    utf8mb4,
)
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.sql.template import fill


@dataclass(frozen=True, slots=True)
class DecimalText(TextExpression):
    """An integer's decimal digits, with a minus sign and nothing else."""

    value: IntegerExpression

    @property
    def longest(self) -> int | None:
        interval = self.value.interval
        return max(len(str(interval.low)), len(str(interval.high)))

    def _compute(self, value: int) -> str:
        return str(value)

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        return spark_string(self.value.spark(qualify))

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        node = self.value.mysql(qualify)
        if self.value.mysql_type is MysqlInteger.UNSIGNED:
            # a ZEROFILL column would print its leading zeros; a cast forgets the display width
            node = mysql_cast(node, MysqlInteger.UNSIGNED)
        return utf8mb4(node)


_MOST_DIGITS = 18
_PATTERN = "^-?[0-9]{1,18}"
_DIGITS = re.compile(_PATTERN)


@dataclass(frozen=True, slots=True)
class LeadingInteger(IntegerExpression):
    """The value of an optional `-` and the 1 to 18 ASCII digits the text begins with; 0 when it begins otherwise.

    MySQL's own CAST also skips leading white space, takes a `+`, goes on to 19 digits and more, and warns about
    anything that follows, which strict mode turns into an error inside a write. Spark's fails on it. So all three forms
    cut the number out first: no warning, no error, and never an overflow.
    """

    value: TextExpression

    mysql_type = MysqlInteger.SIGNED

    @property
    def interval(self) -> Interval:
        longest = _MOST_DIGITS + 1 if self.value.longest is None else self.value.longest
        most = 10 ** min(_MOST_DIGITS, longest) - 1
        least = 10 ** min(_MOST_DIGITS, max(0, longest - 1)) - 1
        return Interval(-least, most)

    def _compute(self, value: str) -> int:
        found = _DIGITS.match(value)
        return int(found.group()) if found else 0

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        found = f"REGEXP_EXTRACT(hole_text, '{_PATTERN}', 0)"
        return fill(self._form(found, "BIGINT"), "spark", text=self.value.spark(qualify))

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        found = f"REGEXP_SUBSTR(hole_text, '{_PATTERN}')"
        return fill(self._form(found, "SIGNED"), "mysql", text=self.value.mysql(qualify))

    def _form(self, found: str, kind: str) -> str:
        """No match is NULL in MySQL and an empty text in MariaDB and Spark: both become '0'."""
        number = f"CAST(COALESCE(NULLIF({found}, ''), '0') AS {kind})"
        return f"CASE WHEN hole_text IS NULL THEN NULL ELSE {number} END" if self.nullable else number
