"""Intervals of integers, those of the integer types among them, and division as MySQL and Spark do it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from shardwright.compiler.plan.catalogue import ColumnType

SIGNED_64_LOW = -(2**63)
SIGNED_64_HIGH = 2**63 - 1
DECIMAL_38_HIGH = 10**38 - 1
_BITS = {"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64}


def divide_towards_zero(dividend: int, divisor: int) -> int:
    """Division as DIV does it: towards zero (Python's own `//` rounds down)."""
    if dividend >= 0 and divisor > 0:
        return dividend // divisor
    quotient = abs(dividend) // abs(divisor)
    return quotient if (dividend < 0) == (divisor < 0) else -quotient


def remainder(dividend: int, divisor: int) -> int:
    """The remainder as MySQL's and Spark's `%` give it: with the sign of the dividend (Python's takes the
    divisor's)."""
    if dividend >= 0 and divisor > 0:
        return dividend % divisor
    rest = abs(dividend) % abs(divisor)
    return -rest if dividend < 0 else rest


@dataclass(frozen=True, slots=True)
class Interval:
    """Every integer from `low` to `high`, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"

    @property
    def fits_signed_64(self) -> bool:
        return self.low >= SIGNED_64_LOW and self.high <= SIGNED_64_HIGH

    @property
    def fits_decimal_38(self) -> bool:
        return self.low >= -DECIMAL_38_HIGH and self.high <= DECIMAL_38_HIGH

    def within(self, other: Interval) -> bool:
        return other.low <= self.low and self.high <= other.high

    def union(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def plus(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def minus(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def times(self, other: Interval) -> Interval:
        corners = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(corners), max(corners))

    def negate(self) -> Interval:
        return Interval(-self.high, -self.low)

    def modulo(self, divisor: int) -> Interval:
        """Of `% divisor`, which takes the dividend's sign. Exact when no value reaches the divisor."""
        largest = abs(divisor) - 1
        if -largest <= self.low and self.high <= largest:
            return self
        return Interval(max(self.low, -largest) if self.low < 0 else 0, min(self.high, largest) if self.high > 0 else 0)

    def divide(self, divisor: int) -> Interval:
        """Of `div divisor`, which rounds towards zero and so keeps or reverses the order."""
        ends = [divide_towards_zero(self.low, divisor), divide_towards_zero(self.high, divisor)]
        return Interval(min(ends), max(ends))


def integer_interval(kind: ColumnType) -> Interval:
    """What a column of an integer type holds."""
    bits = _BITS[kind.name]
    return Interval(0, 2**bits - 1) if kind.unsigned else Interval(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
