"""Named algorithms, one file each, built from the same operators as written expressions."""

from __future__ import annotations

from collections.abc import Callable

from shardwright.compiler.expressions.expression import Expression
from shardwright.compiler.sharding.algorithms.crc32_mod import crc32_mod
from shardwright.compiler.sharding.algorithms.mod import mod
from shardwright.compiler.sharding.function import ShardFunction

Algorithm = Callable[[Expression, int, int], ShardFunction]

ALGORITHMS: dict[str, Algorithm] = {"crc32_mod": crc32_mod, "mod": mod}
