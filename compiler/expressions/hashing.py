"""CRC32 over text and bytes."""

from __future__ import annotations

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
    spark_binary,
    unqualified,
)


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
