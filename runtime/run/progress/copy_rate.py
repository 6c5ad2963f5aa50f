"""How fast are rows copied, and how much longer will it take? Pure. Times are seconds on one clock."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import stdev
from typing import Final

from shardwright.runtime.events.time_left import TimeLeft
from shardwright.runtime.ledger.chunks_done import Finish

_FINISHES = 6
"""With fewer finished chunks the spread cannot be known."""
_SLICES: Final = 6
_AT_LEAST: Final = 0.25
"""The slowest rate that is assumed, as a part of the mean rate."""
_STILL_SECONDS: Final = 60.0
_SHORTEST_SECONDS: Final = 1e-3
"""A shorter stretch has no rate: its slices could not be distinguished."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Rows a second: `slow` <= `mean` <= `fast`."""

    mean: float
    slow: float
    fast: float


def recent_rate(finishes: Sequence[Finish], now: float) -> Rate | None:
    """The rate of the recent chunks, in any order. None where they are too few, or nothing has been copied lately.

    The time between the first and the last of them is cut into equal slices. The spread of the slices' rates gives the
    error of the mean (twice its standard error).
    """
    ordered = sorted(finishes)
    if len(ordered) < _FINISHES or now - ordered[-1][0] > max(_STILL_SECONDS, 4 * _longest_pause(ordered)):
        return None
    begin, end = ordered[0][0], ordered[-1][0]
    if end - begin < _SHORTEST_SECONDS:
        return None
    width = (end - begin) / _SLICES
    rows = [0] * _SLICES
    for at, count in ordered[1:]:  # the first chunk's rows were copied before the stretch began
        rows[min(_SLICES, max(1, math.ceil((at - begin) / width))) - 1] += count
    mean = sum(rows) / (end - begin)
    if mean <= 0:
        return None
    error = 2 * stdev(count / width for count in rows) / math.sqrt(_SLICES)
    return Rate(mean, max(mean - error, mean * _AT_LEAST), mean + error)


def time_left(rows: int, rate: Rate | None) -> TimeLeft | None:
    """The time for `rows` more; None without a rate."""
    if rate is None:
        return None
    return TimeLeft(rows / rate.mean, rows / rate.fast, rows / rate.slow)


def _longest_pause(ordered: Sequence[Finish]) -> float:
    return max(later[0] - earlier[0] for earlier, later in pairwise(ordered))
