"""A whole comparison that finds both sides equal is recorded in the ledger: a cutover starts its proof there.

Runs in the driver; writes the record to the first shard. A comparison succeeds also where it cannot be recorded, as
with an account that may only read: then a line says so.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.events.compare import ComparisonNotRecorded
from shardwright.runtime.events.event import Emit
from shardwright.runtime.ledger.batches import read_migration
from shardwright.runtime.ledger.comparison import begin_record, give_up_record, record_verified, void_verified
from shardwright.runtime.mysql.md5_component import error_text
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.sources.source import Sources
from shardwright.runtime.verify.result import Verdict, VerifyResult


@dataclass
class Recording:
    """Enter it before the comparison reads anything. Differences void an earlier record, whatever was compared."""

    plan: Plan
    """What is compared."""
    servers: Servers
    """Where the ledger is, on the first shard."""
    whole: bool
    """All rows of all tables are compared, and the invariants where the plan has some."""
    emit: Emit
    """Gets the event that says why a comparison is not recorded."""
    sources: Sources = ()
    """The stream's sources, which know how far the copy's end is."""
    _comparison: str | None = None
    _why_not: str = ""

    def __enter__(self) -> Recording:
        if self.whole:
            self._write(self._begin)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        comparison = self._comparison
        if comparison is not None:
            self._comparison = None
            self._write(lambda control: give_up_record(control, self.plan.migration, comparison))

    def record_end(self, result: VerifyResult) -> None:
        if result.verdict is Verdict.DIFFERENT:
            self._write(self._void)
        elif result.verdict is Verdict.EQUAL and self._comparison is not None:
            self._write(lambda control: self._record(control, result.rows_compared))
        elif result.verdict is Verdict.EQUAL and self._why_not:
            self.emit(ComparisonNotRecorded(self._why_not))

    def _begin(self, control: Connection[Any]) -> None:
        state = read_migration(control, self.plan.migration)
        if state is None or state.is_copying(self.sources):  # chunks change rows beside the batches
            self._why_not = "rows were still being copied when it began. `shardwright verify` again"
        elif state.fingerprint != self.plan.fingerprint:
            self._why_not = f"the migration runs with plan {state.fingerprint}, which does not answer for this one"
        else:
            self._comparison = begin_record(control, self.plan.migration, fingerprint=self.plan.fingerprint)

    def _record(self, control: Connection[Any], rows: int) -> None:
        comparison, self._comparison = self._comparison, None
        assert comparison is not None
        void = record_verified(control, self.plan.migration, comparison, rows=rows)
        if void:
            self.emit(ComparisonNotRecorded(f"{void}. `shardwright verify` again"))

    def _void(self, control: Connection[Any]) -> None:
        void_verified(control, self.plan.migration, why="a later comparison found differences")

    def _write(self, work: Callable[[Connection[Any]], None]) -> None:
        try:
            with closing(self.servers.connect_shard(0)) as control:
                work(control)
        except pymysql.err.MySQLError as error:
            self.emit(ComparisonNotRecorded(error_text(error, "")))
