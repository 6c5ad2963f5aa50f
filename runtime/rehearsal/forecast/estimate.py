"""How many rows and bytes does each shard get, by sampled ranges of the primary key, and which keys have most rows?

Runs in the process of the command. `stretches` reads a source server; everything else is pure.
"""

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
    """Counts rows by key in bounded memory: it holds at most twice `capacity` keys. A count may be too small by
    `short` rows."""

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
        """Drops the smaller keys. It subtracts from all counts that of the largest key that is dropped."""
        least = sorted(self._counts.values(), reverse=True)[self.capacity]
        self.short += least
        self._counts = {key: rows - least for key, rows in self._counts.items() if rows > least}


@dataclass(frozen=True, slots=True)
class Sampling:
    """`stretch` rows out of each `stride` rows are read. After each statement it waits `pause` seconds."""

    stretch: int
    stride: int
    seed: int = 1
    pause: float = 0.0

    @property
    def is_whole(self) -> bool:
        return self.stride == self.stretch

    @property
    def factor(self) -> float:
        """How many rows one row of the sample represents."""
        return self.stride / self.stretch


def stretches(
    connection: Connection[Any], bound: str, sampling: Sampling, *, width: int, where: str
) -> Iterator[KeyRange]:
    """The key ranges of the sample. Skipped rows are passed over in the key's index.

    `bound` is the statement of that name (`steps.forecast`), for a key of `width` columns.
    """
    dice = random.Random(f"{sampling.seed} {where}")

    def key_after(low: Key | None, rows: int) -> Key | None:
        found = ask(connection, bound.replace(SKIP, str(rows - 1)), KeyRange(low, None).variables(width), where=where)
        time.sleep(sampling.pause)
        return tuple(found[0]) if found else None

    low: Key | None = None
    while True:
        before = dice.randrange(sampling.stride - sampling.stretch + 1)
        start = key_after(low, before) if before else low
        if before and start is None:
            return
        end = key_after(start, sampling.stretch)
        yield KeyRange(start, end)
        rest = sampling.stride - sampling.stretch - before
        low = key_after(end, rest) if end is not None and rest else end
        if low is None:
            return


Place = tuple[int, int]
"""Database index and table index."""

_NORMAL = 1.96
"""Of the normal distribution: 95 of 100 forecasts are wrong by less than so many standard errors."""


@dataclass
class Tally:
    """Rows and bytes by place, added up range by range, and the error of the estimate.

    The squares give the error. Rows of one range are alike, so the ranges are the sample, and not the rows (a ratio
    estimate over clusters).
    """

    factor: float = 1.0
    """How many rows one row of the sample represents; 1: all rows are read."""
    rows: dict[Place, int] = field(default_factory=lambda: defaultdict(int))
    """Rows of the sample, by place."""
    bytes: dict[Place, int] = field(default_factory=lambda: defaultdict(int))
    """Bytes of the sample's values, by place."""
    looked_at: int = 0
    """Rows of the sample."""
    _stretches: int = 0
    _squares: float = 0.0
    _own_squares: dict[int | Place, float] = field(default_factory=lambda: defaultdict(float))
    _products: dict[int | Place, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, found: Mapping[Place, tuple[int, int]]) -> None:
        """Adds one range: rows and bytes by place."""
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
        """The error of a place's share of all rows (0 to 1), with a confidence of 95 %. A place is a database or a
        physical table."""
        if self.factor == 1.0:
            return 0.0
        if self._stretches < 2 or not self.looked_at:
            return 1.0
        rows = self.rows.get(at, 0) if isinstance(at, tuple) else self.shard_rows(at)
        share = rows / self.looked_at
        # The squares of (rows of the place - share * rows of the range), summed over all ranges.
        squares = (
            self._own_squares.get(at, 0.0) - 2 * share * self._products.get(at, 0.0) + share * share * self._squares
        )
        unseen = 1 - 1 / self.factor
        variance = unseen * self._stretches / (self._stretches - 1) * max(squares, 0.0) / self.looked_at**2
        measured = _errors(self._stretches - 1) * math.sqrt(variance)
        # Where all ranges agree there may still be places that none has: three divided by the number of ranges.
        unmet = 3 / self._stretches if share in (0.0, 1.0) else 0.0
        return min(1.0, max(measured, unmet))


def _errors(degrees: int) -> float:
    """Student's distribution in place of the normal one, because the error itself is known from few ranges only.

    Its expansion by Fisher (Abramowitz and Stegun 26.7.5), within 1 % from three degrees of freedom on.
    """
    z, n = _NORMAL, float(degrees)
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / n + second / n**2 + third / n**3
