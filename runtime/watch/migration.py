"""What does an observer of a migration need? Both directions with their plans and servers.

Used in the process of the command; resolves secrets, connects to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.mysql.servers import servers_of
from shardwright.specs.direction import Direction
from shardwright.specs.environment.environment import Environment

_CONNECT_SECONDS: Final = 5.0
_ANSWER_SECONDS: Final = 15.0
"""A server that takes longer counts as one that does not answer."""


@dataclass(frozen=True, slots=True)
class Migration:
    """`backward` is None where the plan has no way back."""

    forward: Way
    backward: Way | None

    @property
    def name(self) -> str:
        return self.forward.plan.migration

    def way(self, direction: Direction) -> Way:
        """A direction that the plan lacks is never in force."""
        return self.backward if direction.reads_shards and self.backward is not None else self.forward


def migration_of(plan: Plan, backward: Plan | None, environment: Environment, environ: Mapping[str, str]) -> Migration:
    """The migration of a plan and its backward plan. Its servers are waited for some seconds only. Raises what
    `servers_of` raises."""
    network = replace(
        environment.network,
        connect_seconds=min(_CONNECT_SECONDS, environment.network.connect_seconds),
        answer_seconds=min(_ANSWER_SECONDS, environment.network.answer_seconds),
    )
    environment = replace(environment, network=network)

    def way(plan: Plan) -> Way:
        return Way(plan, servers_of(environment, plan, environ), environment)

    return Migration(way(plan), None if backward is None else way(backward))
