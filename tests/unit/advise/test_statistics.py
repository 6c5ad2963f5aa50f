"""Statistics are what they were when they are read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.compiler.advise.statistics import (
    BadStatistics,
    ColumnStatistics,
    RowCounts,
    TableStatistics,
    read_statistics,
    statistics_text,
)

_shares = st.integers(0, 1_000_000).map(lambda number: number / 1_000_000)
_columns = st.builds(
    ColumnStatistics, st.integers(0, 10**12), _shares, st.lists(st.tuples(st.text(), _shares), max_size=5).map(tuple)
)
_names = st.text("abcxyz_0", min_size=1, max_size=8)
_rows = st.integers(0, 10**12)
_counts = st.builds(RowCounts, _rows, _rows, st.dictionaries(_names, _rows, max_size=3))
_tables = st.builds(
    TableStatistics, _rows, st.integers(0, 10**15), st.dictionaries(_names, _columns, max_size=3), st.none() | _counts
)


@given(st.dictionaries(_names, _tables, max_size=4))
def test_a_file_keeps_all_of_them(statistics: dict[str, TableStatistics]) -> None:
    assert read_statistics(statistics_text(statistics)) == statistics


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"version": 2, "tables": {}}', '{"version": 1, "tables": {"a": {}}}', "x"]
)
def test_another_file_is_refused(text: str) -> None:
    with pytest.raises(BadStatistics):
        read_statistics(text)
