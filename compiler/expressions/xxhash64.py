"""XXH64, the 64-bit function of the xxHash family: Spark's `xxhash64`, Java's `XXHash64` of lz4-java, Python's
`xxhash`.

Written from the algorithm's specification (xxHash, doc/xxhash_spec.md by Yann Collet).
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.expressions.expression import NoMysqlForm, Qualify, plain_column
from shardwright.compiler.expressions.hash_input import SeededHash
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.sql import sql_text
from shardwright.compiler.sql.template import fill

_MASK = 2**64 - 1
_P1, _P2, _P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
_P4, _P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
_SPARK_SEED = 42
_STRIPE = 32

_SPARK = "PMOD(CAST(XXHASH64(CAST(hole_seed AS BIGINT), hole_value) AS DECIMAL(20, 0)), 18446744073709551616)"

# 64-bit products need 128 bits, which only DECIMAL has. A rotation is a multiplication modulo 2^64 - 1, as in
# murmur3.py.
_UNSIGNED = "CAST(hole_word AS UNSIGNED)"
_TIMES = "CAST(hole_word AS DECIMAL(65, 0)) * hole_factor % 18446744073709551616"
_ROTATED = "(CAST(hole_word AS DECIMAL(65, 0)) * hole_power - 1) % 18446744073709551615 + 1"
_PLUS = "(hole_word + hole_summand) % 18446744073709551616"
_MIXED = "hole_hash ^ hole_word"
_SHIFTED = "(SELECT BIT_XOR((hole_hash) >> shift.bits) FROM (SELECT 0 AS bits UNION ALL SELECT hole_bits) AS shift)"
_LONG = "(hole_low) | ((hole_high) << 32)"


def xxhash64(octets: bytes, seed: int) -> int:
    length, start = len(octets), 0
    digest = (seed + _P5) & _MASK
    if length >= _STRIPE:
        digest, start = _stripes(octets, seed)
    digest = (digest + length) & _MASK
    while start + 8 <= length:
        digest ^= _round(0, int.from_bytes(octets[start : start + 8], "little"))
        digest = (_rotate(digest, 27) * _P1 + _P4) & _MASK
        start += 8
    if start + 4 <= length:
        digest ^= int.from_bytes(octets[start : start + 4], "little") * _P1 & _MASK
        digest = (_rotate(digest, 23) * _P2 + _P3) & _MASK
        start += 4
    for octet in octets[start:]:
        digest = _rotate(digest ^ octet * _P5 & _MASK, 11) * _P1 & _MASK
    return _finish(digest)


def _stripes(octets: bytes, seed: int) -> tuple[int, int]:
    """The digest over all whole stripes of 32 bytes, and where they end."""
    lanes = [seed + _P1 + _P2, seed + _P2, seed, seed - _P1]
    start = 0
    while start + _STRIPE <= len(octets):
        lanes = [
            _round(lane & _MASK, int.from_bytes(octets[start + 8 * number : start + 8 * number + 8], "little"))
            for number, lane in enumerate(lanes)
        ]
        start += _STRIPE
    digest = sum(_rotate(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18), strict=True)) & _MASK
    for lane in lanes:
        digest = ((digest ^ _round(0, lane)) * _P1 + _P4) & _MASK
    return digest, start


def _round(lane: int, word: int) -> int:
    return _rotate((lane + word * _P2) & _MASK, 31) * _P1 & _MASK


def _rotate(word: int, bits: int) -> int:
    return (word << bits | word >> (64 - bits)) & _MASK


def _finish(digest: int) -> int:
    digest = (digest ^ digest >> 33) * _P2 & _MASK
    digest = (digest ^ digest >> 29) * _P3 & _MASK
    return digest ^ digest >> 32


def _preimage(seed: int) -> int:
    """The 8-byte integer that Spark's XXHASH64, which starts from 42, maps to `seed`: XXHASH64(preimage, x) goes on
    from there, so it is the hash of x with that seed. Every step of the function can be undone."""
    digest = seed ^ seed >> 32
    digest = digest * pow(_P3, -1, 2**64) & _MASK
    digest ^= digest >> 29 ^ digest >> 58
    digest = digest * pow(_P2, -1, 2**64) & _MASK
    digest ^= digest >> 33
    digest = _rotate((digest - _P4) * pow(_P1, -1, 2**64) & _MASK, 64 - 27) ^ (_SPARK_SEED + _P5 + 8)
    return _rotate(digest * pow(_P1, -1, 2**64) & _MASK, 64 - 31) * pow(_P2, -1, 2**64) & _MASK


def _as_long(word: int) -> int:
    return word - 2**64 if word >= 2**63 else word


class XxHash64(SeededHash):
    """The 64 bits of the digest, without a sign."""

    __slots__ = ()
    digest = staticmethod(xxhash64)
    interval = Interval(0, _MASK)

    def spark(self, qualify: Qualify = plain_column) -> exp.Expr:
        seed = sql_text.number(_as_long(_preimage(self.seed)))
        return fill(_SPARK, "spark", seed=seed, value=self.value.spark(qualify))

    def mysql(self, qualify: Qualify = plain_column) -> exp.Expr:
        words, length = self.value.mysql_words(qualify), self.value.length
        if words is None or length is None or length > 16 or length % 4:
            raise NoMysqlForm("xxhash64 of anything but an integer or a BINARY of 4, 8, 12 or 16 bytes")
        digest: exp.Expr = sql_text.number((self.seed + _P5 + length) & _MASK)
        for index in range(0, len(words) - 1, 2):
            long = fill(_LONG, "mysql", low=words[index], high=words[index + 1])
            mixed = fill(
                _MIXED, "mysql", hash=digest, word=_to_unsigned(_times(_rotate_sql(_times(long, _P2), 31), _P1))
            )
            digest = _to_unsigned(_plus(_times(_rotate_sql(mixed, 27), _P1), _P4))
        if len(words) % 2:
            mixed = fill(_MIXED, "mysql", hash=digest, word=_to_unsigned(_times(words[-1], _P1)))
            digest = _to_unsigned(_plus(_times(_rotate_sql(mixed, 23), _P2), _P3))
        digest = _to_unsigned(_times(_xor_shift_sql(digest, 33), _P2))
        digest = _to_unsigned(_times(_xor_shift_sql(digest, 29), _P3))
        return _xor_shift_sql(digest, 32)


def _to_unsigned(word: exp.Expr) -> exp.Expr:
    return fill(_UNSIGNED, "mysql", word=word)


def _times(word: exp.Expr, factor: int) -> exp.Expr:
    return fill(_TIMES, "mysql", word=word, factor=sql_text.number(factor))


def _plus(word: exp.Expr, summand: int) -> exp.Expr:
    return fill(_PLUS, "mysql", word=word, summand=sql_text.number(summand))


def _rotate_sql(word: exp.Expr, bits: int) -> exp.Expr:
    return fill(_ROTATED, "mysql", word=word, power=sql_text.number(2**bits))


def _xor_shift_sql(digest: exp.Expr, bits: int) -> exp.Expr:
    return fill(_SHIFTED, "mysql", hash=digest, bits=sql_text.number(bits))
