"""What a hash function reads: an integer of 4 or 8 bytes, or the bytes of a text or a binary column; and the base of
such functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    Expression,
    IntegerExpression,
    MysqlInteger,
    Octets,
    Qualify,
    octets,
    spark_octets,
)
from shardwright.compiler.expressions.leaves import BytesColumn
from shardwright.compiler.expressions.words import high_word, low_word, spark_two_complement
from shardwright.compiler.sql import sql_text
from shardwright.compiler.sql.template import fill

_WORD = "CAST(CONV(HEX(REVERSE(SUBSTRING(hole_bytes, hole_start, hole_length))), 16, 10) AS UNSIGNED)"


@dataclass(frozen=True, slots=True)
class IntegerInput:
    """The two's complement of an integer, least significant byte first."""

    value: IntegerExpression
    width: Literal[4, 8]

    def octets(self, value: int) -> bytes:
        return (value % (1 << 8 * self.width)).to_bytes(self.width, "little")

    def spark(self, qualify: Qualify) -> exp.Expr:
        if self.width == 8:
            return spark_two_complement(self.value, qualify)
        return exp.cast(self.value.spark(qualify), "INT")

    def mysql_words(self, qualify: Qualify) -> tuple[exp.Expr, ...] | None:
        """MySQL: the input as unsigned 32-bit words, least significant first."""
        words = [low_word(self.value).mysql(qualify)]
        if self.width == 8:
            words.append(high_word(self.value).mysql(qualify))
        return tuple(words)

    @property
    def length(self) -> int | None:
        return self.width


@dataclass(frozen=True, slots=True)
class OctetsInput:
    """The UTF-8 bytes of a text, or bytes as they are."""

    value: Octets

    def octets(self, value: str | bytes) -> bytes:
        return octets(value)

    def spark(self, qualify: Qualify) -> exp.Expr:
        return spark_octets(self.value, qualify)

    def mysql_words(self, qualify: Qualify) -> tuple[exp.Expr, ...] | None:
        """MySQL: the words of a BINARY(n), the last one of what is left; None for what has no fixed length."""
        length = self.length
        if length is None:
            return None
        octets = self.value.mysql(qualify)
        return tuple(
            fill(_WORD, "mysql", bytes=octets, start=sql_text.number(start + 1),
                 length=sql_text.number(min(4, length - start)))
            for start in range(0, length, 4)
        )  # fmt: skip

    @property
    def length(self) -> int | None:
        """The number of bytes when every value has the same."""
        value = self.value
        return value.type.length if isinstance(value, BytesColumn) and value.type.name == "binary" else None


HashInput = IntegerInput | OctetsInput


@dataclass(frozen=True, slots=True)
class SeededHash(IntegerExpression):
    """All bits of a digest, without a sign."""

    value: HashInput
    seed: int

    digest: ClassVar[staticmethod[[bytes, int], int]]
    mysql_type = MysqlInteger.UNSIGNED

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.value.value,)

    def _compute(self, value: Any) -> int:
        return self.digest(self.value.octets(value), self.seed)
