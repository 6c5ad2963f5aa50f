"""`String.hashCode` of Java: s[0]*31^(n-1) + ... + s[n-1] over UTF-16 code units, modulo 2^32.

The formula is the one of the Java API documentation of java.lang.String.hashCode. A character above U+FFFF counts as
its two surrogates, as in Java.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from sqlglot import exp

from shardwright.compiler.expressions import functions
from shardwright.compiler.expressions.call import TextCall
from shardwright.compiler.expressions.expression import (
    IntegerExpression,
    MysqlInteger,
    NoMysqlForm,
    Qualify,
    TextExpression,
    plain_column,
)
from shardwright.compiler.expressions.leaves import TextColumn, TextLiteral
from shardwright.compiler.expressions.texts import DecimalText
from shardwright.compiler.expressions.words import UNSIGNED_WORD, WORD
from shardwright.compiler.sql import sql_text
from shardwright.compiler.sql.template import fill

MOST_UNITS_IN_MYSQL = 80
"""Longer texts have no MySQL form: it spells out one term for each code unit, of which a character may have two."""

_SPARK = """
AGGREGATE(REGEXP_EXTRACT_ALL(HEX(ENCODE(hole_text, 'UTF-16BE')), '([0-9A-F]{4})', 1), CAST(0 AS BIGINT),
          (h, unit) -> (h * 31 + CAST(CONV(unit, 16, 10) AS BIGINT)) % 4294967296)
"""
# One term for each code unit: its hexadecimal digits as a number, times 31 to the power of how many units may follow.
# The
# digits are filled up on the left: leading units of zero change no hash. Not a subquery over the positions, because
# MariaDB remembers a subquery's answers by its outer columns, compared by collation: 'a ' would get the hash of 'A'.
_TERM = (
    "CAST(CONV(SUBSTRING(LPAD(HEX(hole_utf16), hole_digits, '0'), hole_start, 4), 16, 10) AS UNSIGNED) * hole_factor"
)
_ONE_UNIT = frozenset(
    {"ascii", "latin1", "latin2", "cp1250", "cp1251", "cp1252", "greek", "hebrew", "ucs2", "utf8", "utf8mb3"}
)
"""Character sets without a character above U+FFFF."""


@dataclass(frozen=True, slots=True)
class JavaTextHash(IntegerExpression):
    """The 32 bits of `hashCode`, without a sign."""

    value: TextExpression

    interval = UNSIGNED_WORD
    mysql_type = MysqlInteger.UNSIGNED

    def _compute(self, value: str) -> int:
        units = value.encode("utf-16-be")
        digest = 0
        for index in range(0, len(units), 2):
            digest = (digest * 31 + (units[index] << 8 | units[index + 1])) % WORD
        return digest

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        return fill(_SPARK, "spark", text=self.value.spark(qualify))

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        units = _most_units(self.value)
        if units is None or units > MOST_UNITS_IN_MYSQL:
            length = "a text without a length" if units is None else f"a text of up to {units} UTF-16 code units"
            raise NoMysqlForm(f"String.hashCode of {length}; it can for {MOST_UNITS_IN_MYSQL} units")
        utf16 = exp.Cast(this=self.value.mysql(qualify), to=_UTF16)
        terms = [
            fill(
                _TERM,
                "mysql",
                utf16=utf16,
                digits=sql_text.number(4 * units),
                start=sql_text.number(4 * index + 1),
                factor=sql_text.number(pow(31, units - 1 - index, WORD)),
            )
            for index in range(units)
        ]
        total = reduce(lambda left, right: exp.Add(this=left, expression=right), terms)
        return exp.Mod(this=exp.Paren(this=total), expression=sql_text.number(WORD))


_UTF16 = exp.DataType(this=exp.DType.CHARACTER_SET, kind=exp.Var(this="utf16"))


def _most_units(text: TextExpression) -> int | None:
    """The most UTF-16 code units the text can have, at least 1; None when nothing is known."""
    match text:
        case TextCall(functions.CONCAT, parts):
            counts = [_most_units(part) for part in parts]
            return None if None in counts else sum(count for count in counts if count is not None)
        case DecimalText() | TextLiteral():
            width = 1
        case TextColumn(type=kind) if kind.charset in _ONE_UNIT:
            width = 1
        case _:
            width = 2
    return None if text.longest is None else max(1, width * text.longest)
