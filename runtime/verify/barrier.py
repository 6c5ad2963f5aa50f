"""How far are the shards while the stream runs, and when do they have what the source had a moment ago?

Runs in the driver; reads the first shard's ledger, the remembered keys of all shards, and the current positions of the
sources. Waits.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final, Protocol

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.events.compare import ShardsAwaited
from shardwright.runtime.events.event import Emit, ignore
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.ledger.batches import MigrationState, read_migration
from shardwright.runtime.ledger.ddl_lock import find_blocking_ddl
from shardwright.runtime.ledger.fencing import is_alive
from shardwright.runtime.ledger.recent_batches import read_recent
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import if_there
from shardwright.runtime.sources.open import open_sources
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import Sources, has_reached, head_position, sources_at
from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.keys import read_key_states
from shardwright.runtime.verify.shard_end import ShardEnd
from shardwright.runtime.verify.source_end import SourceEnd
from shardwright.specs.environment.environment import Environment


class Moving(Protocol):
    """What a comparison asks about a stream that runs. Several threads may call it; each method raises CouldNotCheck
    where there is no answer."""

    def catch_up(self) -> None:
        """Returns once the shards hold everything that the source had when it was called."""

    def at_rest(self) -> bool:
        """Whether the shards had everything when the comparison began and no event has come at the source since: then
        what is compared did not move."""

    def last_batch(self) -> int:
        """The last batch that all shards have."""

    def keys_changed_since(self, batch: int, logical: str) -> Collection[Key] | None:
        """The keys of the rows that later batches changed, as the log spells them; None when not all of them are
        known."""


class MovingStream(Moving, Protocol):
    """The same with where changes are read."""

    @property
    def sources(self) -> Sources: ...


@dataclass(frozen=True, slots=True)
class Watch:
    """`Moving` for the rows of one table on one side."""

    catch_up: Callable[[], None]
    last_batch: Callable[[], int]
    changed_since: Callable[[int], Collection[Key] | None]
    """Spells keys as the side's servers do."""


def watch(moving: Moving | None, table: TablePlan, source: SourceEnd, target: ShardEnd) -> Watch | None:
    """None where nothing has moved. Called after the rows that it is about were read."""
    if moving is None or moving.at_rest():
        return None
    same_everywhere = all(column.type.is_integer for column in table.key_columns)

    def keys_changed_since(batch: int) -> Collection[Key] | None:
        keys = moving.keys_changed_since(batch, table.logical)
        if not keys or same_everywhere:
            return keys
        return {*keys, *read_key_states(source, target, tuple(keys))}

    return Watch(moving.catch_up, moving.last_batch, keys_changed_since)


_LOOK_EVERY: Final = 0.25
_SAY_EVERY: Final = 5.0


