"""Key ranges: what does one comparison of sums cover, and how is a range cut into smaller ones without gap or overlap?

Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

Key = tuple[str, ...]
"""A key as the plan's statements print it, column by column."""


EVERY_BUCKET = (-(2**31), 2**31)
BUCKETS: Final = 64
LEAST_STRIDE: Final = 2
"""MySQL's `DIV 1` of the least BIGINT is out of range (error 1690), that by 2 is not."""


@dataclass(frozen=True, slots=True)
class KeyRange:
    """Keys above `low` and up to `high`."""

    low: Key | None
    """None: the range is open there."""
    high: Key | None
    """None: the range is open there."""
    buckets: tuple[int, int] = EVERY_BUCKET
    """Only the keys from the first to the last of these buckets."""
    stride: int = LEAST_STRIDE
    """How many consecutive keys are in one bucket, where the key is one whole number."""

    def __str__(self) -> str:
        low = "the start" if self.low is None else f"({', '.join(self.low)})"
        high = "the end" if self.high is None else f"({', '.join(self.high)})"
        return f"keys from {low} to {high}"

    def variables(self, width: int) -> dict[str, object]:
        """The user variables that the statements of a range read, for a key of `width` columns. Nothing remains from
        another range."""
        values: dict[str, object] = {"sw_no_low": int(self.low is None), "sw_no_high": int(self.high is None)}
        values |= {"sw_first_bucket": self.buckets[0], "sw_last_bucket": self.buckets[1]}
        values["sw_stride"] = self.stride
        open_end: tuple[None, ...] = (None,) * width
        for end, key in (("low", self.low or open_end), ("high", self.high or open_end)):
            values |= {f"sw_{end}_{index}": part for index, part in enumerate(key, start=1)}
        return values


def in_strides(over: KeyRange) -> KeyRange:
    """The range, of whole numbers, with a stride that makes each bucket one sub-range of it, or nearly so."""
    if over.low is None or over.high is None:
        return over
    return replace(over, stride=max(LEAST_STRIDE, -(-(int(over.high[0]) - int(over.low[0])) // BUCKETS)))


def narrow(over: KeyRange, buckets: tuple[int, int]) -> KeyRange:
    """The part that holds those buckets of the range: of whole numbers only the sub-range from the first of them to the
    last."""
    part = replace(over, buckets=buckets)
    # Below zero the server's DIV rounds the other way.
    if over.stride == LEAST_STRIDE or over.low is None or over.high is None or int(over.low[0]) < 0:
        return part
    low, high = int(over.low[0]), int(over.high[0])
    held = [
        number
        for number in range(low // over.stride, high // over.stride + 1)
        if buckets[0] <= number % BUCKETS <= buckets[1]
    ]
    if not held:
        return part
    begin, end = held[0] * over.stride - 1, (held[-1] + 1) * over.stride - 1
    return replace(part, low=(str(max(low, begin)),), high=(str(min(high, end)),))


def key_variables(key: Key) -> dict[str, object]:
    """The user variables that the statement of one row reads."""
    return {f"sw_key_{index}": part for index, part in enumerate(key, start=1)}
