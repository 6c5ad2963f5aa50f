"""How fast may rows be copied? Caps on rows and bytes a second are a token bucket that all tasks share.

Runs in the driver; touches no server.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from shardwright.runtime.events.event import Emit
from shardwright.runtime.events.run import CopyCap
from shardwright.runtime.run.throttle.throttler import ends_within

CREDIT_SECONDS: Final = 5.0
"""How many seconds of its cap a copy that was slower may use up later, at most."""


@dataclass
class Allowance:
    """A token bucket: `rate` a second flows in, what was copied flows out. `rate` None: no cap.

    `left` may be negative, for work that was under way already. Within any time t, no more than rate *
    (t + CREDIT_SECONDS) is taken while something is left, and once more what is under way then.
    """

    rate: float | None
    now: float
    left: float = field(init=False, default=0.0)

    def take(self, amount: float, *, now: float) -> None:
        """Takes out `amount`, which was copied."""
        self._grow(now)
        if self.rate is not None:
            self.left -= amount

    def wait_seconds(self, now: float) -> float:
        """For how long nothing new may begin."""
        self._grow(now)
        return max(0.0, -self.left / self.rate) if self.rate is not None else 0.0

    def change(self, rate: float | None, *, now: float) -> None:
        """Sets another cap. What was copied too much under the last cap is waited for at the rate of the new one."""
        self._grow(now)
        self.left = 0.0 if self.rate is None or rate is None else min(self.left, 0.0)
        self.rate = rate

    def _grow(self, now: float) -> None:
        seconds, self.now = max(0.0, now - self.now), max(now, self.now)
        if self.rate is not None:
            self.left = min(self.left + seconds * self.rate, CREDIT_SECONDS * self.rate)


_SLICE_SECONDS = 0.2
"""The time between two checks of the caps while the copy waits."""
Caps = tuple[int | None, int | None]
"""Rows a second and bytes a second; None: no cap."""


@dataclass
class Pace:
    """Holds up the copy so that it keeps to the caps."""

    caps: Callable[[], Caps]
    """The present caps. Called each time, because an operator may change them."""
    emit: Emit
    """Reports an event to the operator."""
    ending: Callable[[], bool]
    """Whether the run is being stopped."""
    _reported: Caps = (None, None)
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)
    _allowances: tuple[Allowance, Allowance] = field(init=False)

    def __post_init__(self) -> None:
        now = time.monotonic()
        self._allowances = (Allowance(None, now), Allowance(None, now))

    def wait(self) -> bool:
        """Returns when the next chunks may begin, or the run is being stopped. Returns whether it waited."""
        waited = False
        while (seconds := self._seconds()) > 0:
            waited = True
            if ends_within(min(seconds, _SLICE_SECONDS), self.ending):
                break
        return waited

    def count(self, rows: int, loaded: int) -> None:
        """Counts a finished chunk: its rows, and the bytes that were sent to shards."""
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
            if caps == self._reported:
                return
            self._reported = caps
            for allowance, rate in zip(self._allowances, caps, strict=True):
                if allowance.rate != rate:
                    allowance.change(rate, now=time.monotonic())
        self.emit(CopyCap(*caps))
