"""How does work wait for signals between its units, never within one? Runs in the driver; asks servers by `signals`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from shardwright.runtime.events.event import Emit
from shardwright.runtime.events.run import HoldKind, Throttle
from shardwright.runtime.run.throttle.gauge import Signal

EVERY_SECONDS = 1.0
"""The shortest time between two questions to the signals, and the shortest pause."""


@dataclass
class Throttler:
    """Holds up work while a signal holds. Threads may share it: one asks, the others wait for its answer."""

    what: str
    """What pauses, for messages ("writing")."""
    signals: Sequence[Signal]
    """What is asked; work goes on when none of them holds."""
    emit: Emit
    """Reports an event to the operator."""
    ending: Callable[[], bool]
    """Whether the run is being stopped."""
    meanwhile: Callable[[], None] = lambda: None
    """Is called about once a second while work pauses."""
    _clear_until: float = field(init=False, default=0.0)
    _asking: threading.Lock = field(init=False, default_factory=threading.Lock)
    _holds: str = field(init=False, default="")

    def wait(self) -> bool:
        """Returns at once while no signal holds; otherwise when none holds any more or the run is being stopped.
        Returns whether it waited."""
        with self._asking:
            if not self.signals or time.monotonic() < self._clear_until:
                return False
            return self._wait()

    def why_pause(self) -> str:
        """The reason why `wait` would wait now; empty when it would not. Does not wait."""
        if not self._asking.acquire(blocking=False):
            return self._holds
        try:
            if self.signals and time.monotonic() >= self._clear_until:
                self._holds = "; ".join(why for signal in self.signals if (why := signal.why_pause()))
                self._clear_until = 0.0 if self._holds else time.monotonic() + EVERY_SECONDS
            return self._holds
        finally:
            self._asking.release()

    def _wait(self) -> bool:
        began, reported = time.monotonic(), ""
        held: list[Signal] = []
        while holding := [(signal, why) for signal in self.signals if (why := signal.why_pause())]:
            held += [signal for signal, _ in holding if signal not in held]
            reasons = self._holds = "; ".join(why for _, why in holding)
            if reasons != reported:
                self.emit(Throttle(self.what, reasons, kinds=_kinds(signal for signal, _ in holding)))
                reported = reasons
            self.meanwhile()
            if ends_within(EVERY_SECONDS, self.ending):
                return True
        self._holds = ""
        if reported:
            again = "; ".join(signal.again for signal in held)
            self.emit(Throttle(self.what, again, time.monotonic() - began, _kinds(held)))
        self._clear_until = time.monotonic() + EVERY_SECONDS
        return bool(reported)


def _kinds(signals: Iterable[Signal]) -> tuple[HoldKind, ...]:
    return tuple(sorted({signal.kind for signal in signals}))


def ends_within(seconds: float, ending: Callable[[], bool]) -> bool:
    """Sleeps. Returns whether the run is being stopped."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if ending():
            return True
        time.sleep(0.05)
    return ending()
