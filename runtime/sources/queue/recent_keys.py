"""Which rows were changed lately, and by which partition: what notices that two partitions carry changes of one row (hazard F3).

Partitions have no common order. While a row's changes share one, none is needed. When they do not, a change may be read after a
younger one of the same row. It can be that late only as long as an older message of another partition may be unread: until the
stream has read whatever the queue held a settling time after the younger one was read. Rows are remembered for that long.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from shardwright.runtime.sources.queue.offsets import Offsets

MOST = 4_000_000
"""Remembered rows; one takes about a hundred bytes. Of more, the oldest are forgotten."""


@dataclass
class _Span:
    """Keys that were read from `start` on, up to `sealed_at`; needed until the stream has passed `ends`."""

    start: Offsets
    begun_at: float
    keys: dict[int, str] = field(default_factory=dict)
    sealed_at: float | None = None
    ends: Offsets | None = None


@dataclass
class RecentKeys:
    """`ends` asks the queue where it ends; `settle` is in seconds."""

    ends: Callable[[], Offsets]
    settle: float
    start: Offsets
    clock: Callable[[], float] = time.monotonic
    _spans: list[_Span] = field(init=False)

    def __post_init__(self) -> None:
        self._spans = [_Span(self.start, self.clock())]

    @property
    def since(self) -> Offsets:
        """Everything remembered was read from here on."""
        return self._spans[0].start

    def note(self, keys: Iterable[tuple[int, str]]) -> int | None:
        """Remember (hash of a key, partition) pairs. Returns a hash that was seen in two partitions, if there is one."""
        twice = None
        current = self._spans[-1].keys
        for key, origin in keys:
            for span in self._spans:
                if span.keys.get(key, origin) != origin:
                    twice = key
            current[key] = origin
        return twice

    def passed(self, position: Offsets) -> None:
        """The stream stands at `position`: forget what nothing can be late for any more."""
        now = self.clock()
        for span in self._spans[:-1]:
            assert span.sealed_at is not None
            if span.ends is None and now >= span.sealed_at + self.settle:
                span.ends = self.ends()
        while len(self._spans) > 1 and self._done(self._spans[0], position):
            del self._spans[0]
        while len(self._spans) > 1 and sum(len(span.keys) for span in self._spans) > MOST:
            del self._spans[0]
        current = self._spans[-1]
        if now >= current.begun_at + self.settle:
            current.sealed_at = now
            self._spans.append(_Span(dict(position), now))

    def _done(self, span: _Span, position: Offsets) -> bool:
        return span.ends is not None and all(position.get(name, 0) >= end for name, end in span.ends.items())
