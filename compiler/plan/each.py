"""The same work for each of many tables. The compiler does it one after the other; who calls it may know better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Each(Protocol):
    """The results are in the order of the items. What `work` returns can be pickled; it changes nothing but what it
    makes or writes, and may be done again for an item after it failed."""

    def __call__(self, work: Callable[[T], R], items: Sequence[T]) -> list[R]: ...


def one_by_one(work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    return [work(item) for item in items]
