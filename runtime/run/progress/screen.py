"""What does a terminal show of a run? One table of what is being copied, whose columns keep their places, and below it
one footer: the copy, the stream, and what the run waits for.

Runs in the driver; writes to stderr only.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from shardwright.runtime.events.copy import ChunkCopied, TableProgress
from shardwright.runtime.events.event import RunEvent
from shardwright.runtime.events.run import RunFailed, RunFinished, StepStarted, StillWaiting
from shardwright.runtime.events.stream import BatchApplied, Lag
from shardwright.runtime.events.time_left import TimeLeft, span
from shardwright.runtime.run.progress.waits import Waits
from shardwright.specs.findings.safe_output import harmless, raw_stream

_PERCENT: Final = 4
_RATE: Final = 9
_LEFT: Final = 11
_LABEL: Final = 6
_GAPS: Final = 5
_NARROW: Final = 120
"""Below so many columns large numbers are shortened."""
_SHORT_ROWS: Final = 13
_LONG_ROWS: Final = 27
_LONGEST_NAME: Final = 64
_MOST_WAITS: Final = 4
_OTHER_LINES: Final = 10
"""The lines of the screen that tables leave to the header, the footer and the shell."""


def short_count(count: int) -> str:
    """In six characters at most: `99,999`, `123k`, `12.3M`."""
    if count < 100_000:
        return f"{count:,}"
    size, unit = next((size, unit) for size, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")) if count >= size)
    number = count / size
    return f"{number:.0f}{unit}" if number >= 100 else f"{number:.3g}{unit}"


def _text(text: str, **looks: Any) -> Text:
    """One line that the terminal shows literally: a table's name or a server's message may hold markup or control
    codes."""
    return Text(harmless(text), no_wrap=True, overflow="ellipsis", **looks)


@dataclass(slots=True)
class _Row:
    """A table that is being copied."""

    table: str
    rows: int
    expected: int
    rate: float | None = None
    left: TimeLeft | None = None

    def cells(self, *, narrow: bool, bar: int) -> Iterator[RenderableType]:
        total = max(1, self.rows, self.expected)
        count = short_count if narrow else "{:,}".format
        yield _text(self.table)
        yield ProgressBar(total=total, completed=self.rows, width=bar)
        yield _text(f"{100 * self.rows // total}%")
        yield _text(f"{count(self.rows)}/{count(total)}")
        yield _text("" if self.rate is None else f"{short_count(round(self.rate))}/s")
        yield _text("" if self.left is None else span(self.left.expected))


class Screen:
    """A listener that draws what goes on, and prints all other events above it. It draws from the first step on: the
    command may ask for consent before. `waits` must get each event first. `console`: stderr unless given."""

    def __init__(self, waits: Waits, console: Console | None = None) -> None:
        self._waits = waits
        self._console = console or Console(file=raw_stream(sys.stderr))
        self._copying: dict[str, _Row] = {}
        self._known: set[str] = set()
        self._complete: dict[str, int] = {}
        """The rows of each table that is copied."""
        self._left: TimeLeft | None = None
        self._spread = ""
        self._stream = ""
        self._events = 0
        self._live = Live(self, console=self._console, refresh_per_second=4)

    def handle(self, event: RunEvent) -> None:
        if isinstance(event, StepStarted):
            self._live.start()  # again: no effect
        match event:
            case TableProgress():
                self._count(event.table, event.rows, complete=event.complete)
                if event.rows and not event.complete:
                    self._copying[event.table] = _Row(event.table, event.rows, event.expected_rows)
            case ChunkCopied():
                self._show_chunk(event)
            case BatchApplied():
                self._events += event.events
                self._show_stream(event.position, event.lag_seconds)
            case Lag():
                self._show_stream(event.position, event.lag_seconds)
            case StillWaiting() if self._live.is_started:
                pass  # the footer has it
            case RunFinished() | RunFailed():
                pass  # the command prints how it ends
            case _:
                self._console.print(Text(f"{datetime.now(UTC):%H:%M:%SZ} {harmless(event.sentence)}"))

    def close(self) -> None:
        self._live.stop()

    def _count(self, table: str, rows: int, *, complete: bool) -> None:
        self._known.add(table)
        if complete:
            self._copying.pop(table, None)
            self._complete[table] = rows

    def _show_chunk(self, event: ChunkCopied) -> None:
        self._count(event.table, event.total_rows, complete=event.complete)
        if not event.complete:
            row = _Row(event.table, event.total_rows, event.expected_rows, event.rows_per_second, event.left)
            self._copying.pop(event.table, None)  # what got a chunk last is last
            self._copying[event.table] = row
        self._left, self._spread = event.all_left, event.spread

    def _show_stream(self, position: str, lag_seconds: float | None) -> None:
        lag = "" if lag_seconds is None else f", lag {lag_seconds:.1f} s"
        self._stream = f"{self._events:,} changes applied{lag}, through {position}"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        height = max(1, console.height - _OTHER_LINES)
        shown = sorted([*self._copying.values()][-height:], key=lambda row: row.table)
        parts: list[RenderableType] = []
        if shown:
            parts.append(_table(shown, options.max_width))
            if more := len(self._copying) - len(shown):
                parts.append(_text(f"and {more} more tables", style="dim"))
        parts += [_text(f"{label:<{_LABEL}}  {text}") for label, text in self._facts()]
        yield Group(*parts)

    def _facts(self) -> Iterator[tuple[str, str]]:
        """The lines of the footer: a label and what it says."""
        if self._known:
            yield "copy", ", ".join(self._parts())
        if self._stream:
            yield "stream", self._stream
        waits = self._waits.current()
        for what, seconds in waits[:_MOST_WAITS]:
            yield "waits", f"{span(seconds)}: {what}"
        if more := len(waits) - _MOST_WAITS:
            yield from [("waits", f"and for {more} more things")] if more > 0 else []

    def _parts(self) -> Iterator[str]:
        done, known = len(self._complete), len(self._known)
        rows = f" ({sum(self._complete.values()):,} rows)" if done else ""
        yield f"{done} of {known} tables copied{rows}"
        if done < known and self._left is not None:
            yield f"{self._left} left"
        if done < known and self._spread:
            yield self._spread


def _table(rows: list[_Row], width: int) -> Table:
    """All widths follow from that of the screen, so that no value moves a column."""
    narrow = width < _NARROW
    counts = _SHORT_ROWS if narrow else _LONG_ROWS
    room = max(12, width - (_PERCENT + counts + _RATE + _LEFT + _GAPS))
    name = min(_LONGEST_NAME, room * 2 // 3)
    bar = min(60, room - name)
    grid = Table.grid(padding=(0, 1, 0, 0))
    for header, size, side in (
        ("table", name, "left"),
        ("copied", bar, "left"),
        ("", _PERCENT, "right"),
        ("rows", counts, "right"),
        ("rows/s", _RATE, "right"),
        ("time left", _LEFT, "right"),
    ):
        grid.add_column(header, width=size, justify=side, no_wrap=True, overflow="ellipsis")  # type: ignore[arg-type]
    grid.add_row(*(_text(str(column.header), style="dim") for column in grid.columns))
    for row in rows:
        grid.add_row(*row.cells(narrow=narrow, bar=bar))
    return grid
