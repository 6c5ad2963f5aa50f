"""What has happened lately? The lag and the speed of the last hour, and the last events of a run.

Runs in the process that serves the page. Within a run it listens to the run's events, in whatever thread reports one;
without a run it has what observations say. It is bounded, and asks no server.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from shardwright.runtime.events.compare import ComparisonNotRecorded
from shardwright.runtime.events.copy import ChunkCopied, TableProgress
from shardwright.runtime.events.event import RunEvent
from shardwright.runtime.events.run import (
    CheckWarning,
    ExecutorLost,
    LogPurgeNear,
    Retry,
    RunFailed,
    SourceIsolated,
    Throttle,
)
from shardwright.runtime.events.stream import (
    BatchApplied,
    DeadLettersWait,
    Lag,
    MoreQuarantined,
    RowQuarantined,
    RowsLocked,
    StreamBlocked,
    ValuesCut,
)
from shardwright.runtime.watch.observation import Observation
from shardwright.runtime.watch.page.state import plain

STEP_SECONDS: Final = 5.0
SAMPLES: Final = 720
"""An hour of steps."""
EVENTS: Final = 200
_BAD: Final = (RunFailed,)
_WARN: Final = (
    CheckWarning, ComparisonNotRecorded, DeadLettersWait, ExecutorLost, LogPurgeNear, MoreQuarantined, Retry,
    RowQuarantined, RowsLocked, SourceIsolated, StreamBlocked, Throttle, ValuesCut,
)  # fmt: skip


@dataclass
class History:
    """A listener of a run's events, and what is noted of observations. Threads may share it."""

    _samples: deque[tuple[int, list[Any]]] = field(init=False, default_factory=lambda: deque(maxlen=SAMPLES))
    _events: deque[tuple[int, list[Any]]] = field(init=False, default_factory=lambda: deque(maxlen=EVENTS))
    _numbers: int = field(init=False, default=0)
    _lag: float | None = field(init=False, default=None)
    _copied: int = field(init=False, default=0)
    """Rows that events have counted since the last sample."""
    _changes: int = field(init=False, default=0)
    """As `_copied`: changes of the sources."""
    _counts_events: bool = field(init=False, default=False)
    _rows_before: int | None = field(init=False, default=None)
    """Without events: all copied rows at the last sample."""
    _sampled_at: float | None = field(init=False, default=None)
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)

    def handle(self, event: RunEvent) -> None:
        with self._lock:
            self._counts_events = True
            match event:
                case BatchApplied():
                    self._changes += event.events
                    self._lag = self._lag if event.lag_seconds is None else event.lag_seconds
                case Lag():
                    self._lag = event.lag_seconds
                case ChunkCopied():
                    self._copied += event.rows
                case TableProgress():
                    pass  # tables have it
                case _:
                    tone = "bad" if isinstance(event, _BAD) else "warn" if isinstance(event, _WARN) else "calm"
                    self._add(self._events, [round(time.time(), 1), tone, plain(event.sentence)])

    def close(self) -> None:
        """What has happened stays."""

    def sample(self, found: Observation | None, *, now: float | None = None) -> None:
        """One more sample, unless the last one is younger than STEP_SECONDS. `found` is the newest observation; `now`:
        seconds since 1970 (None: by the clock)."""
        now = time.time() if now is None else now
        with self._lock:
            self._sampled_at = now if self._sampled_at is None else self._sampled_at
            seconds = now - self._sampled_at
            if seconds < STEP_SECONDS:
                return
            if self._counts_events:
                values = [self._lag, self._copied / seconds, self._changes / seconds]
                self._copied = self._changes = 0
            else:
                values = self._values_of(found, seconds)
            self._sampled_at = now
            self._add(self._samples, plain([now, *values]))

    def parts(self) -> Mapping[str, Any]:
        """The sections `samples` (when, lag in seconds, copied rows a second, changes a second) and `events` (when,
        tone, sentence). A part that is there keeps its name until it is gone."""
        with self._lock:
            return {
                "samples": {str(number): sample for number, sample in self._samples},
                "events": {str(number): event for number, event in self._events},
            }

    def _values_of(self, found: Observation | None, seconds: float) -> list[float | None]:
        """How many changes the stream applies only its run knows."""
        if found is None or found.status is None:
            return [None, None, None]
        lags = [source.lag_seconds for source in found.status.sources if source.lag_seconds is not None]
        rows, before = sum(table.rows_copied for table in found.status.tables), self._rows_before
        self._rows_before = rows
        return [max(lags, default=None), None if before is None else max(0, rows - before) / seconds, None]

    def _add(self, to: deque[tuple[int, list[Any]]], values: list[Any]) -> None:
        self._numbers += 1
        to.append((self._numbers, values))
