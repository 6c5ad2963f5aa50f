"""Text functions of derived columns: the last characters, ASCII letters in one case, digests, lengths."""

from __future__ import annotations

import hashlib
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
    spark_binary,
    unqualified,
    utf8mb4,
)
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill

_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SMALL = _CAPITALS.lower()
_BYTES_A_CHARACTER = 4
_LONGEST_TEXT = 2**32 - 1


@dataclass(frozen=True, slots=True)
class ExactText(TextExpression):
    """`binary x`: the author's word that x is compared by its bytes, whatever its collation."""

    value: TextExpression

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def longest(self) -> int | None:
        return self.value.longest

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> str | None:
        return self.value.evaluate(row)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return self.value.spark(qualify)

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return self.value.mysql(qualify)


@dataclass(frozen=True, slots=True)
class LastCharacters(TextExpression):
    """RIGHT(value, count)."""

    value: TextExpression
    count: int

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def longest(self) -> int | None:
        return self.count if self.value.longest is None else min(self.count, self.value.longest)

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> str | None:
        value = self.value.evaluate(row)
        return None if value is None else value[max(0, len(value) - self.count) :]

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.Right(this=self.value.spark(qualify), expression=sql.number(self.count))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.Right(this=self.value.mysql(qualify), expression=sql.number(self.count))


@dataclass(frozen=True, slots=True)
class AsciiCase(TextExpression):
    """UPPER or LOWER of the letters A to Z alone.

    Beyond ASCII nobody agrees: upper('ß') is 'SS' in Spark and 'ß' in MySQL, lower('İ') two characters in the one and one in
    the other, and the tables grow with every version of Unicode. MySQL's form looks at the UTF-8 bytes through `hebrew`, an
    8-bit character set whose upper half has no letter case.
    """

    value: TextExpression
    upper: bool

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def longest(self) -> int | None:
        return self.value.longest

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> str | None:
        value = self.value.evaluate(row)
        if value is None:
            return None
        table = str.maketrans(_SMALL, _CAPITALS) if self.upper else str.maketrans(_CAPITALS, _SMALL)
        return value.translate(table)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        old, new = (_SMALL, _CAPITALS) if self.upper else (_CAPITALS, _SMALL)
        form = "TRANSLATE(hole_value, hole_old, hole_new)"
        return fill(form, "spark", value=self.value.spark(qualify), old=sql.text(old), new=sql.text(new))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        hebrew = exp.DataType(this=exp.DType.CHARACTER_SET, kind=exp.Var(this="hebrew"))
        seen = exp.Cast(this=_mysql_binary(self.value.mysql(qualify)), to=hebrew)
        changed = exp.Upper(this=seen) if self.upper else exp.Lower(this=seen)
        return utf8mb4(_mysql_binary(changed))


@dataclass(frozen=True, slots=True)
class HexText(TextExpression):
    """The UTF-8 bytes of a text, or bytes as they are, as hexadecimal digits in upper case. `bytes_at_most` bounds them."""

    value: TextExpression | BytesExpression
    bytes_at_most: int | None

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def longest(self) -> int | None:
        return None if self.bytes_at_most is None else 2 * self.bytes_at_most

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> str | None:
        value = _bytes(self.value.evaluate(row))
        return None if value is None else value.hex().upper()

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.Hex(this=_spark_bytes(self.value, qualify))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return utf8mb4(exp.Hex(this=self.value.mysql(qualify)))


@dataclass(frozen=True, slots=True)
class Sha2(TextExpression):
    """SHA-2 of 224, 256, 384 or 512 bits over the bytes that `hex` shows, as hexadecimal digits in lower case."""

    value: TextExpression | BytesExpression
    bits: int

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def longest(self) -> int | None:
        return self.bits // 4

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> str | None:
        value = _bytes(self.value.evaluate(row))
        return None if value is None else hashlib.new(f"sha{self.bits}", value).hexdigest()

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.SHA2(this=_spark_bytes(self.value, qualify), length=sql.number(self.bits))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return utf8mb4(exp.SHA2(this=self.value.mysql(qualify), length=sql.number(self.bits)))


@dataclass(frozen=True, slots=True)
class CharacterCount(IntegerExpression):
    """CHAR_LENGTH: code points."""

    value: TextExpression

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def interval(self) -> Interval:
        return Interval(0, _LONGEST_TEXT if self.value.longest is None else self.value.longest)

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.SIGNED

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> int | None:
        value = self.value.evaluate(row)
        return None if value is None else len(value)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.cast(exp.Length(this=self.value.spark(qualify)), "BIGINT")

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.Length(this=self.value.mysql(qualify))


@dataclass(frozen=True, slots=True)
class ByteCount(IntegerExpression):
    """LENGTH: bytes of a text in UTF-8 (not in the column's character set), or of bytes as they are."""

    value: TextExpression | BytesExpression
    bytes_at_most: int | None

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def interval(self) -> Interval:
        return Interval(0, _LONGEST_TEXT if self.bytes_at_most is None else self.bytes_at_most)

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.SIGNED

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> int | None:
        value = _bytes(self.value.evaluate(row))
        return None if value is None else len(value)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.cast(exp.Length(this=_spark_bytes(self.value, qualify)), "BIGINT")

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return exp.Length(this=self.value.mysql(qualify), binary=True)


def most_bytes(value: TextExpression | BytesExpression) -> int | None:
    """An upper bound of the bytes of a value, where one is known."""
    if isinstance(value, TextExpression):
        return None if value.longest is None else _BYTES_A_CHARACTER * value.longest
    return getattr(getattr(value, "type", None), "length", None)


def _bytes(value: str | bytes | None) -> bytes | None:
    return value.encode("utf-8") if isinstance(value, str) else value


def _spark_bytes(value: TextExpression | BytesExpression, qualify: Qualify) -> exp.Expr:
    node = value.spark(qualify)
    return spark_binary(node) if isinstance(value, TextExpression) else node


def _mysql_binary(node: exp.Expr) -> exp.Expr:
    return exp.Cast(this=node, to=exp.DataType.build("BINARY", dialect="mysql"))
