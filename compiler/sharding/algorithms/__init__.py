"""Named algorithms, one file each, built from the same nodes as written expressions. One is imported when a rule names
it."""

from __future__ import annotations

from collections.abc import Callable

from shardwright.compiler.sharding.function import Request, ShardFunction

Algorithm = Callable[[Request], ShardFunction | None]
"""None after a finding about an option; Refusal for what is wrong with the shard key."""

SPREADING = ("mod", "hash_mod", "crc32_mod", "murmur3_32", "xxhash64", "md5_prefix")
"""Algorithms that mean to spread rows evenly over as many databases and tables as the target has."""
ALGORITHMS = (*SPREADING, "range", "interval", "lookup", "weighted")
"""All of them. Those that are not spreading put rows where their author wants them."""


def algorithm_called(name: str) -> Algorithm | None:
    """None when there is none of that name."""
    algorithm: Algorithm
    match name:
        case "mod":
            from shardwright.compiler.sharding.algorithms.mod import mod as algorithm
        case "hash_mod":
            from shardwright.compiler.sharding.algorithms.hash_mod import hash_mod as algorithm
        case "crc32_mod":
            from shardwright.compiler.sharding.algorithms.crc32_mod import crc32_mod as algorithm
        case "murmur3_32":
            from shardwright.compiler.sharding.algorithms.murmur3_32 import murmur3_32 as algorithm
        case "xxhash64":
            from shardwright.compiler.sharding.algorithms.xxhash64 import xxhash64 as algorithm
        case "md5_prefix":
            from shardwright.compiler.sharding.algorithms.md5_prefix import md5_prefix as algorithm
        case "range":
            from shardwright.compiler.sharding.algorithms.range import by_range as algorithm
        case "interval":
            from shardwright.compiler.sharding.algorithms.interval import interval as algorithm
        case "lookup":
            from shardwright.compiler.sharding.algorithms.lookup import lookup as algorithm
        case "weighted":
            from shardwright.compiler.sharding.algorithms.weighted import weighted as algorithm
        case _:
            return None
    return algorithm
