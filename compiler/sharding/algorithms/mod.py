"""`mod`: database = key mod n, table = floor(key / n) mod m, where mod is never negative (-1 mod 16 is 15) and the
division rounds down (-1 / 16 is -1). Both follow from t = key mod (n * m): database = t % n, table = t div n. Integer
keys only.
"""

from __future__ import annotations

from shardwright.compiler.expressions.division import Modulo, divided, floor_modulo
from shardwright.compiler.expressions.expression import Expression, IntegerExpression
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.sharding.function import ShardFunction


def mod(key: Expression, databases: int, tables: int) -> ShardFunction:
    if not isinstance(key, IntegerExpression):
        raise Refusal("SW5008", "algorithm mod needs an integer shard key", "crc32_mod takes text and binary as well")
    if tables == 1:
        return ShardFunction(floor_modulo(key, databases), IntegerLiteral(0))
    if key.interval.low >= 0:
        return ShardFunction(Modulo(key, databases), Modulo(divided(key, databases), tables))
    place = floor_modulo(key, databases * tables)
    return ShardFunction(floor_modulo(key, databases), divided(place, databases))
