"""The leading hexadecimal digits of an MD5, as a number.

MySQL 9.6 moved MD5() out of the server: there `INSTALL COMPONENT 'file://component_classic_hashing'` brings it back.
MariaDB, and MySQL before, have it built in.
"""

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
)
from shardwright.compiler.sql import sql_text
from shardwright.compiler.sql.template import fill

_SPARK = "CAST(CONV(SUBSTRING(MD5(hole_bytes), 1, hole_digits), 16, 10) AS BIGINT)"
_MYSQL = "CAST(CONV(SUBSTRING(MD5(hole_bytes), 1, hole_digits), 16, 10) AS UNSIGNED)"


@dataclass(frozen=True, slots=True)
class Md5Prefix(IntegerExpression):
    """Over the UTF-8 bytes of a text, or over bytes as they are; 1 to 15 digits."""

    value: TextExpression | BytesExpression
    digits: int

    @property
    def nullable(self) -> bool:
        return self.value.nullable

    @property
    def interval(self) -> Interval:
        return Interval(0, 16**self.digits - 1)

    @property
    def mysql_type(self) -> MysqlInteger:
        return MysqlInteger.UNSIGNED

    def columns(self) -> frozenset[str]:
        return self.value.columns()

    def evaluate(self, row: Row) -> int | None:
        value = self.value.evaluate(row)
        if value is None:
            return None
        octets = value.encode("utf-8") if isinstance(value, str) else value
        return int(hashlib.md5(octets, usedforsecurity=False).hexdigest()[: self.digits], 16)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        node = self.value.spark(qualify)
        octets = spark_binary(node) if isinstance(self.value, TextExpression) else node
        return fill(_SPARK, "spark", bytes=octets, digits=sql_text.number(self.digits))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return fill(_MYSQL, "mysql", bytes=self.value.mysql(qualify), digits=sql_text.number(self.digits))
