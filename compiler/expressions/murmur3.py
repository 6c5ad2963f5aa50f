"""MurmurHash3 in its variant x86_32: the function of Guava's `Hashing.murmur3_32_fixed`, of `mmh3.hash`, of Cassandra
tools.

Written from the public-domain reference by Austin Appleby (MurmurHash3.cpp in SMHasher). Spark's own `hash` is the
same function for integers; over texts it departs from the reference in the last 1 to 3 bytes, so those are computed
here from higher-order functions.
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    NoMysqlForm,
    Qualify,
    plain_column,
)
from shardwright.compiler.expressions.hash_input import IntegerInput, SeededHash
from shardwright.compiler.expressions.words import UNSIGNED_WORD, WORD
from shardwright.compiler.sql import sql_text
from shardwright.compiler.sql.template import fill

_MASK = WORD - 1
_C1, _C2, _STEP = 0xCC9E2D51, 0x1B873593, 0xE6546B64
_F1, _F2 = 0x85EBCA6B, 0xC2B2AE35
_SPARK_SEED = 42
MOST_OCTETS_IN_MYSQL = 16

# A rotation by r bits is a multiplication by 2^r modulo 2^32 - 1; taking 1 off before and adding it after keeps both 0
# and 2^32 - 1 what they are. It names its operand once, where shifts would name it twice in every round.
_ROTATED = "(CAST(hole_word AS SIGNED) * hole_power - 1) % 4294967295 + 1"
_TIMES = "(hole_word) * hole_factor & 4294967295"
_MIXED = "(hole_hash) ^ (hole_word)"
_NEXT = "(hole_hash) * 5 + 3864292196 & 4294967295"
_SHIFTED = "(SELECT BIT_XOR((hole_hash) >> shift.bits) FROM (SELECT 0 AS bits UNION ALL SELECT hole_bits) AS shift)"

_SPARK_BUILT_IN = "HASH(CAST(hole_seed AS INT), hole_value) & 4294967295"
# One round for every eight hexadecimal digits (four bytes, the last ones perhaps fewer), then the finish. A product may
# have 64 bits: it is taken as a DECIMAL, so that nothing overflows with or without ANSI mode.
_SPARK_OCTETS = """
AGGREGATE(
  REGEXP_EXTRACT_ALL(HEX(hole_value), '([0-9A-F]{1,8})', 1), CAST(hole_seed AS BIGINT),
  (h, block) -> AGGREGATE(
    ARRAY(CAST(CONV(CONCAT(SUBSTRING(block, 7, 2), SUBSTRING(block, 5, 2), SUBSTRING(block, 3, 2), SUBSTRING(block, 1, 2)), 16, 10) AS BIGINT)),
    h,
    (seen, k) -> seen ^ CAST(CAST((CAST(k AS DECIMAL(20, 0)) * 3432918353 % 4294967296 * 32768 - 1) % 4294967295 + 1 AS DECIMAL(20, 0)) * 461845907 % 4294967296 AS BIGINT),
    mixed -> IF(LENGTH(block) = 8, ((mixed * 8192 - 1) % 4294967295 + 1) * 5 % 4294967296 + 3864292196, mixed) % 4294967296
  ),
  last -> AGGREGATE(
    ARRAY(STRUCT(65536 AS power, 2246822507 AS factor), STRUCT(8192 AS power, 3266489909 AS factor), STRUCT(65536 AS power, CAST(1 AS BIGINT) AS factor)),
    last ^ LENGTH(hole_value),
    (f, step) -> CAST(CAST(f ^ (f DIV step.power) AS DECIMAL(20, 0)) * step.factor % 4294967296 AS BIGINT)
  )
)
"""  # noqa: E501


def murmur3_32(octets: bytes, seed: int) -> int:
    digest = seed
    for start in range(0, len(octets), 4):
        block = octets[start : start + 4]
        digest ^= _scramble(int.from_bytes(block, "little"))
        if len(block) == 4:
            digest = (_rotate(digest, 13) * 5 + _STEP) & _MASK
    return _finish(digest ^ len(octets))


def _scramble(word: int) -> int:
    return _rotate(word * _C1 & _MASK, 15) * _C2 & _MASK


def _rotate(word: int, bits: int) -> int:
    return (word << bits | word >> (32 - bits)) & _MASK


def _finish(digest: int) -> int:
    digest = (digest ^ digest >> 16) * _F1 & _MASK
    digest = (digest ^ digest >> 13) * _F2 & _MASK
    return digest ^ digest >> 16


def _preimage(seed: int) -> int:
    """The 4-byte integer that Spark's HASH, which starts from 42, maps to `seed`: HASH(preimage, x) goes on from there,
    so it is the hash of x with that seed. Every step of the function can be undone."""
    digest = seed ^ seed >> 16
    digest = digest * pow(_F2, -1, WORD) & _MASK
    digest ^= digest >> 13 ^ digest >> 26
    digest = digest * pow(_F1, -1, WORD) & _MASK
    digest = (digest ^ digest >> 16) ^ 4
    digest = _rotate((digest - _STEP) * pow(5, -1, WORD) & _MASK, 32 - 13) ^ _SPARK_SEED
    return _rotate(digest * pow(_C2, -1, WORD) & _MASK, 32 - 15) * pow(_C1, -1, WORD) & _MASK


def _as_int(word: int) -> int:
    return word - WORD if word >= WORD // 2 else word


class Murmur3(SeededHash):
    """The 32 bits of the digest, without a sign."""

    __slots__ = ()
    digest = staticmethod(murmur3_32)
    interval = UNSIGNED_WORD

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        value = self.value.spark(qualify)
        if isinstance(self.value, IntegerInput):
            seed = sql_text.number(_as_int(_preimage(self.seed)))
            return fill(_SPARK_BUILT_IN, "spark", seed=seed, value=value)
        return fill(_SPARK_OCTETS, "spark", seed=sql_text.number(self.seed), value=value)

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        words = self.value.mysql_words(qualify)
        if words is None or len(words) > MOST_OCTETS_IN_MYSQL // 4:
            raise NoMysqlForm("murmur3_32 of anything but an integer or a BINARY of up to 16 bytes")
        length = self.value.length or 0
        digest: exp.Expr = sql_text.number(self.seed)
        for index, word in enumerate(words):
            digest = fill(_MIXED, "mysql", hash=digest, word=_scramble_sql(word))
            if 4 * (index + 1) <= length:
                digest = fill(_NEXT, "mysql", hash=_rotate_sql(digest, 13))
        return _finish_sql(fill(_MIXED, "mysql", hash=digest, word=sql_text.number(length)))


def _scramble_sql(word: exp.Expr) -> exp.Expr:
    return _times(_rotate_sql(_times(word, _C1), 15), _C2)


def _finish_sql(digest: exp.Expr) -> exp.Expr:
    digest = _times(_xor_shift_sql(digest, 16), _F1)
    digest = _times(_xor_shift_sql(digest, 13), _F2)
    return _xor_shift_sql(digest, 16)


def _times(word: exp.Expr, factor: int) -> exp.Expr:
    return fill(_TIMES, "mysql", word=word, factor=sql_text.number(factor))


def _rotate_sql(word: exp.Expr, bits: int) -> exp.Expr:
    return fill(_ROTATED, "mysql", word=word, power=sql_text.number(2**bits))


def _xor_shift_sql(digest: exp.Expr, bits: int) -> exp.Expr:
    return fill(_SHIFTED, "mysql", hash=digest, bits=sql_text.number(bits))
