"""Named algorithms, one file each, built from the same nodes as written expressions."""

from __future__ import annotations

from collections.abc import Callable

from shardwright.compiler.sharding.algorithms.crc32_mod import crc32_mod
from shardwright.compiler.sharding.algorithms.hash_mod import hash_mod
from shardwright.compiler.sharding.algorithms.interval import interval
from shardwright.compiler.sharding.algorithms.lookup import lookup
from shardwright.compiler.sharding.algorithms.md5_prefix import md5_prefix
from shardwright.compiler.sharding.algorithms.mod import mod
from shardwright.compiler.sharding.algorithms.murmur3_32 import murmur3_32
from shardwright.compiler.sharding.algorithms.range import by_range
from shardwright.compiler.sharding.algorithms.weighted import weighted
from shardwright.compiler.sharding.algorithms.xxhash64 import xxhash64
from shardwright.compiler.sharding.function import Request, ShardFunction

Algorithm = Callable[[Request], ShardFunction | None]
"""None after a finding about an option; Refusal for what is wrong with the shard key."""

ALGORITHMS: dict[str, Algorithm] = {
    "mod": mod,
    "hash_mod": hash_mod,
    "crc32_mod": crc32_mod,
    "murmur3_32": murmur3_32,
    "xxhash64": xxhash64,
    "md5_prefix": md5_prefix,
    "range": by_range,
    "interval": interval,
    "lookup": lookup,
    "weighted": weighted,
}
