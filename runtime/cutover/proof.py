"""What proves that both sides are equal? A whole `verify`, the changes since then, compared beside the stream, and at
the cut itself what has changed last, with the counts of all tables.

Runs in the driver; reads both sides and the ledger.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, Final

from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.events.compare import ChangesCompared, ComparisonStarted, ComparisonWaits, ProofLine
from shardwright.runtime.events.event import Emit, ignore
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.comparison import Verification
from shardwright.runtime.mysql.check import Check, Fault, judge_faults
from shardwright.runtime.mysql.check import Verdict as Pass
from shardwright.runtime.verify.barrier import ReplicationBarrier, open_barrier
from shardwright.runtime.verify.coverage import Coverage
from shardwright.runtime.verify.final import compare_at_the_cut, compare_changes, gate
from shardwright.runtime.verify.report import as_text
from shardwright.runtime.verify.result import Verdict, VerifyResult
from shardwright.runtime.verify.table_sizes import estimate_sides

_FEW_ROWS: Final = 5_000
"""So few are compared within the pause, which takes some tenths of a second."""
_AT_MOST: Final = 5
"""Comparisons beside the stream: each has less to do than the one before, unless much is written."""
_PATIENCE: Final = 30.0
_REPORT_EVERY: Final = 5.0


@dataclass
class Proof:
    """Of one cutover. A command that goes on where another one was killed has prepared nothing, and compares more at
    the cut."""

    emit: Emit = ignore
    _compared: int | None = None
    """The last batch whose changes were compared beside the stream."""
    _first: int = 0
    """The last batch before the whole comparison."""
    _beside: list[VerifyResult] = field(default_factory=list)
    _estimates: dict[str, int] | None = None

    @property
    def last_proof_batch(self) -> int:
        """The last batch of which nothing is left to compare, for a command that goes on after this one."""
        doubtful = any(table.still_changing for result in self._beside for table in result.tables)
        return self._first if self._compared is None or doubtful else self._compared

    def checks(self, current: Way) -> Iterator[Check]:
        """Is there a comparison to start from?"""
        found = self._require_verified(current)
        if isinstance(found, str):
            yield from judge_faults("verify", "", [Fault("SW8924", found, "")], otherwise="")
            return
        self._first = found.first_batch
        yield Check("verify", "", Pass.OK, f"all tables were equal {found.age / 3600:.1f} hours ago")

    def prepare(self, current: Way) -> None:
        """Compares what has changed since the whole comparison, so that little is left for the cut. Raises Refused
        (SW8925) for rows that differ."""
        self._estimates = dict(estimate_sides(current.plan, current.servers))
        beside = open_barrier(current.plan, current.servers, current.environment, patience=_PATIENCE)
        assert beside is not None  # the gates have seen a run
        self._compared = self._first
        for _ in range(_AT_MOST):
            before = self._compared
            self.emit(ComparisonStarted(before))
            result, self._compared = self._compare(current, before, beside)
            self._beside.append(result)
            self.emit(ChangesCompared(result.rows_compared, before + 1, self._compared, result.in_words))
            if any(table.verdict is Verdict.DIFFERENT for table in result.tables):
                raise Refused("SW8925", f"rows differ, so nothing was switched:\n{as_text(result)}")
            if result.rows_compared <= _FEW_ROWS:
                return

    def _compare(self, current: Way, after: int, beside: ReplicationBarrier) -> tuple[VerifyResult, int]:
        """Says every few seconds that it is at work."""
        began = time.monotonic()
        with ThreadPoolExecutor(1, thread_name_prefix="beside") as pool:
            comparing = pool.submit(compare_changes, current.plan, current.servers, after=after, moving=beside)
            while not wait([comparing], timeout=_REPORT_EVERY).done:
                self.emit(ComparisonWaits(time.monotonic() - began))
            return comparing.result()

    def at_the_cut(self, current: Way, *, after: int) -> dict[str, Any]:
        """What was covered, as JSON. `after` counts where this command has prepared nothing. Raises Refused (SW8925)
        for rows that differ, or that could not be compared."""
        found = compare_at_the_cut(
            current.plan,
            current.servers,
            after=after if self._compared is None else self._compared,
            beside=self._combine_results(),
            estimates=self._estimates,
            sources=current.sources,
            kept=current.ledgers,
        )
        if found.verdict is not Verdict.EQUAL:
            raise Refused("SW8925", "both sides are not proved equal, so nothing was switched:\n" + _text(found))
        for line in found.as_lines():
            self.emit(ProofLine(line))
        return {**found.as_json(), "summary": f"{sum(found.at_the_cut.values()):,} rows compared at the cut, all equal"}

    def _require_verified(self, current: Way) -> Verification | str:
        with closing(current.control()) as control:
            return gate(
                current.plan, control, current.sources, within=current.environment.cutover.verified_within_seconds
            )

    def _combine_results(self) -> VerifyResult | None:
        if not self._beside:
            return None
        return replace(self._beside[-1], tables=tuple(table for result in self._beside for table in result.tables))


def _text(found: Coverage) -> str:
    return "\n".join(found.as_lines())
