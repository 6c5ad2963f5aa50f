"""From a range whose sums differ to the small ranges that hold the differing keys.

By halves: sums add up, so what one half gives says by subtraction what the other one does. One wrong row costs as many sums as its range has
doublings, not one for each small range.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.plan import SourceName
from shardwright.runtime.verify.answers import Sum
from shardwright.runtime.verify.boundaries import small_ranges
from shardwright.runtime.verify.key_range import KeyRange
from shardwright.runtime.verify.shard_end import ShardEnd
from shardwright.runtime.verify.source_end import SourceEnd

_LISTED_ROWS = 500


@dataclass(frozen=True, slots=True)
class Sums:
    """Of one range, by source table and by shard."""

    wanted: Mapping[SourceName, Sum]
    found: Mapping[int, Sum]

    @property
    def agree(self) -> bool:
        return sum(self.wanted.values(), Sum()) == sum(self.found.values(), Sum())

    def __sub__(self, part: Sums) -> Sums:
        return Sums(
            {name: total - part.wanted[name] for name, total in self.wanted.items()},
            {shard: total - part.found[shard] for shard, total in self.found.items()},
        )


@dataclass(frozen=True, slots=True)
class Narrowing:
    source: SourceEnd
    target: ShardEnd

    def sums(self, over: KeyRange) -> Sums:
        return Sums(self.source.sums(over), self.target.sums(over))

    def small_ranges(self, over: KeyRange, sums: Sums) -> Iterator[KeyRange]:
        """The small ranges within `over` whose sums differ; `sums` are its own. While rows are written, one that is told may agree by now,
        and one whose rows were on their way may be missing; a row that stays wrong is always in one of them."""
        for piece, differing in self._halved(tuple(over.pieces()), sums):
            largest = max(differing.wanted, key=lambda name: differing.wanted[name].rows)
            if differing.wanted[largest].rows <= _LISTED_ROWS:
                yield piece
            else:
                parts = tuple(small_ranges(self.source, largest, piece))
                yield from (small for small, _ in self._halved(parts, differing))

    def _halved(self, pieces: Sequence[KeyRange], sums: Sums) -> Iterator[tuple[KeyRange, Sums]]:
        """Those of the adjoining pieces that differ; `sums` are of all of them together."""
        if sums.agree:
            return
        if len(pieces) == 1:
            yield pieces[0], sums
            return
        middle = len(pieces) // 2
        left = self.sums(KeyRange(pieces[0].low, pieces[middle - 1].high))
        yield from self._halved(pieces[:middle], left)
        yield from self._halved(pieces[middle:], sums - left)