@dataclass
class ReplicationBarrier:
    """How far the source and the shards are. Several threads may use it."""

    plan: Plan
    """The compiled plan of the migration."""
    servers: Servers
    """The addresses of source servers and shards."""
    sources: Sources
    """The stream's sources, which are asked for their current positions."""
    patience: float
    """Seconds in which a run has to do something (see `_progress`) while the shards are behind."""
    began_at: StreamPosition
    """The shards' position just before the comparison began, as far as all shards had it."""
    now: Callable[[], float] = time.monotonic
    """Seconds of a clock that never goes back."""
    sleep: Callable[[float], None] = time.sleep
    """Waits that many seconds."""
    emit: Emit = ignore
    """Gets an event every five seconds while the shards are waited for."""
    first: StreamPosition = field(init=False)
    """The source's position when the comparison began."""
    _gave_up_at: object = field(init=False, default=None)
    """The progress when there had been none for `patience`: the next table does not wait again at the same one."""
    _one: threading.Lock = field(init=False, default_factory=threading.Lock)
    _begun: int = field(init=False, default=0)
    _ended: int = field(init=False, default=0)
    """Waits that were begun, and the last one that has ended well."""

    def __post_init__(self) -> None:
        self.first = self.head()

    def head(self) -> StreamPosition:
        return head_position(self.sources)

    def catch_up(self) -> None:
        """Returns once every shard holds what the source had when this was called. Raises CouldNotCheck (SW8507) when
        the shards make no progress any more, and while rows are still being copied (SW8508). Threads that come while
        one waits have one wait together behind it."""
        earlier = self._begun
        with self._one:
            if self._ended > earlier:
                return  # a wait that began after this call
            self._begun += 1
            self._wait()
            self._ended = self._begun

    def _wait(self) -> None:
        wanted = self.head()
        state, moved = self._state(), self.now()
        said = moved
        while not has_reached(self.sources, state.position, wanted):
            if self.now() - moved >= self.patience or _progress(state) == self._gave_up_at:
                self._gave_up_at = _progress(state)
                raise CouldNotCheck(
                    "SW8507",
                    f"the shards are at {state.position}, the source is at {wanted}. Replication lag has not shrunk "
                    f"for {self.patience:g} s, so differences may be changes in flight. {self._lead_on()}",
                )
            self.sleep(_LOOK_EVERY)
            earlier, state = state, self._state()
            if _progress(state) != _progress(earlier):
                moved = self.now()
            if self.now() - said >= _SAY_EVERY:
                said = self.now()
                self.emit(ShardsAwaited(str(state.position), str(wanted), self._run_is_live()))

    def _lead_on(self) -> str:
        blocking = next(find_blocking_ddl(self.servers, self.plan.migration), None)
        if blocking is not None:
            return f"The stream waits: {blocking}. Compare again when it has ended"
        return "Keep `shardwright run` following the stream meanwhile, or catch up first"

    def _run_is_live(self) -> bool:
        with closing(self.servers.connect_shard(0)) as control:
            return is_alive(control, role="data")

    def at_rest(self) -> bool:
        """The shards had everything when the comparison began, and no event has come at any source since."""
        sources, first = self.sources, self.first
        return has_reached(sources, self.began_at, first) and has_reached(sources, first, self.head())

    def last_batch(self) -> int:
        return self._state().batch

    def keys_changed_since(self, batch: int, logical: str) -> Collection[Key] | None:
        """By the batches that every shard has. None where the shards do not remember them all (`failover.margin`,
        `failover.reread_rows`)."""
        last = self._state().batch
        if last == batch:
            return frozenset()
        with closing(self.servers.connect_shard(0)) as control:
            known = read_recent(control, self.plan.migration)
        if not known or known[0].batch > batch:
            return None
        rows = sum(one.changed.get(logical, 0) for one in known if batch < one.batch <= last)
        from shardwright.runtime.ledger.recent_keys import read_changed_rows  # only this unpacks keys

        found = read_changed_rows(self.servers, self.plan.migration, batch + 1)
        of_table = [row.key for row in found if row.logical == logical and row.batch <= last]
        return set(of_table) if len(of_table) >= rows else None

    def positions(self) -> Mapping[str, str]:
        """For the report; called at the end."""
        return {
            "source, when it began": str(self.first),
            "source, when it ended": str(self.head()),
            "shards, when it ended": str(self._state().position),
        }

    def _state(self) -> MigrationState:
        state = read_migration_if_there(self.plan, self.servers)
        if state is None or state.is_copying(self.sources):
            raise CouldNotCheck(
                "SW8508",
                f"{self.plan.migration}: rows are still being copied: compare again when `status` says complete",
            )
        return state


def _progress(state: MigrationState) -> object:
    """Changes whenever a run has done something. A batch that reads rows again moves no position, and DDL that concerns
    no table closes no batch."""
    return state.batch, state.position


def open_barrier(
    plan: Plan,
    servers: Servers,
    environment: Environment,
    *,
    patience: float,
    emit: Emit = ignore,
) -> ReplicationBarrier | None:
    """None where no run has begun: then nothing moves what is compared. `emit` gets an event every five
    seconds while the shards are waited for."""
    state = read_migration_if_there(plan, servers)
    if state is None:
        return None
    sources = sources_at(open_sources(plan, servers, environment), state.position)
    return ReplicationBarrier(plan, servers, sources, patience, began_at=state.position, emit=emit)


def read_migration_if_there(plan: Plan, servers: Servers) -> MigrationState | None:
    with closing(servers.connect_shard(0)) as control:
        return if_there(lambda: read_migration(control, plan.migration))
