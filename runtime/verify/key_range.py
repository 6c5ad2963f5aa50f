"""Key ranges: what one comparison of sums covers."""

from __future__ import annotations

from dataclasses import dataclass

Key = tuple[str, ...]
"""A key as the plan's statements print it, column by column."""


EVERY_BUCKET = (0, 2**31)


@dataclass(frozen=True, slots=True)
class KeyRange:
    """Keys above `low` and up to `high`; None leaves the end open. `buckets`: of these only the keys from the first to the last bucket."""

    low: Key | None
    high: Key | None
    buckets: tuple[int, int] = EVERY_BUCKET

    def __str__(self) -> str:
        low = "the start" if self.low is None else f"({', '.join(self.low)})"
        high = "the end" if self.high is None else f"({', '.join(self.high)})"
        return f"keys from {low} to {high}"

    def variables(self, width: int) -> dict[str, object]:
        """What the statements of a range read, for a key of `width` columns. Nothing is left over from another range."""
        values: dict[str, object] = {"sw_no_low": int(self.low is None), "sw_no_high": int(self.high is None)}
        values |= {"sw_first_bucket": self.buckets[0], "sw_last_bucket": self.buckets[1]}
        open_end: tuple[None, ...] = (None,) * width
        for end, key in (("low", self.low or open_end), ("high", self.high or open_end)):
            values |= {f"sw_{end}_{index}": part for index, part in enumerate(key, start=1)}
        return values


def key_variables(key: Key) -> dict[str, object]:
    """What the statement of one row reads."""
    return {f"sw_key_{index}": part for index, part in enumerate(key, start=1)}
