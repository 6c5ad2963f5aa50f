"""From stretches to totals: what each place gets, and how far that may be wrong."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

Place = tuple[int, int]
"""Database index and table index."""

_NORMAL = 1.96
"""Of the normal distribution: 95 of 100 forecasts are off by less than so many standard errors."""


@dataclass
class Tally:
    """Rows and bytes by place, added up stretch by stretch. The squares give the error: rows of one stretch are alike, so the
    stretches are the sample and not the rows (a ratio estimate over clusters)."""

    factor: float = 1.0
    rows: dict[Place, int] = field(default_factory=lambda: defaultdict(int))
    bytes: dict[Place, int] = field(default_factory=lambda: defaultdict(int))
    looked_at: int = 0
    _stretches: int = 0
    _squares: float = 0.0
    _own_squares: dict[int | Place, float] = field(default_factory=lambda: defaultdict(float))
    _products: dict[int | Place, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, found: Mapping[Place, tuple[int, int]]) -> None:
        """One stretch: rows and bytes by place."""
        counts: dict[int | Place, int] = defaultdict(int)
        for place, (rows, size) in found.items():
            self.rows[place] += rows
            self.bytes[place] += size
            counts[place[0]] += rows
            counts[place] += rows
        total = sum(rows for rows, _ in found.values())
        self.looked_at += total
        self._stretches += 1
        self._squares += total * total
        for at, rows in counts.items():
            self._own_squares[at] += rows * rows
            self._products[at] += rows * total

    def shard_rows(self, shard: int) -> int:
        return sum(rows for (at, _), rows in self.rows.items() if at == shard)

    def error(self, at: int | Place) -> float:
        """By how much the share of all rows that a database or a physical table gets (0 to 1) may be wrong, with a confidence of 95 %."""
        if self.factor == 1.0:
            return 0.0
        if self._stretches < 2 or not self.looked_at:
            return 1.0
        rows = self.rows.get(at, 0) if isinstance(at, tuple) else self.shard_rows(at)
        share = rows / self.looked_at
        # Of (rows of the place - share * rows of the stretch), over all stretches.
        squares = (
            self._own_squares.get(at, 0.0) - 2 * share * self._products.get(at, 0.0) + share * share * self._squares
        )
        unseen = 1 - 1 / self.factor
        variance = unseen * self._stretches / (self._stretches - 1) * max(squares, 0.0) / self.looked_at**2
        measured = _errors(self._stretches - 1) * math.sqrt(variance)
        # Where all stretches agree there may still be places that none has met: three in the number of stretches.
        unmet = 3 / self._stretches if share in (0.0, 1.0) else 0.0
        return min(1.0, max(measured, unmet))


def _errors(degrees: int) -> float:
    """Student's distribution in place of the normal one: the error itself is known from few stretches only. Its
    expansion by Fisher (Abramowitz and Stegun 26.7.5), within 1 % from three degrees of freedom on."""
    z, n = _NORMAL, float(degrees)
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / n + second / n**2 + third / n**3
