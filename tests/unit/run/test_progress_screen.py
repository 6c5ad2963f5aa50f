"""The terminal's table: its columns keep their places, copied tables are folded, resumed ones begin where they are, and
what the run waits for is below it with its seconds. `screens/` has whole screens (`SHARDWRIGHT_REWRITE=1` writes them).
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from shardwright.runtime.events.copy import ChunkCopied, OnShard, TableProgress
from shardwright.runtime.events.event import RunEvent
from shardwright.runtime.events.run import CommandStarted, PlanRead, SourceIsolated, StepStarted, StillWaiting, Throttle
from shardwright.runtime.events.stream import BatchApplied, Lag, RowsLocked, SourceWarning
from shardwright.runtime.events.time_left import TimeLeft
from shardwright.runtime.run.progress.screen import Screen, short_count
from shardwright.runtime.run.progress.waits import Waits

SCREENS = Path(__file__).parent / "screens"
LONG = "customer_addresses_of_the_last_century"


def _chunk(table: str, rows: int, expected: int, *, complete: bool = False) -> ChunkCopied:
    shards = {"shop_1": OnShard(rows // 2, 0), "shop_2": OnShard(rows - rows // 2 + 1, 0)}
    left, every = TimeLeft(50, 27, 180), TimeLeft(11_400, 10_200, 13_200)
    return ChunkCopied(table, 5, rows, expected, f"{table}/1", 5, 99, 5300.4, left, every, shards, complete)


def _screen(width: int, *events: RunEvent, height: int = 40, seconds: float = 0.0) -> tuple[list[str], str]:
    """The lines of the live part so many seconds after these events, and all that was written."""
    out, clock = io.StringIO(), [0.0]
    waits = Waits(lambda: clock[0])
    screen = Screen(waits, Console(file=out, width=width, height=height, force_terminal=True, color_system=None))
    try:
        for event in events:
            waits.handle(event)
            screen.handle(event)
        clock[0] = seconds
        plain = Console(file=io.StringIO(), width=width, height=height, color_system=None, force_terminal=True)
        with plain.capture() as shown:
            plain.print(screen)
    finally:
        screen.close()
    return [line.rstrip() for line in shown.get().splitlines()], out.getvalue()


SITUATIONS: dict[str, Sequence[RunEvent]] = {
    "resumed": (
        TableProgress("items", 12_345_678, 20_000_000, complete=False),
        TableProgress("users", 40, 40, complete=True),
        TableProgress("notes", 0, 9, complete=False),
    ),
    "copying": (
        TableProgress("items", 12_345_678, 20_000_000, complete=False),
        TableProgress("users", 40, 40, complete=True),
        _chunk(LONG, 10_006, 39_994),
        _chunk("notes", 1_234_567, 1_300_000_000),
        BatchApplied(3, 62, "source=binlog.000001:23783991", 0.4, 1),
        Throttle("copying", "replica 10.0.0.7:3306 is 12 s behind, and may be 10 s behind"),
        RowsLocked("shop_1", 4, "1205 Lock wait timeout exceeded; the lock is held by app@10.0.0.9, thread 4711"),
    ),
    "following": (
        _chunk("users", 40, 40, complete=True),
        BatchApplied(3, 62, "source=binlog.000001:23783991", 0.4, 1),
        SourceIsolated("orders_server", "SW8101: cannot reach 10.0.0.8:3306"),
        Lag(3, "source=binlog.000001:23783991", 0.0),
    ),
}


@pytest.mark.parametrize("width", [80, 200])
@pytest.mark.parametrize("name", SITUATIONS)
def test_the_screen_is_as_it_was_reviewed(name: str, width: int) -> None:
    lines, _ = _screen(width, *SITUATIONS[name], seconds=34)
    text, file = "\n".join(lines) + "\n", SCREENS / f"{name}-{width}.txt"
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text


TEXTS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=90)
COUNTS = st.integers(0, 10**13)
EVENTS = st.one_of(
    st.builds(_chunk, TEXTS, COUNTS, COUNTS, complete=st.booleans()),
    st.builds(TableProgress, TEXTS, COUNTS, COUNTS, st.booleans()),
    st.builds(BatchApplied, COUNTS, COUNTS, TEXTS, st.none() | st.floats(0, 1e9), st.floats(0, 1e6)),
    st.builds(Throttle, TEXTS, TEXTS),
)


@given(events=st.lists(EVENTS, max_size=8), width=st.integers(60, 220), seconds=st.floats(0, 1e7))
def test_no_line_is_wider_than_the_screen_and_no_value_moves_a_column(
    events: list[RunEvent], width: int, seconds: float
) -> None:
    lines, _ = _screen(width, CommandStarted("run", "prod"), *events, seconds=seconds)
    assert [line for line in lines if cell_len(line) > width] == []
    headers = [line for line in lines if line.startswith("table ") and line.endswith("time left")]
    (header,) = headers or [None]
    usual, _ = _screen(width, _chunk("a", 5, 9))
    assert header in (None, usual[0])


def test_tables_that_do_not_fit_are_counted_and_the_footer_stays() -> None:
    lines, _ = _screen(80, *(_chunk(f"t{number:02}", 5, 9) for number in range(40)), height=24)
    assert [line.split()[0] for line in lines] == ["table", *(f"t{number}" for number in range(26, 40)), "and", "copy"]
    assert "and 26 more tables" in lines


def test_names_that_begin_alike_are_distinguished_at_80_columns() -> None:
    lines, _ = _screen(80, _chunk("customer_orders", 5, 9), _chunk("customer_notes", 5, 9))
    assert [line.split()[0] for line in lines[1:3]] == ["customer_notes", "customer_orders"]


def test_a_table_that_is_copied_leaves_the_table_and_no_estimate_stays() -> None:
    lines, _ = _screen(80, _chunk("a", 900, 1000), _chunk("b", 5, 9), _chunk("a", 950, 1000, complete=True))
    assert [line.split()[0] for line in lines] == ["table", "b", "copy"]
    assert "1 of 2 tables copied (950 rows)" in lines[-1] and "950/" not in lines[-1]
    lines, _ = _screen(80, _chunk("a", 950, 1000, complete=True))
    assert lines == ["copy    1 of 1 tables copied (950 rows)"]


def test_what_moves_a_cursor_is_shown_as_text() -> None:
    lines, written = _screen(
        120, _chunk("or\x1b[2J[/x]ders", 950, 1000), SourceWarning("orders (a\x1b]0;owned\x07[/b]): SW8511 refused")
    )
    assert r"or\u001b[2J[/x]ders" in lines[1]
    assert re.search(r"\d\d:\d\d:\d\dZ orders \(a\\u001b\]0;owned\\u0007\[/b\]\): SW8511 refused", written)
    assert "\x1b]0;" not in written and "or\x1b" not in written


def test_a_stream_without_anything_more_has_no_lag_and_text_is_no_markup() -> None:
    last = (BatchApplied(3, 62, "p", 15.9, 1), Lag(3, "p", 0.0), SourceWarning("table [bold]x[/bold] waits"))
    lines, written = _screen(80, *last)
    assert lines == ["stream  62 changes applied, lag 0.0 s, through p"]
    assert "table [bold]x[/bold] waits" in written


def test_nothing_is_drawn_while_the_command_may_ask() -> None:
    before = (CommandStarted("run", "prod"), StillWaiting("loading", 5.0), PlanRead("shop", "4711", "forward"))
    _, written = _screen(80, *before)
    assert re.sub(r"\d\d:\d\d:\d\dZ ", "", written).splitlines() == [event.sentence for event in before]
    _, drawn = _screen(80, *before, StepStarted("checking"), StillWaiting("checking", 5.0))
    assert drawn.startswith(written[:8]) and "\x1b" in drawn and "still waiting after 5 s: checking" not in drawn


@given(count=st.integers(0, 10**15 - 1))
def test_a_short_count_has_six_characters_at_most_and_is_nearly_the_count(count: int) -> None:
    text = short_count(count)
    unit = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}.get(text[-1], 1)
    assert len(text) <= 6
    assert abs(float(text.rstrip("kMGT").replace(",", "")) * unit - count) <= 0.005 * count
