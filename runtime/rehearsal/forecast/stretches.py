"""Stretches of a primary key, spread over all of it. The key is cut into strides of equally many rows, and of each stride one stretch is taken,
at a random place: every row is taken with the same probability, whatever gaps the keys have."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.steps.forecast import SKIP
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.sessions import ask


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
