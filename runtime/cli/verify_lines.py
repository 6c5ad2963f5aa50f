"""A line now and then about a comparison that takes long."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cached_property

from shardwright.runtime.verify.table_run import Progress

_EVERY = 5.0


class VerifyLines:
    """`say` gets a line every 5 seconds. `expected` gives the rows of each logical table, as the source estimates them; it is asked
    when the first line is due."""

    def __init__(self, say: Callable[[str], None], *, now: Callable[[], float] = time.monotonic) -> None:
        self.expected: Callable[[], Mapping[str, int]] = dict
        self._say = say
        self._now = now
        self._said = now()

    def show(self, progress: Progress) -> None:
        if self._now() - self._said < _EVERY:
            return
        self._said = self._now()
        told = [f"{progress.rows:,} rows", f"{progress.mismatches:,} mismatches"]
        if progress.seconds > 0:
            told.append(f"{progress.rows / progress.seconds:,.0f} rows/s")
        told += self._left(progress)
        self._say(f"{progress.table}: {', '.join(told)}")

    def _left(self, progress: Progress) -> list[str]:
        expected = self._expected.get(progress.table, 0)
        if expected <= progress.rows or not progress.rows:
            return []
        seconds = progress.seconds * (expected - progress.rows) / progress.rows
        return [f"{100 * progress.rows // expected}% of about {expected:,}", f"about {_span(seconds)} left"]

    @cached_property
    def _expected(self) -> Mapping[str, int]:
        return self.expected()


def _span(seconds: float) -> str:
    return (
        f"{seconds:.0f} s"
        if seconds < 120
        else f"{seconds / 60:.0f} min"
        if seconds < 7_200
        else f"{seconds / 3_600:.1f} h"
    )
