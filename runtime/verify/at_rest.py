"""What do both sides hold while nobody writes? All tables and servers are asked at the same time.

Runs in the driver, in threads; reads source servers and shards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.verify.answers import RowHash, combine
from shardwright.runtime.verify.coverage import CountedTable
from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.keys import KeyState, Naming
from shardwright.runtime.verify.result import Mismatch
from shardwright.runtime.verify.sessions import Sessions
from shardwright.runtime.verify.shard_end import ShardEnd, shard_ends
from shardwright.runtime.verify.source_end import SourceEnd

_KEYS_AT_ONCE = 1_000
Asked = Future[Mapping[Key, tuple[RowHash, ...]]]


@dataclass(frozen=True, slots=True)
class AtRest:
    """Asks both sides of all tables. What a method returns waits for the answers, and raises CouldNotCheck."""

    plan: Plan
    sessions: Sessions
    pool: ThreadPoolExecutor

    def faults(self, keys: Mapping[str, Sequence[Key]]) -> list[Callable[[], list[Mismatch]]]:
        """`keys`: logical table -> the keys that are read. Each function returns what is wrong with some of them."""
        return [
            self._compare_keys(table, some[start : start + _KEYS_AT_ONCE])
            for table in self.plan.tables
            for some in [keys.get(table.logical, ())]
            for start in range(0, len(some), _KEYS_AT_ONCE)
        ]

    def counts(self, tables: Sequence[TablePlan]) -> list[Callable[[], CountedTable]]:
        """Each function returns the rows of one of `tables`."""
        return [self._count(table) for table in tables]

    def _compare_keys(self, table: TablePlan, keys: Sequence[Key]) -> Callable[[], list[Mismatch]]:
        source = SourceEnd(self.plan, table, self.sessions)
        wanted = [self.pool.submit(source.keys_in, name, keys) for name in table.sources]
        found = [
            (end, [self.pool.submit(end.keys_on, shard, keys) for shard in end.shards])
            for end in shard_ends(self.plan, table, self.sessions)
        ]
        return lambda: [
            mismatch for end, answers in found for mismatch in self._wrong(table, source, end, wanted, answers)
        ]

    def _wrong(
        self, table: TablePlan, source: SourceEnd, end: ShardEnd, wanted: Sequence[Asked], answers: Sequence[Asked]
    ) -> Iterator[Mismatch]:
        left, right = (combine(one.result() for one in some) for some in (wanted, answers))
        naming = Naming(table, source, end, self.sessions)
        for key in {**left, **right}:
            state = KeyState(left.get(key, ()), right.get(key, ()))
            if state.fault is not None:
                yield from naming.mismatches(key, state)

    def _count(self, table: TablePlan) -> Callable[[], CountedTable]:
        source = SourceEnd(self.plan, table, self.sessions)
        followed = [self.pool.submit(source.count_in, name) for name in table.sources]
        copies = {
            self._name_of(end): [
                self.pool.submit(end.count_in, shard, suffix) for shard in end.shards for suffix in end.suffixes
            ]
            for end in shard_ends(self.plan, table, self.sessions)
        }
        return partial(_add_up, table.logical, followed, copies)

    def _name_of(self, end: ShardEnd) -> str:
        if len(end.shards) == 1:
            return self.plan.databases[end.shards[0]]
        return self.plan.direction.write_side


def _add_up(logical: str, followed: Sequence[Future[int]], copies: Mapping[str, Sequence[Future[int]]]) -> CountedTable:
    rows = {place: sum(one.result() for one in some) for place, some in copies.items()}
    return CountedTable(logical, sum(one.result() for one in followed), rows)
