"""Rows and bytes by shard, estimated from sampled stretches of the primary key, with bounds; and the keys that have most rows. Pure."""

from __future__ import annotations

import math
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.steps.forecast import SKIP
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.sessions import ask

ShardKey = tuple[str, ...]


@dataclass
class HeavyKeys:
    """At most twice `capacity` keys are held. `short` is by how many rows a count may be too small."""

    capacity: int = 10_000
    short: int = 0
    _counts: dict[ShardKey, int] = field(default_factory=dict)

    def add(self, key: ShardKey, rows: int) -> None:
        self._counts[key] = self._counts.get(key, 0) + rows
        if len(self._counts) > 2 * self.capacity:
            self._forget()

    def largest(self, count: int) -> list[tuple[ShardKey, int]]:
        return sorted(self._counts.items(), key=lambda item: (-item[1], item[0]))[:count]

    def _forget(self) -> None:
        """Take from all as much as the first one has that is not to stay."""
        least = sorted(self._counts.values(), reverse=True)[self.capacity]
        self.short += least
        self._counts = {key: rows - least for key, rows in self._counts.items() if rows > least}


@dataclass(frozen=True, slots=True)
class Sampling:
    """`stretch` rows are looked at out of each `stride` rows. After each statement `pause` seconds pass."""

    stretch: int
    stride: int
    seed: int = 1
    pause: float = 0.0

    @property
    def is_whole(self) -> bool:
        return self.stride == self.stretch

    @property
    def factor(self) -> float:
        """How many rows stand for one that was looked at."""
        return self.stride / self.stretch


def stretches(
    connection: Connection[Any], bound: str, sampling: Sampling, *, width: int, where: str
) -> Iterator[KeyRange]:
    """`bound` is the statement of that name (`steps.forecast`), for a key of `width` columns. Skipped rows are walked over in the key's index."""
    dice = random.Random(f"{sampling.seed} {where}")

    def behind(low: Key | None, rows: int) -> Key | None:
        found = ask(connection, bound.replace(SKIP, str(rows - 1)), KeyRange(low, None).variables(width), where=where)
        time.sleep(sampling.pause)
        return tuple(found[0]) if found else None

    low: Key | None = None
    while True:
        before = dice.randrange(sampling.stride - sampling.stretch + 1)
        start = behind(low, before) if before else low
        if before and start is None:
            return
        end = behind(start, sampling.stretch)
        yield KeyRange(start, end)
        rest = sampling.stride - sampling.stretch - before
        low = behind(end, rest) if end is not None and rest else end
        if low is None:
            return


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
