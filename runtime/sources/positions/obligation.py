"""What the next batch owes beside its own events: to reach a place up to which part of the log was applied before, and
to repair rows that were lost with an old server.

Pure. Used in the driver.

An obligation is a value of the position that it begins at, and travels with it: the scan that ends a batch needs both,
and so does every record of a position (the migration's, an open batch's, a recent batch's). Only `LogPosition` sets an
obligation or clears it, and only its `obligation_at` decides when one is fulfilled.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Obligation:
    """What the next batch from a position owes."""

    replay_until: tuple[str, int] | None = None
    """File and offset that the batch must at least reach."""
    repair_from_batch: int | None = None
    """The first batch whose rows must be read again from the server before anything else."""

    def with_replay(self, file: str, offset: int) -> Obligation:
        """This one, and that the next batch reaches this place."""
        return replace(self, replay_until=(file, offset))

    def with_repair(self, batch: int) -> Obligation:
        """This one, and that the rows of `batch` and of all later ones are read again. An earlier batch that is owed
        already counts."""
        known = self.repair_from_batch
        return replace(self, repair_from_batch=batch if known is None else min(batch, known))
