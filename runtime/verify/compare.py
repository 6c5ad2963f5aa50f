"""One logical table compared: sums of key ranges, then, where they differ, the keys by name.

A range that differs while the stream is still moving may only be in flight. Its keys are looked at again after the
stream has passed: a key that stands as it stood is wrong, one that changed is looked at once more, and one that never
comes to rest is reported as unsettled, never as different (hazard H3).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from shardwright.compiler.plan import Plan, SourceName, TablePlan
from shardwright.runtime.verify.boundaries import small_ranges
from shardwright.runtime.verify.ends import ShardEnd, SourceEnd, Sum, shard_ends
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.keys import KeyState, differing_columns, faulty_keys, named
from shardwright.runtime.verify.result import Mismatch
from shardwright.runtime.verify.sessions import CouldNotCheck, Sessions

WaitCaughtUp = Callable[[], bool]
"""Returns True once the shards hold everything the source had when it was called, False when no more will come."""

_LOOKS = 8
_PAUSE_SECONDS = 0.2
_LISTED_ROWS = 500
_WITH_VALUES = 1_000
"""Differing rows of a range whose values are read for display; the keys of all of them are named."""


@dataclass(frozen=True, slots=True)
class RangeResult:
    rows_source: int
    rows_shards: Mapping[int, int]
    differed: bool
    mismatches: tuple[Mismatch, ...]
    unsettled: tuple[Key, ...]


class TableComparison:
    """Compares ranges of one table; may be used by several threads at once."""

    def __init__(
        self, plan: Plan, table: TablePlan, sessions: Sessions, *, wait_caught_up: WaitCaughtUp | None
    ) -> None:
        self._table = table
        self._sessions = sessions
        self._wait = wait_caught_up
        self.source = SourceEnd(plan, table, sessions)
        self._targets = tuple(shard_ends(plan, table, sessions))

    def compare(self, over: KeyRange) -> RangeResult:
        wanted = self.source.sums(over)
        rows: dict[int, int] = {}
        mismatches: list[Mismatch] = []
        unsettled: list[Key] = []
        differed = False
        for target in self._targets:
            found = target.sums(over)
            rows |= {shard: part.rows for shard, part in found.items()}
            if _agree(wanted, found):
                continue
            differed = True
            named_so_far = len(mismatches)
            for small in self._differing(target, over, wanted):
                wrong, moving = self._settle(target, small)
                mismatches += self._named(target, wrong)
                unsettled += moving
            if self._wait is None and len(mismatches) == named_so_far:
                self._expect_agreement(target, over)
        rows_source = sum(part.rows for part in wanted.values())
        return RangeResult(rows_source, rows, differed, tuple(mismatches), tuple(unsettled))

    def expect_rows(self, *, source: int, target: int) -> None:
        """All ranges together held every row that the tables hold. Cannot be asked while the tables are written to."""
        if self._wait is not None:
            return
        for side, seen, there in (
            ("source", source, self.source.count()),
            ("shards", target, sum(end.count() for end in self._targets)),
        ):
            if seen != there:
                raise CouldNotCheck(
                    "SW8506",
                    f"{self._table.logical}: {there:,} rows stand on the {side} but the ranges compared held {seen:,}; "
                    "were the tables written to? Compare again while the stream runs, or with the source at rest",
                )

    def _expect_agreement(self, target: ShardEnd, over: KeyRange) -> None:
        """Sums that differ over keys that do not: written to meanwhile, or a fault of the comparison. Never `equal`."""
        if not _agree(self.source.sums(over), target.sums(over)):
            raise CouldNotCheck(
                "SW8505",
                f"{self._table.logical}: sums of {over} differ but none of its keys does; were the tables written to? "
                "Compare again while the stream runs, or with the source at rest",
            )

    def _differing(self, target: ShardEnd, over: KeyRange, wanted: Mapping[SourceName, Sum]) -> Iterator[KeyRange]:
        """The small ranges within `over` whose sums differ."""
        if over.inner:
            for piece in over.pieces():
                sums = self.source.sums(piece)
                if not _agree(sums, target.sums(piece)):
                    yield from self._differing(target, piece, sums)
            return
        largest = max(wanted, key=lambda name: wanted[name].rows)
        if wanted[largest].rows <= _LISTED_ROWS:
            yield over
            return
        for small in small_ranges(self.source, largest, over):
            if not _agree(self.source.sums(small), target.sums(small)):
                yield small

    def _settle(self, target: ShardEnd, over: KeyRange) -> tuple[Mapping[Key, KeyState], tuple[Key, ...]]:
        """The keys of a small range that are wrong, and those that would not come to rest."""
        suspects = faulty_keys(self.source, target, over)
        if self._wait is None or not suspects:
            return suspects, ()
        wrong: dict[Key, KeyState] = {}
        for _ in range(_LOOKS):
            moving = self._wait()
            now = faulty_keys(self.source, target, over)
            still = {key: now[key] for key in suspects if key in now}
            wrong |= {key: state for key, state in still.items() if not moving or state == suspects[key]}
            suspects = {key: state for key, state in still.items() if key not in wrong}
            if not suspects:
                break
            time.sleep(_PAUSE_SECONDS)
        return wrong, tuple(suspects)

    def _named(self, target: ShardEnd, wrong: Mapping[Key, KeyState]) -> Iterator[Mismatch]:
        for number, (key, state) in enumerate(wrong.items()):
            shown = number < _WITH_VALUES
            columns = differing_columns(self._table, key, state, sessions=self._sessions) if shown else ()
            yield from named(self._table, key, state, target=target, columns=columns)


def _agree(wanted: Mapping[SourceName, Sum], found: Mapping[int, Sum]) -> bool:
    return sum(wanted.values(), Sum()) == sum(found.values(), Sum())
