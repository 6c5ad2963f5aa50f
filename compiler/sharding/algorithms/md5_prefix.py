"""`md5_prefix`: the number that the first hexadecimal digits of the key's MD5 make. An integer is hashed by its decimal
digits. MySQL from 9.6 on needs the component `component_classic_hashing` for it (see `expressions/functions.py`)."""

from __future__ import annotations

from shardwright.compiler.expressions.functions import MD5_PREFIX
from shardwright.compiler.sharding.function import Request, ShardFunction
from shardwright.compiler.sharding.keys import text_to_hash
from shardwright.compiler.sharding.spread import spread


def md5_prefix(request: Request) -> ShardFunction:
    digest = MD5_PREFIX(text_to_hash(request), request.number("digits", 8))
    return spread(digest, request.grid, request.word("layout", "divided"))
