"""Buckets of a range that differ are listed in windows: all of them, each once, and not many rows at a time."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.verify.answers import Sum, Sums

SUMS = st.dictionaries(
    st.integers(0, 63), st.builds(Sum, st.integers(1, 900), st.integers(0, 3), st.integers(0, 1)), max_size=64
).map(Sums)


@given(left=SUMS, right=SUMS, rows=st.integers(1, 5_000))
def test_windows_hold_what_differs(left: Sums, right: Sums, rows: int) -> None:
    differing = left.different_buckets(right)
    both = left + right
    windows = list(both.windows(differing, rows=rows))
    assert all(one <= other for one, other in windows)
    assert all(left[1] < right[0] for left, right in itertools.pairwise(windows))
    assert {bucket for bucket in differing if not any(one <= bucket <= other for one, other in windows)} == set()
    for first, last in windows:
        held = sum(both.buckets.get(bucket, Sum()).rows for bucket in range(first, last + 1))
        assert first == last or held <= rows
        assert first in differing and last in differing


@given(left=SUMS, right=SUMS)
def test_what_differs(left: Sums, right: Sums) -> None:
    everything = range(64)
    assert left.different_buckets(right) == tuple(
        bucket for bucket in everything if left.buckets.get(bucket, Sum()) != right.buckets.get(bucket, Sum())
    )
    assert left.different_buckets(left) == () and (left + right).rows == left.rows + right.rows
