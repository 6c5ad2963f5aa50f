"""What all parts of a run share: plan, servers, control connection and fencing token.

Used in the driver. A run makes it once, after its takeover.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.events.event import Emit, ignore
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.mysql.servers import Servers

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class RunContext:
    plan: Plan
    """Of the direction that the run goes in."""
    servers: Servers
    """The sources and the shards of that direction."""
    control: Connection[Any]
    """To the first shard, which has the migration's ledger. Only one thread may use it at a time."""
    writer: Writer
    """The run's role and fencing token: all writes to shards and ledgers go through it."""
    emit: Emit = ignore
    """Reports an event to the operator."""
    both_ways: bool = False
    """Whether the other direction is live, too."""

    @property
    def in_rounds(self) -> bool:
        """Whether both sides write all rows now: a row that a server refuses is a conflict then."""
        return self.both_ways and self.plan.both_write

    @property
    def migration(self) -> str:
        return self.plan.migration

    def transaction(self, work: Callable[[Connection[Any]], Result]) -> Result:
        """A fenced transaction on the first shard. Raises Refused (SW8201) when a newer run took over."""
        return self.writer.transaction(self.control, work)
