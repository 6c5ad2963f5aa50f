"""What a hash function reads: an integer of 4 or 8 bytes, or the bytes of a text or a binary column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    BytesExpression,
    IntegerExpression,
    Qualify,
    Row,
    TextExpression,
    spark_binary,
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

    def octets(self, row: Row) -> bytes | None:
        value = self.value.evaluate(row)
        return None if value is None else (value % 2 ** (8 * self.width)).to_bytes(self.width, "little")

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

    value: TextExpression | BytesExpression

    def octets(self, row: Row) -> bytes | None:
        value = self.value.evaluate(row)
        return value.encode("utf-8") if isinstance(value, str) else value

    def spark(self, qualify: Qualify) -> exp.Expr:
        node = self.value.spark(qualify)
        return spark_binary(node) if isinstance(self.value, TextExpression) else node

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
