"""The terminal's progress: every column keeps its place at 80 columns, copied tables are folded, resumed ones begin
where they are.
"""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from shardwright.runtime.events.copy import ChunkCopied, OnShard, TableProgress
from shardwright.runtime.events.stream import BatchApplied, Lag, SourceWarning
from shardwright.runtime.events.time_left import TimeLeft
from shardwright.runtime.run.progress.bars import Bars

LONG = "customer_addresses_of_the_last_century"


def _chunk(table: str, rows: int, expected: int, *, complete: bool = False) -> ChunkCopied:
    shards = {"shop_1": OnShard(rows // 2, 0), "shop_2": OnShard(rows - rows // 2 + 1, 0)}
    left, every = TimeLeft(50, 27, 180), TimeLeft(120, 60, 600)
    return ChunkCopied(table, 5, rows, expected, f"{table}/1", 5, 99, 5300.4, left, every, shards, complete)


def _screen(width: int, *events: object) -> tuple[list[str], str]:
    """The lines of the live part after these events, and all that was written."""
    out = io.StringIO()
    console = Console(file=out, width=width, height=40, force_terminal=True, color_system=None)
    bars = Bars(console)
    try:
        for event in events:
            bars.handle(event)  # type: ignore[arg-type]
        plain = Console(file=io.StringIO(), width=width, color_system=None, force_terminal=True)
        with plain.capture() as shown:
            plain.print(bars._render())
    finally:
        bars.close()
    return shown.get().splitlines(), out.getvalue()


@pytest.mark.parametrize("width", [80, 100, 150])
def test_bar_count_rate_and_time_left_are_all_there(width: int) -> None:
    lines, _ = _screen(
        width, _chunk(LONG, 10_006, 39_994), BatchApplied(3, 62, "source=binlog.000001:23783991", 0.4, 1)
    )
    table, copy, stream = lines
    assert "━" in table and "25%" in table and "10,006/39,994" in table and "5,300/s" in table and "50 s left" in table
    assert table.startswith("customer_a") and all(len(line.rstrip()) <= width for line in lines)
    assert copy.startswith("copy: 0 of 1 tables done, about 2 min (1 min to 10 min) left")
    assert stream.rstrip() == "stream: 62 changes applied through source=binlog.000001:23783991, lag 0.4 s"


def test_names_that_begin_alike_are_distinguished_at_80_columns() -> None:
    lines, _ = _screen(80, _chunk("customer_orders", 5, 9), _chunk("customer_notes", 5, 9))
    assert lines[0].startswith("customer_orders ") and lines[1].startswith("customer_notes ")


def test_a_table_that_is_copied_leaves_the_bars_and_no_estimate_stays() -> None:
    lines, written = _screen(80, _chunk("a", 900, 1000), _chunk("b", 5, 9), _chunk("a", 950, 1000, complete=True))
    assert [line.split()[0] for line in lines] == ["b", "copy:"]
    assert "a: 950 rows copied" in written and "1 of 2 tables done" in lines[1]
    lines, _ = _screen(80, _chunk("a", 950, 1000, complete=True))
    assert [line.rstrip() for line in lines] == ["copy: 1 of 1 tables done"]


def test_a_resumed_copy_begins_where_it_is() -> None:
    begun = (TableProgress("a", 700, 1000, False), TableProgress("b", 40, 40, True), TableProgress("c", 0, 9, False))
    lines, _ = _screen(80, *begun)
    assert "70%" in lines[0] and "700/1,000" in lines[0] and [line.split()[0] for line in lines] == ["a", "copy:"]
    assert "1 of 3 tables done" in lines[1]


def test_what_moves_a_cursor_is_shown_as_text() -> None:
    _, written = _screen(
        80, _chunk("or\x1b[2J[/x]ders", 950, 1000), SourceWarning("orders (a\x1b]0;owned\x07[/b]): SW8511 refused")
    )
    assert r"orders (a\u001b]0;owned\u0007[/b]): SW8511 refused" in written and r"or\u001b[2J[/x]ders" in written
    assert "\x1b]0;" not in written and "or\x1b" not in written


def test_a_stream_without_anything_more_has_no_lag_and_text_is_no_markup() -> None:
    last = (BatchApplied(3, 62, "p", 15.9, 1), Lag(3, "p", 0.0), SourceWarning("table [bold]x[/bold] waits"))
    lines, written = _screen(80, *last)
    assert lines[-1].rstrip() == "stream: 62 changes applied through p, lag 0.0 s"
    assert "table [bold]x[/bold] waits" in written
