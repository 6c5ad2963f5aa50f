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
    BytesExpression,
    IntegerExpression,
    Interval,
    MysqlInteger,
    Qualify,
    Row,
    TextExpression,
    mysql_cast,
    spark_bigint,
    spark_binary,
    spark_string,
    unqualified,
    utf8mb4,
)
from shardwright.compiler.sql import sql_text


@dataclass(frozen=True, slots=True)
class DecimalText(TextExpression):
    """An integer's decimal digits, with a minus sign and nothing else."""

    value: IntegerExpression

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def longest(self) -> int | None:
        interval = self.value.interval
        return max(len(str(interval.low)), len(str(interval.high)))

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> str | None:
        value = self.value.evaluate(row)
        return None if value is None else str(value)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return spark_string(self.value.spark(qualify))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        node = self.value.mysql(qualify)
        if self.value.mysql_type is MysqlInteger.UNSIGNED:
            # a ZEROFILL column would print its leading zeros; a cast forgets the display width
            node = mysql_cast(node, MysqlInteger.UNSIGNED)
        return utf8mb4(node)


@dataclass(frozen=True, slots=True)
class Substring(TextExpression):
    """`length` code points from `position` (counted from 1); None: to the end."""

    value: TextExpression
    position: int
    length: int | None

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def longest(self) -> int | None:
        available = None if self.value.longest is None else max(0, self.value.longest - self.position + 1)
        if available is None or self.length is None:
            return self.length if available is None else available
        return min(available, self.length)

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> str | None:
        value = self.value.evaluate(row)
        if value is None:
            return None
        start = self.position - 1
        return value[start:] if self.length is None else value[start : start + self.length]

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return self._over(self.value.spark(qualify))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return self._over(self.value.mysql(qualify))

    def _over(self, node: exp.Expr) -> exp.Expr:
        length = None if self.length is None else sql_text.number(self.length)
        return exp.Substring(this=node, start=sql_text.number(self.position), length=length)


@dataclass(frozen=True, slots=True)
class Concat(TextExpression):
    """The parts one after another; NULL when one of them is."""

    parts: tuple[TextExpression, ...]

    @property
    def nullable(self) -> bool:
        return any(part.nullable for part in self.parts)

    @property
    def longest(self) -> int | None:
        lengths = [part.longest for part in self.parts]
        return None if None in lengths else sum(length for length in lengths if length is not None)

    def columns(self) -> frozenset[str]:
        return frozenset().union(*(part.columns() for part in self.parts))

    def evaluate(self, row: Row) -> str | None:
        values = [part.evaluate(row) for part in self.parts]
        present = [value for value in values if value is not None]
        return "".join(present) if len(present) == len(values) else None

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return _concat([part.spark(qualify) for part in self.parts])

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return _concat([part.mysql(qualify) for part in self.parts])


def _concat(parts: list[exp.Expr]) -> exp.Expr:
    return exp.Concat(expressions=parts, safe=True, coalesce=False)


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


@dataclass(frozen=True, slots=True)
class Crc32(IntegerExpression):
    """CRC-32 (the polynomial of zlib and gzip) over the UTF-8 bytes of a text, or over bytes as they are."""

    value: TextExpression | BytesExpression

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def interval(self) -> Interval:
        return Interval(0, 2**32 - 1)

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.UNSIGNED

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> int | None:
        value = self.value.evaluate(row)
        if value is None:
            return None
        return zlib.crc32(value.encode("utf-8") if isinstance(value, str) else value)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        node = self.value.spark(qualify)
        return _crc32(spark_binary(node) if isinstance(self.value, TextExpression) else node)

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return _crc32(self.value.mysql(qualify))


def _crc32(node: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this="CRC32", expressions=[node])
