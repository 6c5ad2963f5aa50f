"""Which listeners write what a command reports?

Runs in the process of the command; writes to streams, no database. The table for a terminal is in `screen`.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol, TextIO

from shardwright.runtime.events.copy import ChunkCopied, TableProgress
from shardwright.runtime.events.event import RunEvent
from shardwright.runtime.events.run import Message, RunFailed, RunFinished
from shardwright.runtime.events.stream import BatchApplied, Lag

_LINE_SECONDS = 5.0


class Listener(Protocol):
    def handle(self, event: RunEvent) -> None: ...

    def close(self) -> None: ...


@dataclass
class PlainLines:
    """For logs and CI: a line for the first chunk of a table, then a summary every five seconds and at its end.

    The stream is reported as often.
    """

    out: TextIO = field(default_factory=lambda: sys.stderr)
    """Where the lines go."""
    is_file: bool = False
    """Whether the lines are all that their reader has: then they say how the command ends, and `close` closes `out`. On
    stderr the command prints that."""
    _last_stream: float = 0.0
    _started: float = field(default_factory=time.monotonic)
    _reported_at: dict[str, float] = field(init=False, default_factory=dict)
    _unreported: dict[str, ChunkCopied] = field(init=False, default_factory=dict)

    def handle(self, event: RunEvent) -> None:
        match event:
            case TableProgress():
                if event.rows and not event.complete:
                    self._line(event.sentence)
            case ChunkCopied():
                self._unreported[event.table] = event
                self._report_copied(every=_LINE_SECONDS)
            case BatchApplied():
                now = time.monotonic()
                if event.events and now - self._last_stream >= _LINE_SECONDS:
                    self._last_stream = now
                    self._line(event.sentence)
            case Lag():
                if event.before_the_first_batch:
                    self._line(event.sentence)
            case RunFinished() | RunFailed() if not self.is_file:
                pass
            case _:
                self._report_copied(every=0.0)
                self._line(event.sentence)

    def close(self) -> None:
        self._report_copied(every=0.0)
        if self.is_file:
            self.out.close()

    def _report_copied(self, *, every: float) -> None:
        """Reports the waiting events of tables whose last line is at least `every` seconds old."""
        now = time.monotonic()
        for table in [name for name in self._unreported if now - self._reported_at.get(name, float("-inf")) >= every]:
            self._reported_at[table] = now
            self._line(self._unreported.pop(table).sentence)

    def _line(self, text: str) -> None:
        clock = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.out.write(f"{clock} [{time.monotonic() - self._started:7.1f}s] {text}\n")  # at once: others write, too
        self.out.flush()


@dataclass
class JsonLines:
    """All events as JSON lines, for machines: `at` (seconds since 1970) and what `RunEvent.as_json` gives."""

    out: TextIO
    is_file: bool = True
    """Whether `close` closes `out`."""

    def handle(self, event: RunEvent) -> None:
        data = {"at": round(time.time(), 3), **event.as_json()}
        self.out.write(json.dumps(data, ensure_ascii=False) + "\n")
        self.out.flush()

    def close(self) -> None:
        if self.is_file:
            self.out.close()


class JsonMessages:
    """Takes the place of stderr where that has JSON lines: each line that the command prints there is an event, too."""

    def __init__(self, raw: TextIO) -> None:
        self.raw = raw
        self._lines = JsonLines(raw, is_file=False)
        self._begun = threading.local()

    def write(self, text: str) -> int:
        *lines, self._begun.line = (getattr(self._begun, "line", "") + text).split("\n")
        for line in lines:
            if line:
                self._lines.handle(Message(line))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def isatty(self) -> bool:
        return False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


@dataclass
class Reporter:
    """Passes each event to every listener. May be called from any thread."""

    listeners: Sequence[Listener]
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def emit(self, event: RunEvent) -> None:
        with self._lock:
            for listener in self.listeners:
                listener.handle(event)

    def add(self, listener: Listener) -> None:
        """Puts it before the others: when it is closed, it may still report to them."""
        with self._lock:
            self.listeners = (listener, *self.listeners)

    def close(self) -> None:
        """One listener after the other. What is emitted afterwards goes nowhere: a thread may be about to."""
        while self.listeners:
            with self._lock:
                first, *rest = self.listeners
                self.listeners = rest
            first.close()
