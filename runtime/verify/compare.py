"""Does one logical table differ? Sums of key ranges are compared; where they differ, the keys are named. What differs
while the stream moves may only be in flight: its keys are checked again (`recheck`).

Runs in the driver, in threads; reads the source server and the shards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.verify.answers import Sums
from shardwright.runtime.verify.barrier import Moving
from shardwright.runtime.verify.compared_ends import Ends
from shardwright.runtime.verify.key_range import Key, KeyRange, narrow
from shardwright.runtime.verify.keys import KeyState, Naming
from shardwright.runtime.verify.recheck import Faulty, recheck
from shardwright.runtime.verify.result import Mismatch
from shardwright.runtime.verify.sessions import Sessions
from shardwright.runtime.verify.shard_end import ShardEnd

_LISTED_ROWS = 10_000
"""Rows of source and shards together that are listed at a time."""
_ROWS_READ = 1_000
"""Differing rows of a range whose values and places are read for display; the keys of all of them are named. For a
report of all values there is no limit."""


@dataclass(frozen=True, slots=True)
class RangeResult:
    rows_source: int
    """Rows at the source."""
    rows_shards: Mapping[int, int]
    """Shard number -> rows."""
    differed: bool
    """Whether sums differed, so that keys were listed."""
    mismatches: tuple[Mismatch, ...]
    """What is wrong with keys."""
    still_changing: tuple[Key, ...]
    """Keys that kept changing: neither equal nor different."""
    hash_source: int
    """Sum of the 64-bit hashes of the source's rows."""
    hash_shards: int
    """The same for the shards; where they hold copies, of all copies."""


class TableComparison:
    """Compares ranges of one table; may be used by several threads at once."""

    def __init__(
        self,
        plan: Plan,
        table: TablePlan,
        sessions: Sessions,
        *,
        moving: Moving | None,
        only_shard: int | None = None,
        reads_all: bool = False,
    ) -> None:
        """`reads_all`: the values of all differing rows are read."""
        self._table = table
        self._sessions = sessions
        self._moving = moving
        self._reads_all = reads_all
        self._ends = Ends(plan, table, sessions, only_shard=only_shard)
        self.source = self._ends.source
        self._targets = self._ends.targets
        self.shards = tuple(shard for end in self._targets for shard in end.shards)

    def compare(self, over: KeyRange) -> RangeResult:
        by_table = self.source.sums_by_table(over)
        wanted = sum(by_table, Sums())
        twice = self._buckets_of_equal_keys(over, by_table)
        rows: dict[int, int] = {}
        hashes = 0
        mismatches: list[Mismatch] = []
        still_changing: list[Key] = []
        differed = False
        for target in self._targets:
            by_shard = target.sums(over)
            rows |= {shard: part.rows for shard, part in by_shard.items()}
            found = sum(by_shard.values(), Sums())
            hashes += found.hash
            differing = tuple(sorted({*wanted.different_buckets(found), *twice}))
            if not differing:
                continue
            differed = True
            suspects = self._candidates(target, over, (wanted + found).windows(differing, rows=_LISTED_ROWS))
            look = partial(self._look_again, target, {part: tuple(faulty) for part, faulty in suspects.items()})
            wrong, restless = recheck(suspects, look, watch=self._ends.watch(target, self._moving))
            mismatches += self._name_mismatches(target, wrong)
            still_changing += restless
            if not wrong and self._is_still():
                self._expect_agreement(target, over)
        return RangeResult(wanted.rows, rows, differed, tuple(mismatches), tuple(still_changing), wanted.hash, hashes)

    def _buckets_of_equal_keys(self, over: KeyRange, by_table: tuple[Sums, ...]) -> frozenset[int]:
        """Buckets in which a key is in two source tables. Where the shard key is no part of the key, both rows may have
        reached a shard, and the sums agree: only a list of the keys shows it. Buckets in which one table alone has rows
        are not listed."""
        key = {column.source for column in self._table.key_columns}
        if len(by_table) < 2 or self._table.source_lacks is not None or set(self._table.placement.shard_key) <= key:
            return frozenset()
        shared = tuple(sorted(bucket for bucket, count in _holders(by_table).items() if count > 1))
        return frozenset(
            bucket
            for bucket in shared
            for window in sum(by_table, Sums()).windows((bucket,), rows=_LISTED_ROWS)
            if any(len(held) > 1 for held in self.source.keys(narrow(over, window)).values())
        )

    def _candidates(
        self, target: ShardEnd, over: KeyRange, windows: Iterable[tuple[int, int]]
    ) -> Mapping[KeyRange, Faulty]:
        """The faulty keys of those buckets of the range."""
        parts = [narrow(over, window) for window in windows]
        return {part: faulty for part in parts if (faulty := self._ends.find_mismatches(target, part))}

    def _look_again(self, target: ShardEnd, keys: Mapping[KeyRange, tuple[Key, ...]], part: KeyRange) -> Faulty:
        """Checks only the keys that were faulty: the range need not be listed again."""
        return self._ends.find_mismatches(target, keys[part])

    def expect_rows(self, *, source: int, target: int) -> None:
        """Checks that all ranges together held every row that the tables hold. Does nothing while the tables are
        written to."""
        if not self._is_still() or self._ends.are_partial:
            return
        for side, seen, there in (
            ("source", source, self.source.count()),
            ("shards", target, sum(end.count() for end in self._targets)),
        ):
            if seen != there:
                raise CouldNotCheck(
                    "SW8506",
                    f"{self._table.logical}: {there:,} rows are on the {side} but the ranges compared held {seen:,}; "
                    "were the tables written to? Compare again while the stream runs, or with a read-only source",
                )

    def _is_still(self) -> bool:
        return self._moving is None or self._moving.at_rest()

    def _expect_agreement(self, target: ShardEnd, over: KeyRange) -> None:
        """Refuses sums that differ over keys that do not: the tables were written to meanwhile, or the comparison has a
        fault. Never `equal`."""
        if self.source.sums(over).different_buckets(sum(target.sums(over).values(), Sums())):
            raise CouldNotCheck(
                "SW8505",
                f"{self._table.logical}: sums of {over} differ but none of its keys does; were the tables written to? "
                "Compare again while the stream runs, or with a read-only source",
            )

    def _name_mismatches(self, target: ShardEnd, wrong: Mapping[Key, KeyState]) -> Iterator[Mismatch]:
        naming = Naming(self._table, self.source, target, self._sessions)
        for number, (key, state) in enumerate(wrong.items()):
            yield from naming.mismatches(key, state, read_rows=self._reads_all or number < _ROWS_READ)


def _holders(by_table: tuple[Sums, ...]) -> Counter[int]:
    """In how many tables each bucket has rows."""
    return Counter(bucket for sums in by_table for bucket, found in sums.buckets.items() if found.rows)
