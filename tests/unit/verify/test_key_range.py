"""A bucket of a range of whole numbers is one stretch of it, and the stretch holds all of the bucket (hazard H1)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.verify.key_range import BUCKETS, LEAST_STRIDE, KeyRange, in_strides, narrow


def _bucket(key: int, stride: int) -> int:
    """As servers reckon it: DIV and % round towards zero."""
    quotient = abs(key) // stride * (1 if key >= 0 else -1)
    return abs(quotient) % BUCKETS * (1 if quotient >= 0 else -1)


@given(low=st.integers(-(10**6), 10**19), width=st.integers(1, 10**6), data=st.data())
def test_h1_a_narrowed_range_holds_every_key_of_its_buckets(low: int, width: int, data: st.DataObject) -> None:
    over = in_strides(KeyRange((str(low),), (str(low + width),)))
    key = data.draw(st.integers(low + 1, low + width))
    bucket = _bucket(key, over.stride)
    part = narrow(over, (bucket, bucket))
    assert part.low is not None and part.high is not None and part.buckets == (bucket, bucket)
    assert int(part.low[0]) < key <= int(part.high[0])
    assert low <= int(part.low[0]) and int(part.high[0]) <= low + width


def test_one_bucket_is_a_small_part() -> None:
    over = in_strides(KeyRange(("0",), ("64000",)))
    assert (over.stride, narrow(over, (7, 8)).low, narrow(over, (7, 8)).high) == (1000, ("6999",), ("8999",))


def test_open_ends_and_other_keys_are_searched_whole() -> None:
    for over in (KeyRange(None, ("9",)), KeyRange(("9",), None), KeyRange(("a",), ("b",))):
        part = narrow(over, (3, 4))
        assert (part.low, part.high, part.buckets) == (over.low, over.high, (3, 4))
    assert in_strides(KeyRange(None, ("9",))).stride == LEAST_STRIDE
