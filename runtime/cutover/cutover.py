"""What do the steps of a cutover work on? Both directions of the migration, and its record, which says how far it is.

Used in the driver; writes the record in the first shard's ledger, with the audit, and lifts fences.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from pymysql.connections import Connection

from shardwright.runtime.cutover.fences.fence import Fence
from shardwright.runtime.cutover.fencing import fence_of
from shardwright.runtime.cutover.lock import alone
from shardwright.runtime.cutover.ways import Way, Ways
from shardwright.runtime.events.event import Emit, ignore
from shardwright.runtime.failures import StoppedPartWay
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.cutover_state import (
    CutoverState,
    State,
    begin_record,
    read_cutover,
    unix_now,
    write_cutover,
)
from shardwright.runtime.mysql.transactions import in_transaction
from shardwright.specs.direction import Side

_CLOCK_SECONDS: Final = 2.0
"""For so long our own clock counts on from the first shard's."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a cutover may keep writers out, in seconds."""

    max_pause: float
    """From the fence to the switch; it gives up and lifts the fence when that takes longer."""
    drain_timeout: float
    """Open transactions may take so long behind the fence; then they are killed."""


class Comparison(Protocol):
    """What this command has compared (`proof`)."""

    @property
    def last_proof_batch(self) -> int:
        """The last batch of which nothing is left to compare."""

    def prepare(self, current: Way) -> None:
        """While applications write. Raises Refused for rows that differ."""

    def at_the_cut(self, current: Way, *, after: int) -> dict[str, Any]:
        """What was covered, as JSON. Raises Refused for rows that differ."""


@dataclass
class Cutover:
    """One command at a time works with the state of a migration."""

    ways: Ways
    """Both directions, with their servers."""
    limits: Limits
    """What writers are asked to bear."""
    emit: Emit = ignore
    """Reports an event to the operator."""
    state: CutoverState = field(default_factory=CutoverState)
    """As it was last read or written."""
    proof: Comparison = field(init=False)
    """Of a command that may switch."""
    home: Connection[Any] = field(init=False)
    """To the first shard; within `begin`."""
    _asked_at: tuple[float, float] = (float("-inf"), 0.0)
    """When the first shard was asked for its clock, by ours, and what it said."""

    @contextmanager
    def begin(self) -> Iterator[CutoverState]:
        """The state, while no other command changes it. Raises Refused (SW8911) while one is at work."""
        with self.at_home():
            begin_record(self.home, self.ways.migration)
            self.read()
            yield self.state

    @contextmanager
    def at_home(self) -> Iterator[None]:
        """Connected, under the lock of commands. Raises Refused (SW8911)."""
        with closing(self.ways.home()) as self.home, alone(self.home, self.ways.migration):
            yield

    # Its record. All of it is used within `begin`.

    def read(self) -> None:
        self.state = read_cutover(self.home, self.ways.migration)

    def write(self, *, also: Callable[[Connection[Any]], object] = lambda _: None, **changes: Any) -> None:
        """In one transaction with `also`. Raises Refused (SW8912) where another command has written meanwhile."""
        now = replace(self.state, **changes)

        def work(connection: Connection[Any]) -> CutoverState:
            write_cutover(connection, self.ways.migration, self.state, now)
            also(connection)
            return read_cutover(connection, self.ways.migration)

        self.state = in_transaction(self.home, work)

    def enter(self, state: State, **found: Any) -> None:
        self.write(state=state, detail=replace(self.state.detail, **found))

    def remember(self, **found: Any) -> None:
        """Adds to the details of the state, which others read later."""
        self.write(detail=replace(self.state.detail, **found))

    def audit(self, what: str, detail: str) -> None:
        audit(self.home, self.ways.migration, what, detail=detail)

    # The directions, and the fences.

    @property
    def current(self) -> Way:
        return self.ways.way_of_writes(self.state.writes_to)

    @property
    def next_way(self) -> Way:
        return self.ways.other(self.current)

    def fence(self, way: Way) -> Fence:
        return fence_of(way, self.state.generation)

    def lift_fence(self, side: Side) -> None:
        """May be repeated, until `forget_fence`."""
        fence = self.fence(self.ways.way_of_writes(side))
        fence.lift(self.state.fences[side])
        self.audit("fence lifted", f"{side}, {fence.kind}")

    def forget_fence(self, side: Side) -> None:
        self.remember(fences={name: undo for name, undo in self.state.fences.items() if name != side})

    # The pause.

    def pause_seconds(self) -> float:
        """Seconds since the fence began."""
        assert self.state.detail.fenced_at is not None
        at, now = self._asked_at
        if time.monotonic() - at > _CLOCK_SECONDS:
            now, at = unix_now(self.home), time.monotonic()
            self._asked_at = at, now
        return now + time.monotonic() - at - self.state.detail.fenced_at

    def seconds_left(self) -> float:
        """Seconds that writers may still wait."""
        return max(0.0, self.limits.max_pause - self.pause_seconds())

    def require_in_time(self) -> None:
        if self.seconds_left() <= 0:
            raise StoppedPartWay(
                "SW8913",
                f"writers have waited longer than {self.limits.max_pause:g} s, so the fence is lifted again: see which "
                "step took long, or allow more with --max-pause",
            )
