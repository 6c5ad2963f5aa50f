"""`crc32_mod`: database = crc32(key) % n, table = (crc32(key) div n) % m."""

from __future__ import annotations

from shardwright.compiler.expressions import make
from shardwright.compiler.expressions.division import Modulo, divided
from shardwright.compiler.expressions.expression import Expression
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.sharding.function import ShardFunction


def crc32_mod(key: Expression, databases: int, tables: int) -> ShardFunction:
    digest = make.crc32(key)
    table = Modulo(divided(digest, databases), tables)
    return ShardFunction(Modulo(digest, databases), IntegerLiteral(0) if tables == 1 else table)
