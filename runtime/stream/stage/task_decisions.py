"""Which of a task's rows are decisions to keep, and which of them are staged? All are kept for a while where the spec
has a `flight_recorder`; those that skip a change come to the task for that alone.

Runs in Spark tasks. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from shardwright.runtime.ledger.decisions import DECISION_COLUMNS, DecisionMemory
from shardwright.runtime.mysql.spill import Piece


class TaskDecisions:
    """All that a task was given. `staged` are the pieces without the rows that are skipped."""

    def __init__(self, pieces: Sequence[Piece], memory: DecisionMemory) -> None:
        self.memory = memory
        self._pieces = pieces
        self._logicals = pa.array(sorted(memory.logicals), pa.string())
        self.staged: Sequence[Piece] = [partial(_without_skipped, piece) for piece in pieces]
        self.shards = frozenset(shard for piece in pieces for shard in pc.unique(piece().column("shard")).to_pylist())

    def of(self, shard: int) -> Iterator[pa.Table]:
        """The decisions on one shard that are kept, piece by piece. May be called several times."""
        for piece in self._pieces:
            rows = piece()
            wanted = pc.is_in(rows.column("table"), self._logicals)
            yield rows.filter(pc.and_(wanted, pc.equal(rows.column("shard"), shard))).select(DECISION_COLUMNS)


def _without_skipped(piece: Piece) -> pa.Table:
    rows = piece()
    return rows.filter(pc.not_equal(rows.column("decision"), "skip"))
