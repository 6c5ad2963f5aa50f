"""What do source and shards answer? Sums of key ranges by bucket, and which tables hold a row.

Pure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.sessions import End


@dataclass(frozen=True, slots=True)
class Sum:
    """What one bucket adds up to."""

    rows: int = 0
    hash: int = 0
    """Sum of the 64-bit hashes of the rows."""
    misplaced: int = 0
    """Rows that the sharding rule would place elsewhere; counted on shards only."""

    def __add__(self, other: Sum) -> Sum:
        return Sum(self.rows + other.rows, self.hash + other.hash, self.misplaced + other.misplaced)


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of a key range, by bucket of keys (`steps.verify_statements.bucket`)."""

    buckets: Mapping[int, Sum] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return sum(one.rows for one in self.buckets.values())

    @property
    def hash(self) -> int:
        return sum(one.hash for one in self.buckets.values())

    def __add__(self, other: Sums) -> Sums:
        both = self.buckets.keys() | other.buckets.keys()
        return Sums({one: self._of(one) + other._of(one) for one in both})

    def different_buckets(self, other: Sums) -> tuple[int, ...]:
        """The buckets that are not alike, in order."""
        both = self.buckets.keys() | other.buckets.keys()
        return tuple(sorted(one for one in both if self._of(one) != other._of(one)))

    def windows(self, differing: tuple[int, ...], *, rows: int) -> Iterator[tuple[int, int]]:
        """First and last bucket of windows that cover the differing ones. A window has `rows` rows at most, or one
        bucket."""
        first = last = None
        held = 0
        for one in differing:
            size = sum(self._of(between).rows for between in range(one if last is None else last + 1, one + 1))
            if first is not None and last is not None and held + size > rows:
                yield first, last
                first, size = None, self._of(one).rows
            first, last, held = (one, one, size) if first is None else (first, one, held + size)
        if first is not None and last is not None:
            yield first, last

    def _of(self, bucket: int) -> Sum:
        return self.buckets.get(bucket, Sum())


@dataclass(frozen=True, slots=True)
class RowHash:
    """One table holds a row."""

    hash: int
    """The row's 64-bit hash."""
    place: str
    """Full name of the table."""
    end: End
    """The connection that reaches it."""
    sql: str
    """The plan's statement that reads one row of it."""
    misplaced: bool = False
    """Whether the sharding rule would place the row elsewhere."""


def combine(some: Iterable[Mapping[Key, tuple[RowHash, ...]]]) -> Mapping[Key, tuple[RowHash, ...]]:
    """Which tables hold each key, as several tables have answered."""
    found: dict[Key, tuple[RowHash, ...]] = defaultdict(tuple)
    for answer in some:
        for key, held in answer.items():
            found[key] += held
    return found
