"""Chunks become as long as a second's work, and never more than a task should hold; the last ones are shorter."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.mysql.estimates import Estimate
from shardwright.runtime.snapshot.chunk_end import BYTES, FIRST_ROWS, ChunkSize


def copy_chunks(size: ChunkSize, times: int, *, wide: int, rows_a_second: float) -> list[int]:
    """The rows of so many chunks, each measured before the next one is planned."""
    seen = []
    for _ in range(times):
        seen.append(rows := size.next_rows())
        size.learn(rows, rows * wide, rows / rows_a_second)
    return seen


def test_a_fast_table_gets_larger_chunks_step_by_step() -> None:
    seen = copy_chunks(ChunkSize(), 12, wide=100, rows_a_second=80_000)
    assert seen[:3] == [FIRST_ROWS, 3 * FIRST_ROWS, 9 * FIRST_ROWS]
    assert set(seen[3:]) == {120_000}


def test_chunks_get_larger_before_the_first_measure() -> None:
    size = ChunkSize()
    assert [size.next_rows() for _ in range(5)] == [10_000, 20_000, 40_000, 40_000, 40_000]
    size.learn(10_000, 1_000_000, 100.0)
    assert size.next_rows() < FIRST_ROWS


def test_d4_the_estimated_width_bounds_chunks_before_the_first_measure() -> None:
    size = ChunkSize(left=Estimate(1_000_000, 1_000_000 * 4_096), at_once=2)
    assert [size.next_rows() for _ in range(3)] == [BYTES // 4_096] * 3
    size.learn(BYTES // 4_096, BYTES // 40, 0.1)  # the estimate was wrong
    assert size.next_rows() == 3 * (BYTES // 4_096)


def test_a_slow_table_gets_smaller_ones_but_not_without_end() -> None:
    assert copy_chunks(ChunkSize(least=2_000), 21, wide=100, rows_a_second=100)[-1] == 2_000


def test_d4_rows_that_become_wide_count_at_once() -> None:
    size = ChunkSize()
    copy_chunks(size, 10, wide=100, rows_a_second=100_000)
    copy_chunks(size, 1, wide=1_000_000, rows_a_second=100_000)
    assert size.next_rows() <= BYTES // 1_000_000


def test_what_the_environment_says_stays() -> None:
    size = ChunkSize(fixed=7, left=Estimate(10, 1_000))
    assert copy_chunks(size, 3, wide=1_000_000_000, rows_a_second=1e9) == [7, 7, 7]


def test_no_chunk_has_more_rows_than_may_be_copied_in_a_second() -> None:
    size = ChunkSize(left=Estimate(3_000, 300_000))
    assert [size.next_rows(1_000) for _ in range(4)] == [1_000] * 4


def test_the_last_chunks_are_shorter() -> None:
    size = ChunkSize(left=Estimate(600_000, 60_000_000), at_once=2)
    seen = copy_chunks(size, 12, wide=100, rows_a_second=80_000)
    assert seen[3:9] == [120_000, 120_000, 115_000, 57_500, 30_000, 30_000]


def test_the_last_chunks_are_worth_their_commits_too() -> None:
    size = ChunkSize(least=50_000, left=Estimate(300_000, 30_000_000), at_once=8)
    assert copy_chunks(size, 3, wide=100, rows_a_second=80_000) == [50_000, 50_000, 50_000]


def test_an_estimate_that_was_far_too_low_does_not_count() -> None:
    size = ChunkSize(left=Estimate(250_000, 25_000_000), at_once=2)
    assert copy_chunks(size, 20, wide=100, rows_a_second=80_000)[-1] == 120_000


def test_a_small_table_is_one_chunk() -> None:
    assert ChunkSize(left=Estimate(9_000, 900_000), at_once=4).next_rows() == FIRST_ROWS


@given(
    measured=st.lists(st.tuples(st.integers(0, 10**7), st.integers(0, 10**12), st.floats(0, 10**5)), max_size=30),
    left=st.one_of(st.none(), st.builds(Estimate, st.integers(0, 10**9), st.integers(0, 10**15))),
)
def test_there_is_always_a_next_chunk(measured: list[tuple[int, int, float]], left: Estimate | None) -> None:
    size = ChunkSize(left=left, at_once=3)
    for rows, wide, seconds in measured:
        size.learn(rows, wide, seconds)
        assert 1 <= size.next_rows() <= 1_000_000
