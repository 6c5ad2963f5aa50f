"""How fast are rows copied, by what one observation after another has counted?

Pure. The shards' records of chunks would say so at once, but there are too many of them to be read every few seconds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from shardwright.runtime.events.time_left import TimeLeft
from shardwright.runtime.ledger.chunks_done import Finish
from shardwright.runtime.run.progress.copy_rate import Rate, recent_rate, time_left

_OBSERVATIONS: Final = 40


@dataclass
class CopyPace:
    """The rows of the last observations. A rate is known after six of them."""

    _rows: dict[str, int] = field(init=False, default_factory=dict)
    _finishes: dict[str, deque[Finish]] = field(init=False, default_factory=dict)

    def note(self, rows: Mapping[str, int], *, now: float) -> None:
        """`rows`: logical table -> rows that are copied by `now`, in seconds of any one clock."""
        for table, count in rows.items():
            new = max(0, count - self._rows.get(table, count))
            self._finishes.setdefault(table, deque(maxlen=_OBSERVATIONS)).append((now, new))
        self._rows = dict(rows)

    def rate(self, tables: Collection[str], *, now: float) -> Rate | None:
        """Of these tables together; None where it is not known, or nothing is copied."""
        together: dict[float, int] = {}
        for table in tables:
            for at, rows in self._finishes.get(table, ()):
                together[at] = together.get(at, 0) + rows
        if not any(together.values()):
            return None  # most of many tables are not copied just now
        return recent_rate(list(together.items()), now)

    def time_for(self, rows: Mapping[str, int], *, now: float) -> TimeLeft | None:
        """The time for `rows`, by logical table, that are left."""
        return time_left(sum(rows.values()), self.rate(rows.keys(), now=now))
