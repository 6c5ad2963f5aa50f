"""`xxhash64`: XXH64 over UTF-8 text, bytes, or an integer's bytes (8, least significant first, unless `integers` says
otherwise). Spark's `xxhash64` is the same from seed 42."""

from __future__ import annotations

from shardwright.compiler.expressions.xxhash64 import XxHash64
from shardwright.compiler.sharding.function import Request, ShardFunction
from shardwright.compiler.sharding.keys import hash_input
from shardwright.compiler.sharding.spread import apply_remainder, spread


def xxhash64(request: Request) -> ShardFunction:
    digest = XxHash64(hash_input(request), request.number("seed", 0))
    return spread(apply_remainder(digest, request, bits=64), request.grid, request.word("layout", "divided"))
