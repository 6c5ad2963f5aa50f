"""Which events does a run report while it works, and which listeners write them?

Runs in the driver; writes to streams, no database. The bars for a terminal are in `bars`.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol, TextIO

from shardwright.runtime.run.progress.copy_rate import TimeLeft, size

_LINE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class OnShard:
    """What this run copied of a table to one target database: rows, and bytes sent."""

    rows: int
    bytes_sent: int

    def plus(self, rows: int, loaded: int) -> OnShard:
        return OnShard(self.rows + rows, self.bytes_sent + loaded)


@dataclass(frozen=True, slots=True)
class TableProgress:
    """What is copied of a table when a run begins. `complete`: all of it."""

    table: str
    rows: int
    expected_rows: int
    complete: bool


@dataclass(frozen=True, slots=True)
class CopyProgress:
    """One more chunk of a table is done."""

    table: str
    """The logical table."""
    rows: int
    """Rows of this chunk."""
    total_rows: int
    """Rows of the table that are copied, those of earlier runs included."""
    expected_rows: int
    """The source server's estimate of the table's rows, at least `total_rows`."""
    chunk: str
    """The chunk as "source table/number"."""
    chunks: int
    """Chunks of the table that are done, those of earlier runs included."""
    bytes_sent: int
    """Bytes of the table that this run sent to the shards."""
    rows_per_second: float | None
    """The recent mean; None when it is not known yet."""
    left: TimeLeft | None
    """The time left for this table; None when it is not known yet."""
    all_left: TimeLeft | None
    """The time left for the whole copy; None when it is not known yet."""
    shards: Mapping[str, OnShard] = field(default_factory=dict)
    """What this run copied of the table, by target database: all that the table is on."""
    complete: bool = False
    """Whether this was the table's last chunk."""


@dataclass(frozen=True, slots=True)
class StreamProgress:
    """One more batch is applied. With no event and a lag of 0: the stream is at the end of its sources; with no event
    and another lag: it was there that long ago, and the next batch is not applied yet.

    `lag_seconds` is None when the batch held no event of ours.
    """

    batch: int
    events: int
    position: str
    lag_seconds: float | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Said:
    """A plain sentence ("tables created: 52")."""

    text: str


Event = TableProgress | CopyProgress | StreamProgress | Said


class Listener(Protocol):
    def hear(self, event: Event) -> None: ...

    def close(self) -> None: ...


@dataclass
class PlainLines:
    """For logs and CI: a line for the first chunk of a table, then a summary every five seconds and at its end.

    The stream is reported as often.
    """

    out: TextIO = field(default_factory=lambda: sys.stderr)
    _last_stream: float = 0.0
    _started: float = field(default_factory=time.monotonic)
    _reported_at: dict[str, float] = field(init=False, default_factory=dict)
    _unreported: dict[str, CopyProgress] = field(init=False, default_factory=dict)

    def hear(self, event: Event) -> None:
        match event:
            case Said(text):
                self._tell_copied(every=0.0)
                self._line(text)
            case TableProgress():
                if event.rows and not event.complete:
                    self._line(f"{event.table}: {event.rows:,} rows were copied before")
            case CopyProgress():
                self._unreported[event.table] = event
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
        """Reports the waiting events of tables whose last line is at least `every` seconds old."""
        now = time.monotonic()
        for table in [name for name in self._unreported if now - self._reported_at.get(name, float("-inf")) >= every]:
            self._reported_at[table] = now
            self._line(_copied(self._unreported.pop(table)))

    def _line(self, text: str) -> None:
        clock = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        print(f"{clock} [{time.monotonic() - self._started:7.1f}s] {text}", file=self.out, flush=True)


def _copied(event: CopyProgress) -> str:
    share = min(100, 100 * event.total_rows // max(1, event.expected_rows))
    rows = f"rows={event.total_rows} of about {event.expected_rows} ({share}%)"
    if event.complete:
        rows = f"rows={event.total_rows} (all)"
    return f"{event.table} chunk={event.chunk} {rows} {_pace(event)}".rstrip()


def _pace(event: CopyProgress) -> str:
    """How much was copied, how fast, and how long the rest takes."""
    parts = [f"{event.chunks} chunk{'s' if event.chunks > 1 else ''}, {size(event.bytes_sent)} sent"]
    if event.rows_per_second is not None:
        parts.append(f"{event.rows_per_second:,.0f} rows/s")
    if event.left is not None and event.left.expected > 0 and not event.complete:
        parts.append(f"{event.left} left")
    if event.all_left is not None and event.all_left != event.left:
        parts.append(f"all tables {event.all_left}")
    return ", ".join((*parts, *spread(event)))


def spread(event: CopyProgress) -> Iterator[str]:
    """The emptiest and the fullest of the shards. Nothing where all have the same number of rows."""
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


@dataclass
class Reporter:
    """Passes each event to every listener. May be called from any thread."""

    listeners: list[Any]
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def tell(self, event: Event) -> None:
        with self._lock:
            for listener in self.listeners:
                listener.hear(event)

    def log_line(self, text: str) -> None:
        self.tell(Said(text))

    def close(self) -> None:
        for listener in self.listeners:
            listener.close()
