"""To which earlier place the stream goes back, when a new server lacks transactions that were applied (hazard E5).

Runs in the driver. Pure, except that `find` reads the server.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.place import Found
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.binlog.server_log import ServerLog
from shardwright.specs.environment.environment import FailoverSettings
from shardwright.specs.findings.remedies import START_OVER


@dataclass(frozen=True, slots=True)
class EarlierPlace:
    """The position where `batch` began. From it on `rows` rows changed; `fixed` are those of their tables whose rows
    cannot be read again by key."""

    batch: int
    position: LogPosition
    rows: int
    fixed: tuple[str, ...]


def rewind(
    log: ServerLog,
    earlier: Sequence[EarlierPlace],
    find: Callable[[LogPosition], Found | None],
    *,
    lacks: str,
    settled: FailoverSettings,
    tables: Sequence[str],
) -> tuple[EarlierPlace, Found]:
    """The latest of `earlier` (newest first) that `find` finds in the log. Raises Refused (SW8134) when there is none,
    or when the rows that changed since cannot be read again."""
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
        "SW8134",
        f"{log.endpoint} (server {log.identity}) {lacks}, and {why}. If it only lags, wait until it has caught up "
        f"and run again. If they are lost, the targets hold changes of {', '.join(tables)} that no source has: "
        f"{START_OVER}",
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
