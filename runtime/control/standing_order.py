"""The order as a run hears it: asked for once a second at most. An order that cannot be read pauses (hazard G7)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import pymysql

from shardwright.runtime.control.orders import READ, Order, order_of
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.throttle.probe import Probe

_EVERY_SECONDS = 1.0


@dataclass
class StandingOrder:
    """A signal that copying and writing wait for; may be asked by several threads. `probe` asks the first shard, `resume` is the command
    that lets a paused migration go on."""

    probe: Probe
    migration: str
    resume: str
    say: Callable[[str], None]
    _order: Order = field(init=False, default_factory=Order)
    _silent: str = field(init=False, default="")
    _was_silent: bool = field(init=False, default=False)
    _looked: float = field(init=False, default=float("-inf"))
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)

    def look(self) -> Order:
        """The last order that could be read; an order that is new is told."""
        with self._lock:
            if time.monotonic() - self._looked < _EVERY_SECONDS:
                return self._order
            try:
                found = order_of(self.probe.ask(READ, (self.migration,)))
                self._silent = ""
            except RuntimeFailure as failure:
                self._silent = failure.message
            except (pymysql.err.MySQLError, OSError) as error:
                self._silent = " ".join(map(str, error.args))
            self._looked = time.monotonic()
            if self._silent:
                return self._order
            before, self._order = self._order, found
        if found.paused and found != before:
            self.say(f"{found.pause_sentence}: what is under way is finished, nothing new begins until `{self.resume}`")
        if before.paused and not found.paused:
            self.say(f"resumed by {found.paused_by}")
        return found

    def holding(self) -> str:
        order = self.look()
        if self._silent:
            self._was_silent = True
            return f"whether somebody has paused the migration cannot be read ({self._silent})"
        if not order.paused:
            return ""
        self._was_silent = False
        return f"paused by {order.paused_by}"

    @property
    def again(self) -> str:
        return "orders can be read again" if self._was_silent else f"resumed by {self._order.paused_by}"
