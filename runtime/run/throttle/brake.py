"""Waiting for signals between units of work, never within one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from shardwright.runtime.run.throttle.gauge import Signal

EVERY_SECONDS = 1.0
"""How often signals are asked, at most; how long a pause lasts, at least."""


@dataclass
class Brake:
    """`what` pauses while one of `signals` holds; `meanwhile` is called while it does. `ending`: whether the run is being stopped. May be
    shared by threads: one asks, the others wait for its answer."""

    what: str
    signals: Sequence[Signal]
    say: Callable[[str], None]
    ending: Callable[[], bool]
    meanwhile: Callable[[], None] = lambda: None
    _clear_until: float = field(init=False, default=0.0)
    _asking: threading.Lock = field(init=False, default_factory=threading.Lock)
    _holds: str = field(init=False, default="")

    def wait(self) -> bool:
        """Returns at once while nothing holds, else when nothing does any more, or when the run is being stopped. Whether it waited."""
        with self._asking:
            if not self.signals or time.monotonic() < self._clear_until:
                return False
            return self._wait()

    def holding(self) -> str:
        """Why `wait` would wait now, without waiting; empty when it would not."""
        if not self._asking.acquire(blocking=False):
            return self._holds
        try:
            if self.signals and time.monotonic() >= self._clear_until:
                self._holds = "; ".join(why for signal in self.signals if (why := signal.holding()))
                self._clear_until = 0.0 if self._holds else time.monotonic() + EVERY_SECONDS
            return self._holds
        finally:
            self._asking.release()

    def _wait(self) -> bool:
        began, told = time.monotonic(), ""
        held: list[Signal] = []
        while holding := [(signal, why) for signal in self.signals if (why := signal.holding())]:
            held += [signal for signal, _ in holding if signal not in held]
            reasons = self._holds = "; ".join(why for _, why in holding)
            if reasons != told:
                self.say(f"{self.what} pauses: {reasons}")
                told = reasons
            self.meanwhile()
            if ends_within(EVERY_SECONDS, self.ending):
                return True
        self._holds = ""
        if told:
            again = "; ".join(signal.again for signal in held)
            self.say(f"{self.what} goes on after {time.monotonic() - began:.0f} s: {again}")
        self._clear_until = time.monotonic() + EVERY_SECONDS
        return bool(told)


def ends_within(seconds: float, ending: Callable[[], bool]) -> bool:
    """Sleep, and say whether the run is being stopped meanwhile."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if ending():
            return True
        time.sleep(0.05)
    return ending()
