"""What does a terminal show of a run? A line for each table that is being copied, one for all tables, one for the
stream.

Runs in the driver; writes to stderr only.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Column
from rich.text import Text

from shardwright.runtime.events.copy import ChunkCopied, TableProgress
from shardwright.runtime.events.event import RunEvent
from shardwright.runtime.events.run import RunFailed, RunFinished
from shardwright.runtime.events.stream import BatchApplied, Lag
from shardwright.runtime.events.time_left import span
from shardwright.specs.findings.safe_output import harmless, raw_stream


def _text(text: str, **looks: Any) -> Text:
    """Text that the terminal shows literally: a table's name or a server's message may hold markup or control codes."""
    return Text(harmless(text), **looks)


class _Note(ProgressColumn):
    """A field of a task; empty where the task does not have it."""

    def __init__(self, field: str, *, justify: Any = "right") -> None:
        self._field = field
        super().__init__(table_column=Column(no_wrap=True, justify=justify))

    def render(self, task: Task) -> Text:
        return _text(str(task.fields.get(self._field, "")))


class _Name(ProgressColumn):
    """A table's name. An ellipsis replaces its end where there is no room."""

    def __init__(self) -> None:
        super().__init__(table_column=Column(no_wrap=True, overflow="ellipsis", min_width=10, max_width=28))

    def render(self, task: Task) -> Text:
        return _text(task.description)


class Bars:
    """A listener that draws progress bars.

    Every column has a width of its own, so that a long note cannot push a bar out. When a table is copied, a line above
    the bars replaces its bar. `console`: stderr unless given.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(file=raw_stream(sys.stderr))
        self._tables = Progress(
            _Name(),
            BarColumn(bar_width=14),
            TextColumn("{task.percentage:>3.0f}%", table_column=Column(no_wrap=True)),
            _Note("rows"),
            _Note("rate"),
            _Note("left"),
            console=self._console,
        )
        self._tasks: dict[str, Any] = {}
        self._whole: set[str] = set()
        self._known: set[str] = set()
        self._copy = ""
        self._stream = ""
        self._events = 0
        self._live = Live(get_renderable=self._render, console=self._console, refresh_per_second=4)
        self._live.start()

    def handle(self, event: RunEvent) -> None:
        match event:
            case TableProgress():
                self._show_table(event)
            case ChunkCopied():
                self._show_chunk(event)
            case BatchApplied():
                self._events += event.events
                self._show_stream(event.position, event.lag_seconds)
            case Lag():
                self._show_stream(event.position, event.lag_seconds)
            case RunFinished() | RunFailed():
                pass  # the command prints how it ends
            case _:
                self._print(event.sentence)

    def close(self) -> None:
        self._live.stop()

    def _show_stream(self, position: str, lag_seconds: float | None) -> None:
        lag = "" if lag_seconds is None else f", lag {lag_seconds:.1f} s"
        self._stream = f"stream: {self._events:,} changes applied through {position}{lag}"

    def _render(self) -> RenderableType:
        footer = [_text(line, no_wrap=True, overflow="ellipsis") for line in (self._copy, self._stream) if line]
        return Group(*([self._tables] if self._tasks else []), *footer)

    def _print(self, text: str) -> None:
        self._console.print(_text(text))

    def _show_table(self, event: TableProgress) -> None:
        """Shows from the beginning what earlier runs have copied."""
        self._known.add(event.table)
        if event.complete:
            self._whole.add(event.table)
        elif event.rows:
            self._update(event.table, event.rows, event.expected_rows, rate="", left="")
        self._copy = self._summary(None)

    def _show_chunk(self, event: ChunkCopied) -> None:
        self._known.add(event.table)
        if event.complete:
            self._whole.add(event.table)
            task = self._tasks.pop(event.table, None)
            if task is not None:
                self._tables.remove_task(task)
            self._print(f"{event.table}: {event.total_rows:,} rows copied")
        else:
            rate = "" if event.rows_per_second is None else f"{event.rows_per_second:,.0f}/s"
            left = "" if event.left is None else f"{span(event.left.expected)} left"
            self._update(event.table, event.total_rows, event.expected_rows, rate=rate, left=left)
        self._copy = self._summary(event)

    def _update(self, table: str, rows: int, expected: int, *, rate: str, left: str) -> None:
        total = max(1, rows, expected)
        if table not in self._tasks:
            self._tasks[table] = self._tables.add_task(table, total=total)
        self._tables.update(
            self._tasks[table], completed=rows, total=total, rows=f"{rows:,}/{total:,}", rate=rate, left=left
        )

    def _summary(self, event: ChunkCopied | None) -> str:
        return "copy: " + ", ".join(self._parts(event))

    def _parts(self, event: ChunkCopied | None) -> Iterator[str]:
        yield f"{len(self._whole)} of {len(self._known)} tables done"
        if event is None or len(self._whole) == len(self._known):
            return
        if event.all_left is not None:
            yield f"{event.all_left} left"
        if event.spread:
            yield event.spread
