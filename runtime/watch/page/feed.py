"""What keeps the state of the page current? Once a second it is looked whether something is new.

Runs in a thread of the process that serves the page. While no page looks, servers are asked once a minute only, for the
history.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.watch.migration import Migration
from shardwright.runtime.watch.newest import Newest
from shardwright.runtime.watch.observation import Observation
from shardwright.runtime.watch.page.cells import read_cells
from shardwright.runtime.watch.page.differences import read_differences
from shardwright.runtime.watch.page.heat import HeatInput, heat_map, rows_left
from shardwright.runtime.watch.page.history import History
from shardwright.runtime.watch.page.hub import Hub
from shardwright.runtime.watch.page.state import plain, state_of
from shardwright.specs.direction import Direction

_TICK_SECONDS: Final = 1.0
_UNWATCHED_SECONDS: Final = 60.0
_COPYING_SECONDS: Final = 10.0
_COPIED_SECONDS: Final = 600.0
_SHARE: Final = 0.01
"""The most of the time that goes into the heat map."""
_LAST_WORDS_SECONDS: Final = 1.0


@dataclass
class Feed:
    """Publishes the state of one migration to `hub`."""

    newest: Newest[Observation]
    """Its observations."""
    names: Callable[[Direction | None], Sequence[str]]
    """What the shards of a direction are called; of None those of the way there."""
    read_heat: Callable[[Observation | None], Mapping[str, Any]]
    """The sections of the heat map."""
    history: History
    """Its last hour."""
    hub: Hub = field(init=False, default_factory=Hub)
    _heat: Newest[Mapping[str, Any]] = field(init=False)
    _shown: Observation | None = field(init=False, default=None)
    _parts: Mapping[str, Any] = field(init=False)
    _ends: threading.Event = field(init=False, default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._heat = Newest(lambda: self.read_heat(self.newest.found), _SHARE)
        self._parts = {"headline": {"word": "asking", "tone": "calm", "lines": ["ledgers and servers are asked"]}}

    @contextmanager
    def keep_current(self) -> Iterator[None]:
        """Within, the state is kept current. On leaving pages get the last one."""
        thread = threading.Thread(target=self._work, name="page", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ends.set()
            thread.join(_TICK_SECONDS)
            self.hub.close(_LAST_WORDS_SECONDS)

    def refresh(self) -> None:
        """Begins to ask where that is due, and publishes what is new."""
        is_watched = self.hub.pages > 0
        self.newest.refresh(every=None if is_watched else _UNWATCHED_SECONDS)
        found = self.newest.found
        if is_watched and found is not None and found.begun:
            is_copied = found.status is not None and found.status.snapshot_complete
            self._heat.refresh(every=_COPIED_SECONDS if is_copied else _COPYING_SECONDS)
        self.history.sample(found)
        if found is not None and found is not self._shown:
            self._shown, self._parts = found, state_of(found, self.names(found.direction))
        self.hub.publish({**self._parts, "heat": self._heat.found or {}, **self.history.parts()})

    def _work(self) -> None:
        while not self._ends.wait(_TICK_SECONDS):
            self.refresh()
        self.refresh()


def feed_of(migration: Migration, newest: Newest[Observation], history: History, *, report: Path | None = None) -> Feed:
    """The page's state of one migration. `report`: a result of `verify`, whose differences are shown."""

    def names(direction: Direction | None) -> Sequence[str]:
        in_force = direction or Direction.FORWARD
        servers = migration.way(in_force).servers
        return servers.targets if in_force.writes_shards else servers.databases

    def read_heat(found: Observation | None) -> Mapping[str, Any]:
        tables = () if found is None or found.status is None else found.status.tables
        differences = None
        if report is not None:
            with suppress(InputAtFault):  # it is being written
                differences = read_differences(report)
        wrong = {} if differences is None else differences.wrong
        drawn = heat_map(HeatInput(read_cells(migration), rows_left(tables), wrong))
        heat: Mapping[str, Any] = plain(drawn if differences is None else drawn | {"differences": differences.summary})
        return heat

    return Feed(newest, names, read_heat, history)
