"""The leading hexadecimal digits of an MD5, as a number.

MySQL 9.6 moved MD5() out of the server: there `INSTALL COMPONENT 'file://component_classic_hashing'` brings it back.
MariaDB, and MySQL before, have it built in.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    IntegerExpression,
    MysqlInteger,
    Octets,
    Qualify,
    octets,
    spark_octets,
    unqualified,
)
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.sql import sql_text
from shardwright.compiler.sql.template import fill

_SPARK = "CAST(CONV(SUBSTRING(MD5(hole_bytes), 1, hole_digits), 16, 10) AS BIGINT)"
_MYSQL = "CAST(CONV(SUBSTRING(MD5(hole_bytes), 1, hole_digits), 16, 10) AS UNSIGNED)"


@dataclass(frozen=True, slots=True)
class Md5Prefix(IntegerExpression):
    """Over the UTF-8 bytes of a text, or over bytes as they are; 1 to 15 digits."""

    value: Octets
    digits: int

    mysql_type = MysqlInteger.UNSIGNED

    @property
    def interval(self) -> Interval:
        return Interval(0, 16**self.digits - 1)

    def _compute(self, value: str | bytes) -> int:
        return int(hashlib.md5(octets(value), usedforsecurity=False).hexdigest()[: self.digits], 16)

    def spark(self, qualify: Qualify = unqualified) -> exp.Expr:
        return fill(_SPARK, "spark", bytes=spark_octets(self.value, qualify), digits=sql_text.number(self.digits))

    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr:
        return fill(_MYSQL, "mysql", bytes=self.value.mysql(qualify), digits=sql_text.number(self.digits))
