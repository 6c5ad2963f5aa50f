"""What is a fence? It stops users' writes on all servers of one side, and can be removed without a trace.

Pure: the interface of the kinds of fences. Used in the driver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Check
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.specs.direction import Side

Undo = Sequence[Mapping[str, Any]]
"""What `Fence.before` has found, one item for each server."""

WOULD_NOT_WORK = "SW8901"
NOT_ALL_WRITES = "SW8902"
STILL_OPEN = "SW8903"
OTHER_RECORD = "SW8904"
FAILED = "SW8905"


@dataclass(frozen=True, slots=True)
class FencedServer:
    """One server of the side, and what the migration has on it."""

    endpoint: Endpoint
    """Connects as our account, which the fence lets pass."""
    tables: Mapping[str, tuple[str, ...]]
    """Database -> the migration's physical tables in it."""

    @property
    def name(self) -> str:
        """How records and messages call the server."""
        return str(self.endpoint)


@dataclass(frozen=True, slots=True)
class FenceContext:
    """For whom a fence is set. Hooks get it as JSON; the names and the message of triggers have the migration."""

    migration: str
    generation: int
    side: Side


class Fence(Protocol):
    """All servers of the side are changed at the same time, because users wait meanwhile. Each method raises
    RuntimeFailure when a server cannot be reached or refuses, after all servers have been tried."""

    @property
    def kind(self) -> str:
        """As the environment and the records call it."""

    def checks(self) -> list[Check]:
        """Would it work? Changes nothing. Looks at our privileges, and at what would write in spite of the fence."""

    def before(self) -> list[dict[str, Any]]:
        """What is there now, as JSON, one item for each server. Changes nothing. The caller stores it durably before it
        calls `set`."""

    def set(self, undo: Undo, *, drain_timeout: float) -> None:
        """Idempotent, also after an earlier call that was killed. Returns when no transaction of a user is open that
        could still write the tables. Connections whose transactions are open after `drain_timeout` seconds are
        killed."""

    def in_force(self, undo: Undo) -> dict[str, bool]:
        """Server -> whether the fence is in force there. Changes nothing."""

    def lift(self, undo: Undo) -> None:
        """Leaves exactly what `before` found. Idempotent, also in another process after one that was killed while it
        set or lifted the fence."""


def item_of(undo: Undo, kind: str, server: str) -> Mapping[str, Any]:
    """The server's item of a record. Raises Refused (SW8904) when the record is of another kind, or has no such
    server."""
    for item in undo:
        if item.get("server") == server and item.get("kind") == kind:
            return item
    found = ", ".join(f"{item.get('kind')} on {item.get('server')}" for item in undo) or "nothing"
    raise Refused(
        OTHER_RECORD,
        f"the fence '{kind}' has no record for {server} (recorded: {found}): give the environment the fence and the "
        "addresses that it had when the fence was set, until the fence is lifted",
    )
