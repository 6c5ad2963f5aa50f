"""Nodes between texts and integers: substring, concatenation, the decimal digits of an integer, CAST(text AS SIGNED),
and
CRC32 over text and bytes.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    IntegerExpression,
    MysqlInteger,
    Octets,
    Qualify,
    SameSql,
    TextExpression,
    mysql_cast,
    octets,
    spark_bigint,
    spark_octets,
    spark_string,
    unqualified,
    utf8mb4,
)
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.sql import sql_text


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

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return spark_string(self.value.spark(qualify))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        node = self.value.mysql(qualify)
        if self.value.mysql_type is MysqlInteger.UNSIGNED:
            # a ZEROFILL column would print its leading zeros; a cast forgets the display width
            node = mysql_cast(node, MysqlInteger.UNSIGNED)
        return utf8mb4(node)


@dataclass(frozen=True, slots=True)
class Substring(SameSql, TextExpression):
    """`length` code points from `position` (counted from 1); None: to the end."""

    value: TextExpression
    position: int
    length: int | None

    @property
    def longest(self) -> int | None:
        available = None if self.value.longest is None else max(0, self.value.longest - self.position + 1)
        if available is None or self.length is None:
            return self.length if available is None else available
        return min(available, self.length)

    def _compute(self, value: str) -> str:
        start = self.position - 1
        return value[start:] if self.length is None else value[start : start + self.length]

    def _sql(self, value: exp.Expr) -> exp.Expr:
        length = None if self.length is None else sql_text.number(self.length)
        return exp.Substring(this=value, start=sql_text.number(self.position), length=length)


@dataclass(frozen=True, slots=True)
class Concat(SameSql, TextExpression):
    """The parts one after another; NULL when one of them is."""

    parts: tuple[TextExpression, ...]

    @property
    def longest(self) -> int | None:
        lengths = [part.longest for part in self.parts]
        return None if None in lengths else sum(length for length in lengths if length is not None)

    def _compute(self, *parts: str) -> str:
        return "".join(parts)

    def _sql(self, *parts: exp.Expr) -> exp.Expr:
        return exp.Concat(expressions=list(parts), safe=True, coalesce=False)


_MOST_DIGITS = 18
_PATTERN = "^-?[0-9]{1,18}"
_DIGITS = re.compile(_PATTERN)


@dataclass(frozen=True, slots=True)
class LeadingInteger(IntegerExpression):
    """The value of an optional `-` and the 1 to 18 ASCII digits the text begins with; 0 when it begins otherwise.

    MySQL's own CAST also skips leading white space, takes a `+`, goes on to 19 digits and more, and warns about
    anything
    that follows, which strict mode turns into an error inside a write. Spark's fails on it. So all three forms cut the
    number out first: no warning, no error, and never an overflow.
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


@dataclass(frozen=True, slots=True)
class Crc32(IntegerExpression):
    """CRC-32 (the polynomial of zlib and gzip) over the UTF-8 bytes of a text, or over bytes as they are."""

    value: Octets

    interval = Interval(0, 2**32 - 1)
    mysql_type = MysqlInteger.UNSIGNED

    def _compute(self, value: str | bytes) -> int:
        return zlib.crc32(octets(value))

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return _crc32(spark_octets(self.value, qualify))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return _crc32(self.value.mysql(qualify))


def _crc32(node: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this="CRC32", expressions=[node])
