"""How does one direction end and the other one begin, without a batch in between, and how is that taken back?

Runs in the driver; writes to the ledgers of both directions.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.cutover.fences.outside_writers import replication_sources
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused, StoppedPartWay
from shardwright.runtime.ledger.batches import read_migration, read_open_batch
from shardwright.runtime.ledger.cutover import live_directions, make_live
from shardwright.runtime.ledger.dead_letters import count_quarantined
from shardwright.runtime.ledger.fencing import seize
from shardwright.runtime.ledger.members import last_batch_with_work
from shardwright.runtime.ledger.takeover import cutover_name, end_runs, take_over_everywhere
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.transactions import if_there, in_transaction
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import has_reached

_SOON: Final = 0.02


def end_stream(way: Way, *, behind: StreamPosition, applied: int, within: float) -> None:
    """The stream of `way` ends for good, with no batch open, behind `behind`. Its run notices at its next transaction.
    May be repeated.

    Raises Refused (SW8914) where a batch after `applied` has changed rows: somebody still writes. Raises StoppedPartWay
    (SW8913) where the stream does not get there within so many seconds.
    """
    plan, until = way.plan, time.monotonic() + within
    other = plan.direction.opposite
    with way.ledgers.at(0) as control:

        def end(connection: Connection[Any]) -> bool:
            seize(connection, role="data", owner=cutover_name())
            if plan.direction not in live_directions(connection, plan.migration):
                return True
            state = read_migration(connection, plan.migration)
            assert state is not None
            _require_none_late(connection, way, applied)
            if read_open_batch(connection, plan.migration) is not None:
                raise _NotYet
            if not has_reached(way.sources, state.position, behind):
                raise _NotYet
            make_live(connection, plan.migration, {other})
            return True

        failpoint("before-stream-ends")
        while True:
            try:
                in_transaction(control, end)
                break
            except _NotYet:
                if time.monotonic() > until:
                    raise StoppedPartWay("SW8913", f"the stream has not passed {behind} in time") from None
                time.sleep(_SOON)
    failpoint("after-stream-ends")
    end_runs(way.ledgers, role="data", owner=cutover_name())


class _NotYet(Exception):
    """Rolls a transaction back."""


def _require_none_late(connection: Connection[Any], way: Way, applied: int) -> None:
    migration = way.plan.migration
    last, held = last_batch_with_work(connection, migration), count_quarantined(connection, migration)
    if held:
        raise Refused("SW8919", f"{held} rows became dead letters meanwhile: `shardwright dead-letters list`")
    if last > applied:
        raise Refused(
            "SW8914",
            f"rows of {migration} were changed behind the fence (batch {last}): {'; '.join(_find_bypasses(way))}",
        )


def _find_bypasses(way: Way) -> Sequence[str]:
    """Who may have changed rows behind the fence, in words."""
    found = []
    for endpoint in dict.fromkeys(way.servers.sources.values()):
        with closing(connect(endpoint)) as connection:
            found += [
                f"replication runs on {endpoint}, which applies the rows of {origin}: stop the writers there, or the "
                "replication"
                for origin in replication_sources(connection)
            ]
    return found or [
        "some client passes it. Find it in the server's process list, or choose a fence that stops it "
        "(docs/how-to/choose-a-fence.md)"
    ]


def take_back(current: Way, following: Way) -> None:
    """As before `arm` and `end_stream`: `current` is in force, in both ledgers, and runs of `following` end. May be
    repeated."""
    failpoint("before-take-back")
    with closing(current.control()) as control:
        in_transaction(control, lambda c: make_live(c, current.plan.migration, {current.plan.direction}))
    failpoint("after-take-back")
    if _has_ledger(following):
        with closing(following.control()) as control:
            in_transaction(control, lambda c: make_live(c, current.plan.migration, {current.plan.direction}))
        take_over_everywhere(following.servers, role="data", owner=cutover_name())


def _has_ledger(way: Way) -> bool:
    """Before the first cutover there is no database for the ledger of the way back."""
    try:
        with closing(way.control()) as control:
            return if_there(lambda: read_migration(control, way.plan.migration)) is not None
    except Refused as failure:
        if failure.code not in ("SW8102", "SW8103"):
            raise
        return False
