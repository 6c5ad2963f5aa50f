"""`murmur3_32`: MurmurHash3 x86_32 over UTF-8 text, bytes, or an integer's bytes (8, least significant first, unless
`integers` says otherwise). Guava's `hashLong`, `hashInt`, `hashString(UTF_8)`, `hashBytes`; Spark's `hash` of a BIGINT
or an INT, from seed 42."""

from __future__ import annotations

from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.expressions.murmur3 import Murmur3
from shardwright.compiler.sharding.function import Request, ShardFunction
from shardwright.compiler.sharding.keys import hash_input
from shardwright.compiler.sharding.spread import apply_remainder, spread


def murmur3_32(request: Request) -> ShardFunction:
    return spread(
        apply_remainder(murmur3_digest(request), request, bits=32), request.grid, request.word("layout", "divided")
    )


def murmur3_digest(request: Request) -> Murmur3:
    seed = request.number("seed", 0)
    if seed >= 2**32:
        raise Refusal("SW5014", f"the seed of murmur3_32 has 32 bits: {seed} has more")
    return Murmur3(hash_input(request), seed)
