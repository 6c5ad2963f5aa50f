"""One logical table compared: sums of key ranges, then, where they differ, the keys by name. What differs while the stream
moves may only be in flight: its keys are looked at again (`settle`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from shardwright.compiler.plan import Plan, TablePlan
from shardwright.runtime.verify.compared_ends import Ends
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.keys import KeyState, differing_columns, named
from shardwright.runtime.verify.narrowing import Narrowing, Sums
from shardwright.runtime.verify.result import Mismatch
from shardwright.runtime.verify.sessions import CouldNotCheck, Sessions
from shardwright.runtime.verify.settle import settle
from shardwright.runtime.verify.shard_end import ShardEnd

WaitCaughtUp = Callable[[], bool]
"""Returns True once the shards hold everything the source had when it was called, False when no more will come."""

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
        self,
        plan: Plan,
        table: TablePlan,
        sessions: Sessions,
        *,
        wait_caught_up: WaitCaughtUp | None,
        at_rest: Callable[[], bool],
        only_shard: int | None = None,
    ) -> None:
        self._table = table
        self._sessions = sessions
        self._wait = wait_caught_up
        self._at_rest = at_rest
        self._ends = Ends(plan, table, sessions, only_shard=only_shard)
        self.source = self._ends.source
        self._targets = self._ends.targets
        self.shards = tuple(shard for end in self._targets for shard in end.shards)

    def compare(self, over: KeyRange) -> RangeResult:
        wanted = self.source.sums(over)
        rows: dict[int, int] = {}
        mismatches: list[Mismatch] = []
        unsettled: list[Key] = []
        differed = False
        for target in self._targets:
            sums = Sums(wanted, target.sums(over))
            rows |= {shard: part.rows for shard, part in sums.found.items()}
            if sums.agree:
                continue
            differed = True
            named_so_far = len(mismatches)
            look = partial(self._ends.faulty, target)
            narrowing = Narrowing(self.source, target)
            suspects = {small: look(small) for small in narrowing.small_ranges(over, sums)}
            wrong, moving = settle(suspects, look, catch_up=self._wait)
            mismatches += self._named(target, wrong)
            unsettled += moving
            if len(mismatches) == named_so_far and self._is_still():
                self._expect_agreement(narrowing, over)
        rows_source = sum(part.rows for part in wanted.values())
        return RangeResult(rows_source, rows, differed, tuple(mismatches), tuple(unsettled))

    def expect_rows(self, *, source: int, target: int) -> None:
        """All ranges together held every row that the tables hold. Cannot be asked while the tables are written to."""
        if not self._is_still() or self._ends.are_partial:
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

    def _is_still(self) -> bool:
        return self._wait is None or self._at_rest()

    def _expect_agreement(self, narrowing: Narrowing, over: KeyRange) -> None:
        """Sums that differ over keys that do not: written to meanwhile, or a fault of the comparison. Never `equal`."""
        if not narrowing.sums(over).agree:
            raise CouldNotCheck(
                "SW8505",
                f"{self._table.logical}: sums of {over} differ but none of its keys does; were the tables written to? "
                "Compare again while the stream runs, or with the source at rest",
            )

    def _named(self, target: ShardEnd, wrong: Mapping[Key, KeyState]) -> Iterator[Mismatch]:
        for number, (key, state) in enumerate(wrong.items()):
            shown = number < _WITH_VALUES
            columns = differing_columns(self._table, key, state, sessions=self._sessions) if shown else ()
            yield from named(self._table, key, state, target=target, columns=columns)
