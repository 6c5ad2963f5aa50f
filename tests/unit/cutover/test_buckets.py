"""Which buckets an operator means, and what a running comparison asks of two streams."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.cutover.by_bucket.selection import choose_percent, ranges_of, read_buckets_of
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.ledger.buckets import BucketOwner
from shardwright.runtime.verify.both_streams import BothStreams


@pytest.mark.parametrize(
    ("text", "found"),
    [("0", {0}), ("0-3,7", {0, 1, 2, 3, 7}), (" 2 , 1-2", {1, 2}), ("8", {8}), ("all", set(range(9)))],
)
def test_buckets_that_are_named(text: str, found: set[int]) -> None:
    """Of eight: number 8 has the tables that are not sharded."""
    assert read_buckets_of(text, 8) == found


@pytest.mark.parametrize("text", ["", "a", "3-1", "9", "0-9", "-1", "1,,2", "1.5", "all,1"])
def test_buckets_that_are_not_there(text: str) -> None:
    with pytest.raises(InputAtFault, match="--buckets"):
        read_buckets_of(text, 8)


@given(st.frozensets(st.integers(0, 64), min_size=1))
def test_what_is_printed_is_read_again(buckets: frozenset[int]) -> None:
    assert read_buckets_of(ranges_of(buckets), 64) == buckets


def test_percent_is_of_all_buckets_and_takes_those_that_have_not_moved() -> None:
    owners = {bucket: BucketOwner("shards" if bucket < 3 else "source", 1) for bucket in range(101)}
    assert choose_percent(2, owners, 100, "shards") == {3, 4}
    assert choose_percent(0.1, owners, 100, "shards") == {3}
    assert choose_percent(50, owners, 100, "source") == {0, 1, 2}
    assert 100 not in choose_percent(100, owners, 100, "shards"), "the tables that are not sharded go last"


class Stream:
    """One direction, as a comparison sees it."""

    def __init__(self, batch: int, changed: dict[int, set[str]]) -> None:
        self.batch = batch
        self.changed = changed
        self.waited = 0

    def catch_up(self) -> None:
        self.waited += 1

    def at_rest(self) -> bool:
        return not self.changed

    def last_batch(self) -> int:
        return self.batch

    def keys_changed_since(self, batch: int, _logical: str) -> Collection[tuple[str, ...]] | None:
        if batch < 0:
            return None
        return {(key,) for at, keys in self.changed.items() if at > batch for key in keys}


def test_a_row_in_flight_in_either_stream_is_moving() -> None:
    forward, backward = Stream(7, {8: {"a"}}), Stream(3, {4: {"b"}})
    both = BothStreams(cast(Any, forward), cast(Any, backward))
    assert both.last_batch() == 7 and not both.at_rest()
    forward.batch, backward.batch = 8, 4
    assert both.keys_changed_since(7, "orders") == {("a",), ("b",)}
    both.catch_up()
    assert (forward.waited, backward.waited) == (1, 1)


def test_what_one_stream_does_not_remember_is_not_known() -> None:
    both = BothStreams(cast(Any, Stream(7, {8: {"a"}})), cast(Any, Stream(-1, {})))
    both.last_batch()
    assert both.keys_changed_since(7, "orders") is None
