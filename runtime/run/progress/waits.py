"""What does a command wait for, and since when? Derived from its events, whose beginning and end this knows.

Runs in the driver; asks no server. A line for a wait that lasts is an event of its own (`StillWaiting`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from shardwright.runtime.events.copy import ChunkCopied, ChunksWaiting, EarlierRows, IndexProgress, ReplicaWait
from shardwright.runtime.events.event import Emit, RunEvent
from shardwright.runtime.events.run import (
    CommandStarted,
    OperatorPause,
    OperatorResume,
    PlanRead,
    Retry,
    RunFailed,
    RunFinished,
    RunStarted,
    SourceBack,
    SourceIsolated,
    SparkStarted,
    SparkStarting,
    StepStarted,
    StillWaiting,
    Throttle,
)
from shardwright.runtime.events.stream import BatchApplied, RowsLocked, StreamBlocked

_FIRST_SECONDS: Final = 5.0
_LONGEST_SECONDS: Final = 300.0
_LOOK_EVERY: Final = 1.0
_OUTLIVE_ATTEMPTS: Final = frozenset({"source", "ddl", "retry"})
"""What an attempt that fails does not end."""

Key = tuple[str, str]


@dataclass(slots=True)
class Wait:
    """One thing that a command waits for."""

    what: str
    """In one line."""
    since: float
    """By the clock of `Waits`."""
    next_line: float = _FIRST_SECONDS
    """The seconds of waiting after which the next line is due."""


@dataclass
class Waits:
    """A listener. May be called from any thread."""

    now: Callable[[], float] = time.monotonic
    """The clock, in seconds."""
    _waits: dict[Key, Wait] = field(init=False, default_factory=dict)
    _tables: set[str] = field(init=False, default_factory=set)
    """Those whose chunks wait for the stream."""
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)

    def handle(self, event: RunEvent) -> None:
        with self._lock:
            self._follow(event)

    def close(self) -> None: ...

    def current(self) -> list[tuple[str, float]]:
        """What is waited for and for how many seconds, the longest wait first."""
        with self._lock:
            now = self.now()
            return sorted(((wait.what, now - wait.since) for wait in self._waits.values()), key=lambda one: -one[1])

    def due(self) -> list[StillWaiting]:
        """The lines that are due now: first after 5 seconds, then after twice as long each time."""
        with self._lock:
            return [*self._due()]

    def _due(self) -> Iterator[StillWaiting]:
        for wait in self._waits.values():
            seconds = self.now() - wait.since
            if seconds >= wait.next_line:
                wait.next_line = seconds + min(seconds, _LONGEST_SECONDS)
                yield StillWaiting(wait.what, round(seconds, 1))

    def _follow(self, event: RunEvent) -> None:
        match event:
            case StepStarted() | SparkStarting():
                self._end("start")
                self._begin("start", event.sentence)
            case CommandStarted():
                self._begin("start", "loading the program and the plan")
            case SparkStarted() | PlanRead():
                self._end("start")
            case RunStarted():
                self._end("retry")
            case RunFinished() | RunFailed():
                self._waits.clear()
            case Retry():
                self._waits = {key: wait for key, wait in self._waits.items() if key[0] in _OUTLIVE_ATTEMPTS}
                self._begin("retry", f"another attempt, after {event.error}")
            case Throttle(seconds=None) if ("pause", "") in self._waits:
                pass  # the operator's order is the reason, or there will be another event for the rest
            case Throttle():
                self._keep("throttle", event, event.work, lasts=event.seconds is None)
            case OperatorPause():
                self._begin("pause", event.order)
            case OperatorResume():
                self._end("pause")
            case SourceIsolated():
                self._begin("source", event.sentence, event.source)
            case SourceBack():
                self._end("source", event.source)
            case StreamBlocked():
                self._keep("ddl", event, lasts=event.seconds is None)
            case RowsLocked():
                self._begin("locked", event.sentence, event.database)
            case BatchApplied():
                self._end_all("locked")
            case ReplicaWait():
                self._keep("replica", event, event.replica, lasts=event.seconds is None)
            case ChunksWaiting():
                self._tables = set(event.tables)
                self._begin("chunks", event.sentence)
            case ChunkCopied():
                self._tables.discard(event.table)
                if not self._tables:
                    self._end("chunks")
            case IndexProgress():
                self._keep("indexes", event, event.table, lasts=event.built < event.total)
            case EarlierRows():
                self._keep("rows", event, f"{event.table} {event.database}", lasts=event.fate == "removing")

    def _keep(self, kind: str, event: RunEvent, of: str = "", *, lasts: bool) -> None:
        if lasts:
            self._begin(kind, event.sentence, of)
        else:
            self._end(kind, of)

    def _begin(self, kind: str, what: str, of: str = "") -> None:
        """What lasts already has a new text, and the beginning that it had."""
        line = what.partition("\n")[0]
        self._waits.setdefault((kind, of), Wait(line, self.now())).what = line

    def _end(self, kind: str, of: str = "") -> None:
        self._waits.pop((kind, of), None)

    def _end_all(self, kind: str) -> None:
        for key in [key for key in self._waits if key[0] == kind]:
            del self._waits[key]


@dataclass
class WaitWatch:
    """Emits the lines that are due, from `begin` to `end`, in a thread of its own."""

    waits: Waits
    emit: Emit
    _ended: threading.Event = field(init=False, default_factory=threading.Event)

    def begin(self) -> None:
        threading.Thread(target=self._watch, name="waits", daemon=True).start()

    def end(self) -> None:
        self._ended.set()

    def _watch(self) -> None:
        while not self._ended.wait(_LOOK_EVERY):
            for line in self.waits.due():
                self.emit(line)
