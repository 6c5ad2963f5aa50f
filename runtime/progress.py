"""What a run tells while it works: one event type, several listeners. Bars on a terminal, plain lines elsewhere."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol, TextIO

from shardwright.runtime.copy_rate import TimeLeft, size

_LINE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class OnShard:
    """What this run copied of a table to one target database: rows, and bytes sent."""

    rows: int
    bytes_sent: int

    def plus(self, rows: int, loaded: int) -> OnShard:
        return OnShard(self.rows + rows, self.bytes_sent + loaded)


@dataclass(frozen=True, slots=True)
class CopyProgress:
    """One more chunk of a table is done. `expected_rows` is the server's estimate, `chunks` those done so far, `bytes_sent` what went to shards
    in this run; `left` is reckoned for this table, `all_left` for the whole copy. None: nobody can tell yet. `shards`: by database, all that
    the table is on."""

    table: str
    rows: int
    total_rows: int
    expected_rows: int
    chunk: str
    chunks: int
    bytes_sent: int
    rows_per_second: float | None
    left: TimeLeft | None
    all_left: TimeLeft | None
    shards: Mapping[str, OnShard] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StreamProgress:
    """One more batch is applied. `lag_seconds` is None when the batch held no event of ours."""

    batch: int
    events: int
    position: str
    lag_seconds: float | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Said:
    """A plain sentence ("tables created: 52")."""

    text: str


Event = CopyProgress | StreamProgress | Said


class Listener(Protocol):
    def hear(self, event: Event) -> None: ...

    def close(self) -> None: ...


@dataclass
class PlainLines:
    """For logs and CI: a line for the first chunk of a table, then what has become of it once in five seconds and at last; so for the stream."""

    out: TextIO = field(default_factory=lambda: sys.stderr)
    _last_stream: float = 0.0
    _started: float = field(default_factory=time.monotonic)
    _told: dict[str, float] = field(init=False, default_factory=dict)
    _untold: dict[str, CopyProgress] = field(init=False, default_factory=dict)

    def hear(self, event: Event) -> None:
        match event:
            case Said(text):
                self._tell_copied(every=0.0)
                self._line(text)
            case CopyProgress():
                self._untold[event.table] = event
                self._tell_copied(every=_LINE_SECONDS)
            case StreamProgress():
                now = time.monotonic()
                if event.events and now - self._last_stream >= _LINE_SECONDS:
                    self._last_stream = now
                    lag = "" if event.lag_seconds is None else f" lag={event.lag_seconds:.1f}s"
                    self._line(f"stream batch={event.batch} events={event.events} {event.seconds:.2f}s{lag} "
                               f"offset={event.position}")  # fmt: skip

    def close(self) -> None:
        self._tell_copied(every=0.0)

    def _tell_copied(self, *, every: float) -> None:
        """What was not told yet of tables that nothing was said of for so many seconds."""
        now = time.monotonic()
        for table in [name for name in self._untold if now - self._told.get(name, float("-inf")) >= every]:
            self._told[table] = now
            self._line(_copied(self._untold.pop(table)))

    def _line(self, text: str) -> None:
        print(f"[{time.monotonic() - self._started:7.1f}s] {text}", file=self.out, flush=True)


def _copied(event: CopyProgress) -> str:
    share = min(100, 100 * event.total_rows // max(1, event.expected_rows))
    rows = f"rows={event.total_rows} of about {event.expected_rows} ({share}%)"
    return f"{event.table} chunk={event.chunk} {rows} {_pace(event)}".rstrip()


def _pace(event: CopyProgress) -> str:
    """How much, how fast, for how long."""
    told = [f"{event.chunks} chunk{'s' if event.chunks > 1 else ''}, {size(event.bytes_sent)} sent"]
    if event.rows_per_second is not None:
        told.append(f"{event.rows_per_second:,.0f} rows/s")
    if event.left is not None and event.left.expected > 0:
        told.append(f"{event.left} left")
    if event.all_left is not None and event.all_left != event.left:
        told.append(f"all tables {event.all_left}")
    return ", ".join((*told, *_spread(event)))


def _spread(event: CopyProgress) -> Iterator[str]:
    """The emptiest and the fullest of the shards, however many there are. Nothing where all have the same."""
    order = sorted(event.shards.items(), key=lambda item: item[1].rows)
    if order and order[0][1].rows < order[-1][1].rows:
        (least, few), (most, many) = order[0], order[-1]
        yield f"{len(order)} shards: {few.rows:,} rows ({least}) to {many.rows:,} ({most})"


@dataclass
class JsonLines:
    """The same events as JSON lines, for machines."""

    out: TextIO

    def hear(self, event: Event) -> None:
        data = {"event": type(event).__name__, "at": round(time.time(), 3), **asdict(event)}
        print(json.dumps(data, ensure_ascii=False), file=self.out, flush=True)

    def close(self) -> None:
        self.out.close()


class Bars:
    """A bar with count, speed and time left per table, and one status line for the stream."""

    def __init__(self, totals: Mapping[str, int]) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._bars = Progress(
            TextColumn("{task.description:<16}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[note]}"),
            console=Console(stderr=True),
        )
        self._tasks = {name: self._bars.add_task(name, total=max(1, total), note="") for name, total in totals.items()}
        self._stream = self._bars.add_task("stream", total=None, note="")
        self._events = 0
        self._bars.start()

    def hear(self, event: Event) -> None:
        match event:
            case Said(text):
                self._bars.console.print(text)
            case CopyProgress():
                total = max(event.expected_rows, event.total_rows)
                self._bars.update(self._tasks[event.table], completed=event.total_rows, total=total, note=_pace(event))
            case StreamProgress():
                self._events += event.events
                lag = "" if event.lag_seconds is None else f"lag {event.lag_seconds:.1f}s "
                self._bars.update(self._stream, completed=self._events, note=f"{lag}at {event.position}")

    def close(self) -> None:
        for task in self._bars.tasks:
            # The server's estimate was only one.
            if task.total is not None and task.completed and task.completed >= 0.95 * task.total:
                self._bars.update(task.id, total=task.completed)
        self._bars.stop()


@dataclass
class Reporter:
    """Tells every listener, from any thread."""

    listeners: list[Any]
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def tell(self, event: Event) -> None:
        with self._lock:
            for listener in self.listeners:
                listener.hear(event)

    def say(self, text: str) -> None:
        self.tell(Said(text))

    def close(self) -> None:
        for listener in self.listeners:
            listener.close()
