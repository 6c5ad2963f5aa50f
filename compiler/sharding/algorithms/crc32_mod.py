"""`crc32_mod`: database = crc32(key) % n, table = (crc32(key) div n) % m. An integer is hashed by its decimal
digits."""

from __future__ import annotations

from shardwright.compiler.expressions.functions import CRC32
from shardwright.compiler.sharding.function import Request, ShardFunction
from shardwright.compiler.sharding.keys import text_to_hash
from shardwright.compiler.sharding.spread import spread


def crc32_mod(request: Request) -> ShardFunction:
    return spread(CRC32.check(text_to_hash(request)), request.grid, request.word("layout", "divided"))
