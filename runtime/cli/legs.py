"""The directions of a migration, each with its plan and servers.

Runs in the process of the command; asks the first shard which of them is in force.
"""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.runtime.cli.connecting import Deployment
from shardwright.runtime.history.leg import Leg


def read_legs(deployed: Deployment) -> Iterator[Leg]:
    """The forward direction first, then the way back where the plan has one."""
    live = deployed.live_directions()
    yield Leg(deployed.plan, deployed.servers, deployed.environment, deployed.plan.direction in live)
    if back := deployed.find_way_back():
        yield Leg(back.plan, back.servers, back.environment, back.plan.direction in live)
