"""Text functions of derived columns: the last characters, ASCII letters in one case, digests, lengths."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    IntegerExpression,
    MysqlInteger,
    Octets,
    Qualify,
    SameSql,
    TextExpression,
    mysql_binary,
    octets,
    spark_octets,
    unqualified,
    utf8mb4,
)
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill

_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SMALL = _CAPITALS.lower()
_BYTES_A_CHARACTER = 4
_LONGEST_TEXT = 2**32 - 1


@dataclass(frozen=True, slots=True)
class ExactText(SameSql, TextExpression):
    """`binary x`: the author's word that x is compared by its bytes, whatever its collation."""

    value: TextExpression

    @property
    def longest(self) -> int | None:
        return self.value.longest

    def _compute(self, value: str) -> str:
        return value

    def _sql(self, value: exp.Expr) -> exp.Expr:
        return value


@dataclass(frozen=True, slots=True)
class LastCharacters(SameSql, TextExpression):
    """RIGHT(value, count)."""

    value: TextExpression
    count: int

    @property
    def longest(self) -> int | None:
        return self.count if self.value.longest is None else min(self.count, self.value.longest)

    def _compute(self, value: str) -> str:
        return value[max(0, len(value) - self.count) :]

    def _sql(self, value: exp.Expr) -> exp.Expr:
        return exp.Right(this=value, expression=sql.number(self.count))


@dataclass(frozen=True, slots=True)
class AsciiCase(TextExpression):
    """UPPER or LOWER of the letters A to Z alone.

    Beyond ASCII the two do not agree: upper('ß') is 'SS' in Spark and 'ß' in MySQL, lower('İ') two characters in the
    one and one in the other, and the tables grow with every version of Unicode. MySQL's form looks at the UTF-8 bytes
    through `hebrew`, an 8-bit character set whose upper half has no letter case.
    """

    value: TextExpression
    upper: bool

    @property
    def longest(self) -> int | None:
        return self.value.longest

    def _compute(self, value: str) -> str:
        table = str.maketrans(_SMALL, _CAPITALS) if self.upper else str.maketrans(_CAPITALS, _SMALL)
        return value.translate(table)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        old, new = (_SMALL, _CAPITALS) if self.upper else (_CAPITALS, _SMALL)
        form = "TRANSLATE(hole_value, hole_old, hole_new)"
        return fill(form, "spark", value=self.value.spark(qualify), old=sql.text(old), new=sql.text(new))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        hebrew = exp.DataType(this=exp.DType.CHARACTER_SET, kind=exp.Var(this="hebrew"))
        seen = exp.Cast(this=mysql_binary(self.value.mysql(qualify)), to=hebrew)
        changed = exp.Upper(this=seen) if self.upper else exp.Lower(this=seen)
        return utf8mb4(mysql_binary(changed))


@dataclass(frozen=True, slots=True)
class HexText(TextExpression):
    """The UTF-8 bytes of a text, or bytes as they are, as hexadecimal digits in upper case. `bytes_at_most` bounds
    them."""

    value: Octets
    bytes_at_most: int | None

    @property
    def longest(self) -> int | None:
        return None if self.bytes_at_most is None else 2 * self.bytes_at_most

    def _compute(self, value: str | bytes) -> str:
        return octets(value).hex().upper()

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.Hex(this=spark_octets(self.value, qualify))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return utf8mb4(exp.Hex(this=self.value.mysql(qualify)))


@dataclass(frozen=True, slots=True)
class Sha2(TextExpression):
    """SHA-2 of 224, 256, 384 or 512 bits over the bytes that `hex` shows, as hexadecimal digits in lower case."""

    value: Octets
    bits: int

    @property
    def longest(self) -> int | None:
        return self.bits // 4

    def _compute(self, value: str | bytes) -> str:
        return hashlib.new(f"sha{self.bits}", octets(value)).hexdigest()

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.SHA2(this=spark_octets(self.value, qualify), length=sql.number(self.bits))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return utf8mb4(exp.SHA2(this=self.value.mysql(qualify), length=sql.number(self.bits)))


@dataclass(frozen=True, slots=True)
class CharacterCount(IntegerExpression):
    """CHAR_LENGTH: code points."""

    value: TextExpression

    mysql_type = MysqlInteger.SIGNED

    @property
    def interval(self) -> Interval:
        return Interval(0, _LONGEST_TEXT if self.value.longest is None else self.value.longest)

    def _compute(self, value: str) -> int:
        return len(value)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.cast(exp.Length(this=self.value.spark(qualify)), "BIGINT")

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.Length(this=self.value.mysql(qualify))


@dataclass(frozen=True, slots=True)
class ByteCount(IntegerExpression):
    """LENGTH: bytes of a text in UTF-8 (not in the column's character set), or of bytes as they are."""

    value: Octets
    bytes_at_most: int | None

    mysql_type = MysqlInteger.SIGNED

    @property
    def interval(self) -> Interval:
        return Interval(0, _LONGEST_TEXT if self.bytes_at_most is None else self.bytes_at_most)

    def _compute(self, value: str | bytes) -> int:
        return len(octets(value))

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.cast(exp.Length(this=spark_octets(self.value, qualify)), "BIGINT")

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.Length(this=self.value.mysql(qualify), binary=True)


def most_bytes(value: Octets) -> int | None:
    """An upper bound of the bytes of a value, where one is known."""
    if isinstance(value, TextExpression):
        return None if value.longest is None else _BYTES_A_CHARACTER * value.longest
    return getattr(getattr(value, "type", None), "length", None)
