"""`crc32_mod`: database = crc32(key) % n, table = (crc32(key) div n) % m. An integer is hashed by its decimal digits."""

from __future__ import annotations

from shardwright.compiler.expressions import make
from shardwright.compiler.sharding.function import Request, ShardFunction, spread
from shardwright.compiler.sharding.keys import hashed_text


def crc32_mod(request: Request) -> ShardFunction:
    return spread(make.crc32(hashed_text(request)), request.grid, request.word("layout", "divided"))
