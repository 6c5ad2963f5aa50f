"""How is one logical table compared, from its first range to its result?

Runs in the driver, in threads; reads both sides, and keeps its progress in the given state.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Final

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.verify.boundaries import ranges
from shardwright.runtime.verify.checkpoint import TableCheckpoint
from shardwright.runtime.verify.compare import RangeResult, TableComparison
from shardwright.runtime.verify.key_range import KeyRange
from shardwright.runtime.verify.result import Mismatch, ShardRows, TableResult, columns_not_compared
from shardwright.runtime.verify.sample import Sample, Sampling, sample_of

_TABLES_A_STEP = 4
_LARGEST_STEPS = 25
_KEPT: Final = 100_000
"""A shard may have lost all of its rows."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What one table's comparison has done so far."""

    table: str
    rows: int
    chunks: int
    mismatches: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Manner:
    """How ranges are compared."""

    workers: int = 4
    """Ranges at a time."""
    pause: float = 0.0
    """Seconds that each worker rests after a range."""
    sampling: Sampling | None = None
    """None: all ranges are compared."""
    wait: Callable[[], object] = lambda: None
    """Returns when the servers are free for the next range."""
    found: Callable[[Sequence[Mismatch]], None] | None = None
    """Gets the mismatches of each range, with the values of every row; None: values are read of some, for display."""
    ranges: Callable[[str, RangeResult], None] = lambda table, result: None
    """Gets the name of the table and the result of each range, in the order of ranges."""
    kept: int = _KEPT
    """So many mismatches of each table are in the result; more are counted."""


class TableRun:
    """Adds up the ranges of one table in its `state`, behind those that the state has already. `on_progress` is called
    after each range, once the state has it."""

    def __init__(
        self,
        plan: Plan,
        table: TablePlan,
        manner: Manner,
        state: TableCheckpoint,
        on_progress: Callable[[Progress], None],
    ) -> None:
        self._plan = plan
        self._table = table
        self._manner = manner
        self._state = state
        self._report = on_progress
        self._resumed = state.has_begun
        self._earlier = state.seconds
        self._started = time.monotonic()

    def run(self, comparison: TableComparison, pool: ThreadPoolExecutor) -> TableResult:
        problem, sample = None, None
        try:
            if not self._state.done:
                sample = self._compare(comparison, pool)
            if sample is None and not self._resumed:
                comparison.expect_rows(source=self._state.rows_source, target=sum(self._state.rows_shards.values()))
        except CouldNotCheck as failure:
            problem = str(failure)
        return self._result(problem, sample, comparison.shards)

    def _compare(self, comparison: TableComparison, pool: ThreadPoolExecutor) -> Sample | None:
        cut: Iterable[KeyRange] = ranges(comparison.source, steps=_steps(self._plan, self._table), low=self._state.high)
        sample = None
        if self._manner.sampling is not None:
            everything = list(cut)
            cut = self._manner.sampling.choose(everything)
            sample = sample_of(self._manner.sampling, compared=len(cut), of=len(everything))

        def compare(over: KeyRange) -> tuple[KeyRange, RangeResult]:
            self._manner.wait()
            result = comparison.compare(over)
            time.sleep(self._manner.pause)
            return over, result

        for over, result in _ahead(pool, compare, cut, window=2 * self._manner.workers):
            self._add(over, result)
        self._state.done = True
        return sample

    def _add(self, over: KeyRange, result: RangeResult) -> None:
        state = self._state
        self._manner.ranges(self._table.logical, result)
        state.high = over.high
        state.rows_source += result.rows_source
        for shard, rows in result.rows_shards.items():
            state.rows_shards[shard] = state.rows_shards.get(shard, 0) + rows
        state.chunks += 1
        state.differing_chunks += result.differed
        if self._manner.found is not None:
            self._manner.found(result.mismatches)
        listed = result.mismatches[: max(0, self._manner.kept - len(state.mismatches))]
        state.mismatches += listed
        state.not_listed += len(result.mismatches) - len(listed)
        state.still_changing += result.still_changing
        state.seconds = self._earlier + time.monotonic() - self._started
        self._report(
            Progress(
                self._table.logical,
                state.rows_source,
                state.chunks,
                len(state.mismatches) + state.not_listed,
                state.seconds,
            )
        )

    def _result(self, problem: str | None, sample: Sample | None, shards: Sequence[int]) -> TableResult:
        state = self._state
        return TableResult(
            table=self._table.logical,
            rows_source=state.rows_source,
            rows_shards=tuple(
                ShardRows(self._plan.databases[shard], state.rows_shards.get(shard, 0)) for shard in shards
            ),
            chunks=state.chunks,
            differing_chunks=state.differing_chunks,
            mismatches=tuple(state.mismatches),
            still_changing=tuple(state.still_changing),
            problem=problem,
            seconds=self._earlier + time.monotonic() - self._started,
            not_looked_for=self._table.placement.no_mysql,
            sample=sample,
            copies=len(self._table.placement.groups(shards)),
            not_compared=columns_not_compared(self._table),
            not_listed=state.not_listed,
        )


def _ahead(
    pool: ThreadPoolExecutor,
    work: Callable[[KeyRange], tuple[KeyRange, RangeResult]],
    cut: Iterable[KeyRange],
    *,
    window: int,
) -> Iterator[tuple[KeyRange, RangeResult]]:
    """Results in order, with at most `window` ranges in progress, so that a large table's ranges are never all in
    memory."""
    rest = iter(cut)
    waiting: deque[Future[tuple[KeyRange, RangeResult]]] = deque(
        pool.submit(work, over) for over in islice(rest, window)
    )
    try:
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(work, over) for over in islice(rest, 1))
    finally:
        for future in waiting:
            future.cancel()


def _steps(plan: Plan, table: TablePlan) -> int:
    """How many boundaries a range spans. The more physical tables, the larger the range, or each of them would be asked
    for a handful of rows at a time."""
    physical = len(plan.shards(table)) * len(plan.parts(table))
    return min(_LARGEST_STEPS, -(-physical // _TABLES_A_STEP))
