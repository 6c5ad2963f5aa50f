"""Chunks become as long as a second's work, and never more than a task should hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.snapshot.chunk_end import BYTES, FIRST_ROWS, ChunkSize


def test_a_fast_table_gets_larger_chunks_step_by_step() -> None:
    size, seen = ChunkSize(), []
    for _ in range(12):
        seen.append(size.rows())
        size.learn(size.rows(), size.rows() * 100, size.rows() / 80_000)
    assert seen[0] == FIRST_ROWS
    assert seen == sorted(seen)
    assert 60_000 <= seen[-1] <= 160_000


def test_a_slow_table_gets_smaller_ones_but_not_without_end() -> None:
    size = ChunkSize(least=2_000)
    for _ in range(20):
        size.learn(size.rows(), size.rows() * 100, size.rows() / 100)
    assert size.rows() == 2_000


def test_d4_rows_that_become_wide_count_at_once() -> None:
    size = ChunkSize()
    for _ in range(10):
        size.learn(size.rows(), size.rows() * 100, size.rows() / 100_000)
    size.learn(size.rows(), size.rows() * 1_000_000, 1.0)
    assert size.rows() <= BYTES // 1_000_000


def test_what_the_environment_says_stays() -> None:
    size = ChunkSize(fixed=7)
    size.learn(7, 7_000_000_000, 1e-9)
    assert size.rows() == 7


@given(st.lists(st.tuples(st.integers(0, 10**7), st.integers(0, 10**12), st.floats(0, 10**5)), max_size=30))
def test_there_is_always_a_next_chunk(measured: list[tuple[int, int, float]]) -> None:
    size = ChunkSize()
    for rows, wide, seconds in measured:
        size.learn(rows, wide, seconds)
        assert 1 <= size.rows() <= 1_000_000
