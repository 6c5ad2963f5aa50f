"""Key ranges: what one comparison of sums covers, and how a table is cut into them without gap or overlap. Pure, but for the boundaries that
the source computes.
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
    """Keys above `low` and up to `high`; None leaves the end open. `buckets`: of these only the keys from the first to the last bucket.
    `stride`: how many keys stand together in a bucket, where the key is one whole number."""

    low: Key | None
    high: Key | None
    buckets: tuple[int, int] = EVERY_BUCKET
    stride: int = LEAST_STRIDE

    def __str__(self) -> str:
        low = "the start" if self.low is None else f"({', '.join(self.low)})"
        high = "the end" if self.high is None else f"({', '.join(self.high)})"
        return f"keys from {low} to {high}"

    def variables(self, width: int) -> dict[str, object]:
        """What the statements of a range read, for a key of `width` columns. Nothing is left over from another range."""
        values: dict[str, object] = {"sw_no_low": int(self.low is None), "sw_no_high": int(self.high is None)}
        values |= {"sw_first_bucket": self.buckets[0], "sw_last_bucket": self.buckets[1]}
        values["sw_stride"] = self.stride
        open_end: tuple[None, ...] = (None,) * width
        for end, key in (("low", self.low or open_end), ("high", self.high or open_end)):
            values |= {f"sw_{end}_{index}": part for index, part in enumerate(key, start=1)}
        return values


def in_strides(over: KeyRange) -> KeyRange:
    """A range of whole numbers with a stride that makes each bucket one stretch of it, or nearly so."""
    if over.low is None or over.high is None:
        return over
    return replace(over, stride=max(LEAST_STRIDE, -(-(int(over.high[0]) - int(over.low[0])) // BUCKETS)))


def narrowed(over: KeyRange, buckets: tuple[int, int]) -> KeyRange:
    """What holds those buckets of the range: of whole numbers only the stretch from the first of them to the last."""
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
    """What the statement of one row reads."""
    return {f"sw_key_{index}": part for index, part in enumerate(key, start=1)}
