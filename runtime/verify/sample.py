"""Which key ranges are compared in place of all, how many, and what follows for the others?

Pure.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from shardwright.runtime.verify.key_range import KeyRange

CONFIDENCE = 0.99


@dataclass(frozen=True, slots=True)
class Sampling:
    """Enough ranges that one of them differs with a probability of CONFIDENCE, when `share` of all ranges do, wherever
    these are."""

    share: float
    seed: int

    @property
    def ranges(self) -> int:
        return math.ceil(math.log(1 - CONFIDENCE) / math.log(1 - self.share)) if self.share < 1 else 1

    def choose(self, cut: Sequence[KeyRange]) -> list[KeyRange]:
        """In the order of the keys; all of them when there are no more than are needed."""
        picked = random.Random(self.seed).sample(range(len(cut)), min(self.ranges, len(cut)))
        return [cut[number] for number in sorted(picked)]


@dataclass(frozen=True, slots=True)
class Sample:
    """What a sampled comparison proves. When no compared range differs, then with a probability of `confidence` fewer
    than `share` of all do."""

    compared: int
    """How many ranges were compared."""
    all: int
    """How many ranges there are."""
    share: float
    confidence: float
    seed: int
    """The same one chooses the same ranges again, as long as the keys do not change."""

    def __str__(self) -> str:
        return (
            f"a sample of {self.compared:,} of {self.all:,} key ranges (seed {self.seed}): when none of them differs, "
            f"it is {self.confidence:.0%} certain that fewer than {100 * self.share:g} % of all ranges do"
        )


def sample_of(sampling: Sampling, *, compared: int, of: int) -> Sample | None:
    """None when all ranges were compared after all."""
    return None if compared == of else Sample(compared, of, sampling.share, CONFIDENCE, sampling.seed)
