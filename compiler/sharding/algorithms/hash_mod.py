"""`hash_mod`: what Apache ShardingSphere's HASH_MOD computes, abs((long) value.hashCode()) % sharding-count
(HashModShardingAlgorithm.java in features/sharding/core of apache/shardingsphere, `hashShardingValue`).

`hashCode` depends on the Java class the application passes, which is not always the one of the column. MySQL
Connector/J reads TINYINT, SMALLINT, MEDIUMINT (with or without a sign) and INT as Integer, INT UNSIGNED and BIGINT as
Long, BIGINT UNSIGNED as BigInteger; `integers: as_column` follows that. An application that passes `long` everywhere
needs `integers: as_long`. The two agree from 0 to 2147483647 and differ below: Integer -1 has hash -1, Long -1 has
hash 0. TINYINT(1), which the driver may read as Boolean, is hashed as a number here.

The digest is at most 2^31, so Integer.MIN_VALUE, whose absolute value Java's own `int` cannot hold, is no exception.
"""

from __future__ import annotations

from shardwright.compiler.expressions.arithmetic import Add, Modulo, Multiply
from shardwright.compiler.expressions.expression import BytesExpression, IntegerExpression
from shardwright.compiler.expressions.java_hash import JavaTextHash
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.expressions.words import WORD, XOR, Absolute, high_word, low_word, to_signed
from shardwright.compiler.sharding.function import Request, ShardFunction
from shardwright.compiler.sharding.keys import is_java_int, text_to_hash
from shardwright.compiler.sharding.spread import spread


def hash_mod(request: Request) -> ShardFunction:
    return spread(java_digest(request), request.grid, request.word("layout", "divided"))


def java_digest(request: Request) -> IntegerExpression:
    """abs((long) key.hashCode()). Several columns are hashed as one String."""
    key = request.keys[0]
    if len(request.keys) == 1 and isinstance(key, IntegerExpression):
        return Absolute(_hash_of_integer(key, request.word("integers", "as_column")))
    text = text_to_hash(request)
    if isinstance(text, BytesExpression):
        message = "algorithm hash_mod cannot take a binary shard key: the hashCode of a Java array is its address"
        raise Refusal("SW5008", message, "crc32_mod, murmur3_32 and xxhash64 hash the bytes")
    return Absolute(to_signed(JavaTextHash(text), 32))


def _hash_of_integer(key: IntegerExpression, integers: str) -> IntegerExpression:
    """Integer: itself. Long: its halves combined by exclusive or. BigInteger, here never negative: 31 * high + low."""
    if integers == "as_column" and is_java_int(key):
        return key
    low, high = low_word(key), high_word(key)
    if integers == "as_column" and not key.interval.fits_signed_64:
        return to_signed(Modulo(Add(Multiply(high, IntegerLiteral(31)), low), WORD), 32)
    return to_signed(XOR(low, high), 32)
