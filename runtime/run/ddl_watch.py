"""Does DDL keep a run's writes out of a table? The run waits as a whole meanwhile. It says so, and does not count that
time as time without progress.

Runs in the driver, in a thread of its own; asks the shards' servers while nothing is committed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import pymysql

from shardwright.runtime.events.event import Emit
from shardwright.runtime.events.stream import StreamBlocked
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.ledger.ddl_lock import BlockingDdl

_LOOK_EVERY: Final = 5.0
_WORTH_SAYING: Final = 10
"""Seconds: a statement that ends sooner is not mentioned."""
_SAY_AGAIN: Final = 60.0


@dataclass
class DdlWatch:
    """Looks every few seconds from `begin` to `end`."""

    find: Callable[[], Iterable[BlockingDdl]]
    """Asks the shards' servers. Raises RuntimeFailure or the driver's error."""
    emit: Emit
    """Reports an event to the operator."""
    steps: Callable[[], int]
    """The number of units of work that are committed so far."""
    now: Callable[[], float] = time.monotonic
    """The clock, in seconds."""
    seen_at: float = field(init=False, default=float("-inf"))
    """When such DDL was last seen, by `now`."""
    _steps_then: int = field(init=False, default=0)
    _said: str = field(init=False, default="")
    _said_at: float = field(init=False, default=float("-inf"))
    _first_said_at: float = field(init=False, default=0.0)
    _ended: threading.Event = field(init=False, default_factory=threading.Event)

    def begin(self) -> None:
        threading.Thread(target=self._watch, name="ddl", daemon=True).start()

    def end(self) -> None:
        self._ended.set()

    def look(self) -> None:
        """Asks no server if something was committed since the last look."""
        steps = self.steps()
        if steps != self._steps_then:
            self._steps_then = steps
            self._report_end()
            return
        try:
            found = list(self.find())
        except (RuntimeFailure, pymysql.err.MySQLError, OSError):
            return  # the run meets the same error, and reports it
        if found:
            self.seen_at = self.now()
        long = [str(item) for item in found if item.seconds >= _WORTH_SAYING]
        if not found:
            self._report_end()
        elif long and (self._said not in long or self.now() - self._said_at >= _SAY_AGAIN):
            if not self._said:
                self._first_said_at = self.now()
            self._said, self._said_at = long[0], self.now()
            self.emit(StreamBlocked(long[0]))

    def _report_end(self) -> None:
        if self._said:
            self.emit(StreamBlocked(self._said, seconds=self.now() - self._first_said_at))
            self._said = ""

    def _watch(self) -> None:
        while not self._ended.wait(_LOOK_EVERY):
            self.look()
