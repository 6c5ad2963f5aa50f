"""The copy's caps on rows and bytes a second: the next chunks begin when what was copied has had its time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from shardwright.runtime.run.throttle.allowance import Allowance
from shardwright.runtime.run.throttle.brake import ends_within

_SLICE_SECONDS = 0.2
"""How often the caps are looked at again while the copy waits."""
Caps = tuple[int | None, int | None]
"""Rows and bytes a second."""


@dataclass
class Pace:
    """`caps` are asked each time: an operator may change them. `count` hears of every finished chunk."""

    caps: Callable[[], Caps]
    say: Callable[[str], None]
    ending: Callable[[], bool]
    _told: Caps = (None, None)
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)
    _allowances: tuple[Allowance, Allowance] = field(init=False)

    def __post_init__(self) -> None:
        now = time.monotonic()
        self._allowances = (Allowance(None, now), Allowance(None, now))

    def wait(self) -> bool:
        """Returns when the next chunks may begin, or the run is being stopped. Whether it waited."""
        waited = False
        while (seconds := self._seconds()) > 0:
            waited = True
            if ends_within(min(seconds, _SLICE_SECONDS), self.ending):
                break
        return waited

    def count(self, rows: int, loaded: int) -> None:
        """A chunk is done: its rows, and the bytes that went to shards."""
        self._set()
        with self._lock:
            now = time.monotonic()
            for allowance, amount in zip(self._allowances, (rows, loaded), strict=True):
                allowance.take(amount, now=now)

    def _seconds(self) -> float:
        self._set()
        with self._lock:
            return max(allowance.wait_seconds(time.monotonic()) for allowance in self._allowances)

    def _set(self) -> None:
        caps = self.caps()
        with self._lock:
            if caps == self._told:
                return
            self._told = caps
            for allowance, rate in zip(self._allowances, caps, strict=True):
                if allowance.rate != rate:
                    allowance.change(rate, now=time.monotonic())
        self.say(_sentence(caps))


def _sentence(caps: Caps) -> str:
    named = [f"{cap:,} {unit}/s" for cap, unit in zip(caps, ("rows", "bytes"), strict=True) if cap is not None]
    return f"the copy is kept to {' and '.join(named)}, on average" if named else "the copy is not slowed down any more"
