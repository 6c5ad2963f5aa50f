"""Rates and times left from recent chunks: arithmetic."""

from __future__ import annotations

import io
import itertools
import random
from collections.abc import Sequence

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from shardwright.runtime.events.copy import ChunkCopied, SnapshotComplete
from shardwright.runtime.events.time_left import TimeLeft, size, span
from shardwright.runtime.ledger.chunks_done import Finish
from shardwright.runtime.run.progress.copy_rate import recent_rate, time_left
from shardwright.runtime.run.progress.listeners import PlainLines

FINISHES = st.lists(st.tuples(st.floats(0, 50), st.integers(0, 10**6)), max_size=60)


@given(finishes=FINISHES, rows=st.integers(0, 10**12))
@example(finishes=[(at, 1) for at in (0.0, 0.0, 0.0, 0.0, 0.0, 5e-324)], rows=1)
def test_the_expected_time_lies_between_the_soonest_and_the_latest(finishes: Sequence[Finish], rows: int) -> None:
    left = time_left(rows, recent_rate(finishes, now=50.0))
    assume(left is not None)
    assert left is not None and 0 <= left.soonest <= left.expected <= left.latest < float("inf")


@given(finishes=FINISHES, seed=st.integers())
def test_the_order_of_chunks_and_the_zero_of_the_clock_do_not_matter(finishes: list[Finish], seed: int) -> None:
    whole = [(float(int(at)), rows) for at, rows in finishes]
    moved = [(at - 1000.0, rows) for at, rows in whole]
    random.Random(seed).shuffle(moved)
    assert recent_rate(whole, now=50.0) == recent_rate(moved, now=-950.0)


@given(rate=st.integers(1, 10**6), chunks=st.integers(7, 200), seconds=st.sampled_from([0.25, 0.5, 1.0, 2.0]))
def test_an_even_pace_is_reported_as_it_is(rate: int, chunks: int, seconds: float) -> None:
    finishes = [(number * seconds, round(rate * seconds * 4)) for number in range(chunks)]
    found = recent_rate(finishes, now=chunks * seconds)
    assert found is not None
    assert found.mean == pytest.approx(round(rate * seconds * 4) / seconds)
    assert found.slow <= found.mean <= found.fast


def test_uneven_chunks_make_it_less_certain() -> None:
    even = [(float(at), 100) for at in range(61)]
    uneven = [(float(at), 190 if at // 10 % 2 else 10) for at in range(61)]
    first, second = (recent_rate(finishes, now=60.0) for finishes in (even, uneven))
    assert first is not None and second is not None
    assert first.fast - first.slow < 0.1 * first.mean < second.fast - second.slow


@pytest.mark.parametrize(
    "finishes",
    [
        [],
        [(float(at), 10) for at in range(5)],
        [(3.0, 10)] * 20,
        [(float(at), 0) for at in range(20)],
        [(at - 3600.0, 10) for at in range(20)],
    ],
    ids=["none", "few", "at once", "empty", "an hour ago"],
)
def test_where_no_one_can_know_no_one_does(finishes: list[Finish]) -> None:
    assert recent_rate(finishes, now=20.0) is None and time_left(5, None) is None


def test_in_words() -> None:
    seconds = (0.2, 59.4, 60, 3599, 3600, 11_400, 86_399, 86_400, 100_000)
    assert [span(value) for value in seconds] == (
        ["0 s", "59 s", "1 min", "1 h", "1 h", "3 h 10 min", "1 d", "1 d", "1 d 4 h"]
    )
    assert [size(count) for count in (0, 1023, 1536, 10 * 1024**2, 1.5 * 1024**4)] == (
        ["0 B", "1023 B", "1.5 KiB", "10 MiB", "1.5 TiB"]
    )
    assert str(TimeLeft(11_400, 10_200, 13_200)) == "about 3 h 10 min (2 h 50 min to 3 h 40 min)"
    assert str(TimeLeft(120, 115, 125)) == "about 2 min"


def test_many_chunks_are_few_lines_and_the_last_one_is_reported() -> None:
    out = io.StringIO()
    lines = PlainLines(out)
    for number, table in itertools.product(range(1, 1001), ("a", "b")):
        lines.handle(ChunkCopied(table, 5, 5 * number, 5000, f"{table}/{number}", number, 0, None, None, None))
    lines.handle(SnapshotComplete())
    reported = out.getvalue().splitlines()
    assert "chunk=a/1 " in reported[0] and "chunk=b/1 " in reported[1]
    assert [line.split("rows=")[1] for line in reported[-3:-1]] == [
        "5000 of about 5000 (100%) 1000 chunks, 0 B sent"
    ] * 2
    assert reported[-1].endswith("snapshot complete") and len(reported) < 50
