"""`mod`: database = key mod n, table = floor(key / n) mod m, where mod is never negative (-1 mod 16 is 15) and the
division rounds down (-1 / 16 is -1). Integer keys only."""

from __future__ import annotations

from shardwright.compiler.sharding.function import Request, ShardFunction
from shardwright.compiler.sharding.spread import spread


def mod(request: Request) -> ShardFunction:
    return spread(request.integer_key(), request.grid, request.word("layout", "divided"))
