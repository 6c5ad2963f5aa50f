"""Named algorithms, built from the same operators as written expressions.

`crc32_mod`: database = crc32(key) % n, table = (crc32(key) div n) % m.
`mod`: database = key mod n, table = floor(key / n) mod m, where mod is never negative (-1 mod 16 is 15) and the division
rounds down (-1 / 16 is -1). Both follow from t = key mod (n * m): database = t % n, table = t div n. Integer keys only.
"""

from __future__ import annotations

from collections.abc import Callable

from shardwright.compiler.sharding import make
from shardwright.compiler.sharding.division import Divide, Modulo, floor_modulo
from shardwright.compiler.sharding.expression import Expression, IntegerExpression
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.compiler.sharding.leaves import IntegerLiteral
from shardwright.compiler.sharding.make import Refusal

Algorithm = Callable[[Expression, int, int], ShardFunction]


def crc32_mod(key: Expression, databases: int, tables: int) -> ShardFunction:
    digest = make.crc32(key)
    table = Modulo(_divided(digest, databases), tables)
    return ShardFunction(Modulo(digest, databases), IntegerLiteral(0) if tables == 1 else table)


def mod(key: Expression, databases: int, tables: int) -> ShardFunction:
    if not isinstance(key, IntegerExpression):
        raise Refusal("SW5008", "algorithm mod needs an integer shard key", "crc32_mod takes text and binary as well")
    if tables == 1:
        return ShardFunction(floor_modulo(key, databases), IntegerLiteral(0))
    if key.interval.low >= 0:
        return ShardFunction(Modulo(key, databases), Modulo(_divided(key, databases), tables))
    place = floor_modulo(key, databases * tables)
    return ShardFunction(floor_modulo(key, databases), _divided(place, databases))


def _divided(value: IntegerExpression, divisor: int) -> IntegerExpression:
    return value if divisor == 1 else Divide(value, divisor)


ALGORITHMS: dict[str, Algorithm] = {"crc32_mod": crc32_mod, "mod": mod}
