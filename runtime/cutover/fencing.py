"""Which servers and tables does the fence of a direction close? Those that applications write to while it is in force.

Used in the driver; its checks read the servers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shardwright.runtime.cutover.fences.fence import WOULD_NOT_WORK, Fence, FenceContext, FencedServer
from shardwright.runtime.cutover.fences.open import open_fence
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Check, Fault, judged

_WHOLE_SERVER: Final = frozenset({"read_only", "lock_accounts"})


def fence_checks(way: Way, other: Way, generation: int) -> Iterator[Check]:
    """Would the fence of `way` work, and leave the other side alone?"""
    fence = fence_of(way, generation)
    yield from fence.checks()
    ours = {(endpoint.host, endpoint.port) for endpoint in way.servers.sources.values()}
    shared = [str(found) for found in other.servers.sources.values() if (found.host, found.port) in ours]
    if fence.kind in _WHOLE_SERVER and shared:
        fault = Fault(
            WOULD_NOT_WORK,
            f"{shared[0]} has tables of both sides, and {fence.kind} would stop writes to the {other.side}, too",
            "take the fence triggers, or hook",
        )
        yield from judged("shared server", "", [fault], otherwise="")


def fence_of(way: Way, generation: int) -> Fence:
    """Raises Refused (SW8921) where the environment names none for that side."""
    fences = way.environment.cutover.fence
    setting = fences.source if way.side == "source" else fences.shards
    if setting is None:
        raise Refused(
            "SW8921",
            f"{way.environment.file} does not say how writes to the {way.side} are stopped: add cutover.fence."
            f"{way.side} (docs/cutover.md helps to choose)",
        )
    servers = [FencedServer(way.servers.sources[name], tables) for name, tables in way.tables().items()]
    return open_fence(setting, servers, context=FenceContext(way.plan.migration, generation, way.side))
