"""A chunk's end is found in strides where rows may be long: against a plain walk over all rows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.mysql.keys import Key
from shardwright.runtime.snapshot.chunk_end import by_bytes

MOST = 10_000


class _Rows:
    """Rows 0, 1, 2, ... and how long their values are; `asked` counts walks, `longest` is the longest that was looked
    at."""

    def __init__(self, sizes: list[int]) -> None:
        self.sizes = sizes
        self.asked = 0
        self.longest = 0

    def on(self, low: Key | None, rows: int) -> Key | None:
        assert rows > 0
        self.asked += 1
        at = (-1 if low is None else int(low[0])) + rows
        return (str(at),) if at < len(self.sizes) else None

    def bytes_at(self, key: Key) -> int:
        size = self.sizes[int(key[0])] if int(key[0]) < len(self.sizes) else 0  # of a row that is gone
        self.longest = max(self.longest, size)
        return size


STRETCHES = st.lists(st.tuples(st.integers(1, 3_000), st.sampled_from([0, 3, 40, 900, 9_000, 50_000])), max_size=6)


@given(stretches=STRETCHES, rows=st.integers(1, 5_000), first=st.integers(-1, 200))
def test_a_chunk_ends_by_rows_or_by_bytes(stretches: list[tuple[int, int]], rows: int, first: int) -> None:
    sizes = [size for count, size in stretches for _ in range(count)]
    table = _Rows(sizes)
    low = None if first < 0 else (str(first),)
    end = by_bytes(table, low, rows=rows, most_bytes=MOST)
    left = len(sizes) - first - 1
    if end is None:
        assert left < rows
        return
    taken = int(end[0]) - first
    assert 0 < taken <= min(rows, left)
    stride = max(50, rows // 32)
    if taken < rows and left > rows:  # it was cut: where rows are that long
        assert sum(sizes[first + 1 : int(end[0]) + 1]) > 0
    # A stride that ends at a short row may hide a long stretch; whatever is as long as it looks is cut.
    if len(set(sizes[first + 1 : int(end[0]) + 1])) == 1 and taken > 1:
        assert sizes[int(end[0])] * taken <= MOST + max(MOST // 4, sizes[int(end[0])])
    assert table.asked <= 32 + 16 * (rows // stride + 2)


@given(long=st.integers(20, 3_000), size=st.sampled_from([40, 900, 9_000]), rows=st.integers(1, 200_000))
def test_a_chunk_that_begins_among_long_rows_does_not_leap_over_the_rest_of_them(
    long: int, size: int, rows: int
) -> None:
    """However many rows the next chunk may have by then, copying having gone fast."""
    table = _Rows([size] * long + [0] * 300_000)
    low = by_bytes(table, None, rows=min(rows, 64), most_bytes=MOST)
    assert low is not None
    end = by_bytes(table, low, rows=rows, most_bytes=MOST)
    assert end is not None
    assert sum(table.sizes[int(low[0]) + 1 : int(end[0]) + 1]) <= MOST + max(MOST // 4, size)


def test_a_table_of_few_very_long_rows_is_many_chunks() -> None:
    table = _Rows([MOST] * 20)
    low: Key | None = None
    for number in range(20):
        low = by_bytes(table, low, rows=10_000, most_bytes=MOST)
        assert low == (str(number),)
    assert by_bytes(table, low, rows=10_000, most_bytes=MOST) is None


@given(before=st.integers(0, 40_000), long=st.integers(1, 3_000), size=st.sampled_from([40, 900, 9_000]))
def test_a_stretch_of_long_rows_that_was_met_is_not_leapt_over(before: int, long: int, size: int) -> None:
    """However short it is against the strides: they shorten before it, and may not grow past it again."""
    table = _Rows([0] * before + [size] * long + [0] * 100_000)
    end = by_bytes(table, None, rows=100_000, most_bytes=MOST)
    assert end is not None
    if table.longest:
        assert sum(table.sizes[: int(end[0]) + 1]) <= MOST + max(MOST // 4, size)


def test_one_stretch_of_long_rows_among_short_ones_is_cut_at_once() -> None:
    table = _Rows([10] * 6_000 + [4_000] * 3_000 + [10] * 6_000)
    low: Key | None = None
    most = 0
    while True:
        end = by_bytes(table, low, rows=4_000, most_bytes=MOST)
        first, last = (-1 if low is None else int(low[0])) + 1, len(table.sizes) - 1 if end is None else int(end[0])
        most = max(most, sum(table.sizes[first : last + 1]))
        if end is None:
            break
        low = end
    assert most <= 125 * 4_000 + MOST, "a stride's rows at most are not looked at"
