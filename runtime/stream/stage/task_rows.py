"""The rows that one task stages, by shard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.ledger.stage_rows import Share, Summary, add_counts, shares
from shardwright.runtime.mysql.spill import Piece


class TaskRows:
    """`summaries` say what there is for each shard. One piece stays in memory as it has been put in order; several are read and put in
    order again for each shard."""

    def __init__(self, pieces: Sequence[Piece], tables: Mapping[str, TablePlan]) -> None:
        self._pieces = pieces
        self._tables = tables
        self._only = dict(shares(pieces[0](), tables)) if len(pieces) == 1 else None
        found: dict[int, Summary] = {}
        for shard, share in self._all():
            add_counts(found.setdefault(shard, {}), share)
        self.summaries: Mapping[int, Summary] = {shard: found[shard] for shard in sorted(found)}

    def of(self, shard: int) -> Iterator[Share]:
        """As often as it is asked for. A table comes once for each piece that has rows of it."""
        if self._only is not None:
            return iter(self._only[shard])
        return (share for other, share in self._all() if other == shard)

    def _all(self) -> Iterator[tuple[int, Share]]:
        each = (
            [self._only.items()]
            if self._only is not None
            else (shares(piece(), self._tables) for piece in self._pieces)
        )
        for found in each:
            for shard, some in found:
                for share in some:
                    yield shard, share
