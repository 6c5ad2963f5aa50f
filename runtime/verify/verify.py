"""`verify`: does every shard hold what the source holds, all of it, in the right place, and nothing else?"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan import Plan, TablePlan
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.verify.boundaries import ranges
from shardwright.runtime.verify.compare import RangeResult, TableComparison, WaitCaughtUp
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.result import Mismatch, ShardRows, TableResult, VerifyResult
from shardwright.runtime.verify.sessions import CouldNotCheck, Sessions

_TABLES_A_STEP = 16
_LARGEST_STEPS = 25


@dataclass(frozen=True, slots=True)
class Progress:
    """What one table's comparison has done so far."""

    table: str
    rows: int
    chunks: int
    mismatches: int
    seconds: float


OnProgress = Callable[[Progress], None]


def verify(
    plan: Plan,
    *,
    source: Callable[[str], Connection[Any]],
    shard: Callable[[int], Connection[Any]],
    tables: Sequence[str] | None = None,
    on_progress: OnProgress = lambda progress: None,
    wait_caught_up: WaitCaughtUp | None = None,
    at_rest: Callable[[], bool] = lambda: False,
    workers: int = 4,
) -> VerifyResult:
    """Compare the named logical tables (all by default), `workers` key ranges at a time. While a stream moves rows, `wait_caught_up` and
    `at_rest` (nothing has moved since the comparison began) say what it does; without them nobody writes.

    `source` (of a database) and `shard` open connections with the runtime's session settings; what they raise comes through. A table
    that cannot be compared is part of the result, with its reason, and does not keep the others from being compared.
    Raises RuntimeFailure (SW8504) for a table the plan does not have.
    """
    chosen = _chosen(plan, tables)
    sessions = Sessions(source, shard)
    started = time.monotonic()
    try:
        with ThreadPoolExecutor(workers, thread_name_prefix="verify") as pool:
            results = tuple(
                _TableRun(plan, table, on_progress).run(
                    TableComparison(plan, table, sessions, wait_caught_up=wait_caught_up, at_rest=at_rest),
                    pool,
                    workers=workers,
                )
                for table in chosen
            )
    finally:
        sessions.close()
    return VerifyResult(plan.migration, plan.fingerprint, results, time.monotonic() - started)


class _TableRun:
    """Adds up the ranges of one table."""

    def __init__(self, plan: Plan, table: TablePlan, on_progress: OnProgress) -> None:
        self._plan = plan
        self._table = table
        self._report = on_progress
        self._started = time.monotonic()
        self._rows_source = 0
        self._rows_shards: Counter[int] = Counter()
        self._chunks = 0
        self._differing = 0
        self._mismatches: list[Mismatch] = []
        self._unsettled: list[Key] = []

    def run(self, comparison: TableComparison, pool: ThreadPoolExecutor, *, workers: int) -> TableResult:
        problem = None
        try:
            cut = ranges(comparison.source, steps=_steps(self._plan, self._table))
            for result in _ahead(pool, comparison.compare, cut, window=2 * workers):
                self._add(result)
            comparison.expect_rows(source=self._rows_source, target=sum(self._rows_shards.values()))
        except CouldNotCheck as failure:
            problem = str(failure)
        return self._result(problem)

    def _add(self, result: RangeResult) -> None:
        self._rows_source += result.rows_source
        self._rows_shards.update(result.rows_shards)
        self._chunks += 1
        self._differing += result.differed
        self._mismatches += result.mismatches
        self._unsettled += result.unsettled
        seconds = time.monotonic() - self._started
        self._report(Progress(self._table.logical, self._rows_source, self._chunks, len(self._mismatches), seconds))

    def _result(self, problem: str | None) -> TableResult:
        shards = self._plan.shards(self._table)
        return TableResult(
            table=self._table.logical,
            rows_source=self._rows_source,
            rows_shards=tuple(ShardRows(self._plan.databases[shard], self._rows_shards[shard]) for shard in shards),
            chunks=self._chunks,
            differing_chunks=self._differing,
            mismatches=tuple(self._mismatches),
            unsettled=tuple(self._unsettled),
            problem=problem,
            seconds=time.monotonic() - self._started,
            not_looked_for=self._table.no_mysql_place,
        )


def _ahead(
    pool: ThreadPoolExecutor, work: Callable[[KeyRange], RangeResult], cut: Iterable[KeyRange], *, window: int
) -> Iterator[RangeResult]:
    """Results in order, with at most `window` ranges under way, so that a large table's ranges are never all held."""
    rest = iter(cut)
    waiting: deque[Future[RangeResult]] = deque(pool.submit(work, over) for over in islice(rest, window))
    try:
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(work, over) for over in islice(rest, 1))
    finally:
        for future in waiting:
            future.cancel()


def _steps(plan: Plan, table: TablePlan) -> int:
    """Boundaries a range spans: the more physical tables, the larger the range, or each would be asked for a handful of
    rows at a time."""
    physical = len(plan.shards(table)) * len(plan.parts(table))
    return min(_LARGEST_STEPS, -(-physical // _TABLES_A_STEP))


def _chosen(plan: Plan, names: Sequence[str] | None) -> tuple[TablePlan, ...]:
    known = {table.logical: table for table in plan.tables}
    unknown = [name for name in names or () if name not in known]
    if unknown:
        raise RuntimeFailure("SW8504", f"the plan has no table {unknown[0]}; it has {', '.join(known)}")
    return plan.tables if names is None else tuple(known[name] for name in names)
