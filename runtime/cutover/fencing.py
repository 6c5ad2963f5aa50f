"""Which servers and tables does the fence of a direction close? Those that applications write to while it is in force.
And what would write there in spite of it?

Used in the driver; its checks read the servers.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from shardwright.runtime.cutover.fences.each_server import each_server
from shardwright.runtime.cutover.fences.fence import WOULD_NOT_WORK, Fence, FenceContext, FencedServer
from shardwright.runtime.cutover.fences.open import by_address, open_fence
from shardwright.runtime.cutover.fences.outside_writers import outside_writers
from shardwright.runtime.cutover.fences.trigger_checks import replica_checks
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Check, Fault, judge_faults
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.run.throttle.replica_lag import replicas_of

_WHOLE_SERVER: Final = frozenset({"read_only", "lock_accounts"})


def fence_checks(way: Way, other: Way, generation: int, *, allowed: Collection[str] = ()) -> Iterator[Check]:
    """Would the fence of `way` work, and leave the other side alone? `allowed`: codes that an operator answers for."""
    fence = fence_of(way, generation)
    yield from fence.checks()
    for found in each_server(
        by_address(_servers(way)),
        lambda server, connection: list(outside_writers(connection, server, kind=fence.kind, allowed=allowed)),
    ):
        yield from found
    if fence.kind == "triggers":
        yield from replica_checks(_replicas(way))
    ours = {(endpoint.host, endpoint.port) for endpoint in way.servers.sources.values()}
    shared = [str(found) for found in other.servers.sources.values() if (found.host, found.port) in ours]
    if fence.kind in _WHOLE_SERVER and shared:
        fault = Fault(
            WOULD_NOT_WORK,
            f"{shared[0]} has tables of both sides, and {fence.kind} would stop writes to the {other.side}, too",
            "take the fence triggers, or hook",
        )
        yield from judge_faults("shared server", "", [fault], otherwise="")


def fence_of(way: Way, generation: int) -> Fence:
    """Raises Refused (SW8921) where the environment names none for that side."""
    fences = way.environment.cutover.fence
    setting = fences.source if way.side == "source" else fences.shards
    if setting is None:
        raise Refused(
            "SW8921",
            f"{way.environment.file} does not say how writes to the {way.side} are stopped: add cutover.fence."
            f"{way.side} (docs/how-to/choose-a-fence.md helps to choose)",
        )
    return open_fence(setting, _servers(way), context=FenceContext(way.plan.migration, generation, way.side))


def _servers(way: Way) -> list[FencedServer]:
    return [FencedServer(way.servers.sources[name], tables) for name, tables in way.tables().items()]


def _replicas(way: Way) -> Mapping[str, Endpoint]:
    """The replicas of the fenced servers that the environment names."""
    environment, throttle = way.environment, way.environment.throttle
    of_source = (*throttle.source_replicas, *environment.snapshot.read_from.values())
    return replicas_of(environment, of_source if way.side == "source" else throttle.replicas, os.environ)
