"""Which servers and tables does the fence of a direction close? Those that applications write to while it is in force.

Used in the driver; opens no connection itself.
"""

from __future__ import annotations

from shardwright.runtime.cutover.fences.fence import Fence, FenceContext, FencedServer
from shardwright.runtime.cutover.fences.open import open_fence
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.failures import Refused


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
