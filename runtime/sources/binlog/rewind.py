"""To which earlier place the stream goes back, when a new server lacks transactions that were applied (hazard E5).

Runs in the driver. Pure, except that `find` reads the server.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.origins import GtidGap
from shardwright.runtime.sources.binlog.place import Boundary
from shardwright.runtime.sources.binlog.server_log import ServerLog
from shardwright.runtime.sources.positions.earlier_place import EarlierPlace
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.specs.environment.environment import FailoverSettings

LOST: Final = "SW8134"
UNKNOWN: Final = "SW8166"
LACKING: Final = frozenset({LOST, UNKNOWN})
"""What an operator may allow."""


class WayOn(NamedTuple):
    """What is said where the stream cannot go back: the code, what the server lacks, and what to do."""

    code: str
    lacks: str
    words: str


def way_on_without(lacks: GtidGap, *, tables: Sequence[str], waited: float) -> WayOn:
    """One code for transactions that are known to have changed followed tables, another where that is not known."""
    code = LOST if lacks.changed else UNKNOWN
    compare = (
        f"continue without them with the command below. When the run has caught up, `shardwright verify --report "
        "json=RESULT` names the rows that differ, and `shardwright repair RESULT --delete-extra` brings over the "
        f"source's. shardwright run --allow {code}"
    )
    what = "transactions that were applied already"
    progress = f"and made no progress for {waited:g} s"
    if lacks.changed:
        return WayOn(code, f"lacks {what}: {lacks.harmful}, {progress}", describe_lost_rows(tables, compare))
    return WayOn(
        code,
        f"lacks {what}: {lacks.harmful}, {progress}. Whether they changed followed tables is not known",
        f"If the old server wrote them for itself, as heartbeats and statements of its setup, or if they changed "
        f"nothing of {', '.join(tables)}: {compare}",
    )


def describe_lost_rows(tables: Sequence[str], way_on: str) -> str:
    return f"If they are lost, the targets hold changes of {', '.join(tables)} that no source has: {way_on}"


def rewind(
    log: ServerLog,
    earlier: Sequence[EarlierPlace],
    find: Callable[[LogPosition], Boundary | None],
    way_on: WayOn,
    *,
    settled: FailoverSettings,
) -> tuple[EarlierPlace, Boundary]:
    """The latest of `earlier` (newest first) that `find` finds in the log. Raises Refused, as `way_on` says, when there
    is none, or when the rows that changed since cannot be read again."""
    why = _reason(log, earlier, settled)
    if why is None:
        for place in earlier:
            why = _obstacle(place, settled)
            if why is not None:
                break
            found = find(place.position)
            if found is not None:
                return place, found
        else:
            why = (
                f"what it lacks begins before what the run keeps track of, the last {settled.margin_seconds:g} s of "
                "commit times (failover.margin)"
            )
    raise Refused(
        way_on.code,
        f"{log.endpoint} (server {log.identity}) {way_on.lacks}, and {why}. If it only lags, wait until it has caught "
        f"up and run again. {way_on.words}",
    )


def _reason(log: ServerLog, earlier: Sequence[EarlierPlace], settled: FailoverSettings) -> str | None:
    """Why the stream cannot go back to any place; None when it may."""
    if log.read_only:
        return "it is read-only, as a replica is that lags: only for one that takes writes they count as lost"
    if settled.reread_rows == 0:
        return "rows are not to be read again (failover.reread_rows: 0)"
    if not earlier:
        return (
            "what they changed is not known: the run keeps track of it once the copy is complete and a batch was "
            "applied"
        )
    return None


def _obstacle(place: EarlierPlace, settled: FailoverSettings) -> str | None:
    if place.rows > settled.reread_rows:
        return (
            f"{place.rows} rows changed since {place.position}, and failover.reread_rows allows {settled.reread_rows} "
            "to be read again"
        )
    if place.fixed:
        return f"rows of {', '.join(place.fixed)} changed, which cannot be read again by key"
    return None
