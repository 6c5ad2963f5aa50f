"""What the next batch owes beside its own events: to reach a place up to which part of the log was applied before, and
to repair rows that were lost with an old server. The only module that sets an obligation or clears it.

Pure. Used in the driver.

An obligation is a value of the position that it begins at, and travels with it: the scan that ends a batch needs both,
and so does every record of a position (the migration's, an open batch's, a recent batch's). Only `after` decides when
one is fulfilled.
"""

from __future__ import annotations

from dataclasses import replace

from shardwright.runtime.sources.binlog.position import LogPosition, Obligation


def must_replay(start: LogPosition, *, until: LogPosition) -> LogPosition:
    """`start`, from where the next batch must at least reach `until`, because part of what is between them may have
    been applied. One batch for all of it, so that no reader sees a row travel back."""
    return replace(start, owed=replace(start.owed, replay_until=(until.file, until.offset)))


def must_repair(start: LogPosition, *, batch: int) -> LogPosition:
    """`start`, before whose next batch the rows of `batch` and of all later ones must be read again from the server,
    because some of them were lost with the old one. An earlier batch that is owed already counts."""
    known = start.owed.repair_from_batch
    first = batch if known is None else min(batch, known)
    return replace(start, owed=replace(start.owed, repair_from_batch=first))


def replay_end(start: LogPosition) -> LogPosition | None:
    """The place that the next batch from `start` must at least reach; None where any boundary will do."""
    owed = start.owed.replay_until
    return None if owed is None else LogPosition(*owed, epoch=start.epoch)


def after(start: LogPosition, place: LogPosition) -> Obligation:
    """What is still owed at `place`, a boundary behind `start`. Rows are repaired before the first batch from `start`;
    a replay is owed until a batch has reached its end."""
    end = replay_end(start)
    fulfilled = end is None or replace(place, epoch=start.epoch) >= end
    return Obligation() if fulfilled else Obligation(replay_until=start.owed.replay_until)


def fulfilled(position: LogPosition) -> LogPosition:
    """`position` with nothing owed."""
    return replace(position, owed=Obligation())
