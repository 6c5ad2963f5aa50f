"""How far is the stream in each source, and for how long does its log still have that place?

Runs in the process of the command. It remembers when the stream was last seen at the end of a log: behind it, the lag
counts from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.ledger.batches import MigrationState
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.run.status.status import SourceStatus
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.stream_position import in_log
from shardwright.runtime.watch.observation import LogPlace, SourceObserved
from shardwright.runtime.watch.purge_clock import KnownTimes, ServerFiles, judge_purge
from shardwright.specs.environment.stream_place import BinlogStream

_QUEUE: Final = "only the run knows where a queue ends"
_SILENT: Final = "its server does not answer"


def log_servers(way: Way) -> Mapping[str, Endpoint]:
    """The servers whose logs the stream reads, by the source's name."""
    return {
        name: endpoint
        for name, endpoint in way.servers.sources.items()
        if way.plan.direction.reads_shards or isinstance(way.environment.stream_of(name), BinlogStream)
    }


@dataclass
class SourceWatch:
    """What is remembered of the sources from one observation to the next. Threads may share it."""

    _times: KnownTimes = field(init=False, default_factory=KnownTimes)
    _at_end: dict[str, float] = field(init=False, default_factory=dict)
    """Source -> when the stream was last seen at its end, by the server's clock."""

    def describe(
        self, way: Way, name: str, state: MigrationState, files: ServerFiles | None
    ) -> tuple[SourceStatus, SourceObserved]:
        """`files`: what the source's server has answered. Reads the beginning of a log's new files."""
        last, place = state.position.parts[name], in_log(state.position.parts[name])
        committed_at = state.committed_at.get(name)
        problem = _problem(place, files)
        status = SourceStatus(name, str(state.start.parts.get(name, last)), str(last), None, None, None, problem)
        found = SourceObserved(name, LogPlace.of(place), None, committed_at, None)
        if place is None or files is None or problem is not None:
            return status, found
        head = replace(files.head, epoch=place.epoch)
        at_end = place.has_reached(head)
        size = 0 if at_end else files.bytes_from(place)
        seconds = self._lag(name, place, files.now, committed_at=committed_at, at_end=at_end)
        purge = judge_purge(place, files, self._times.of(way.servers.sources[name], place, files))
        return (
            replace(status, head=str(head), lag_bytes=size, lag_seconds=seconds),
            replace(found, head=LogPlace.of(head), purge=purge),
        )

    def _lag(
        self, name: str, place: LogPosition, now: float, *, committed_at: int | None, at_end: bool
    ) -> float | None:
        """The age of the newest transaction that is applied, or less where the end was seen later."""
        if at_end:
            self._at_end[name] = now
            return 0.0
        committed = None if place.commit_us is None else place.commit_us / 1e6
        known = [at for at in (committed, committed_at, self._at_end.get(name)) if at is not None]
        return round(max(0.0, now - max(known)), 1) if known else None


def _problem(place: LogPosition | None, files: ServerFiles | None) -> str | None:
    if place is None:
        return _QUEUE
    if files is None:
        return _SILENT
    if place.server is not None and place.server != files.identity:
        return f"server {files.identity} answers, and the stream's position is in the log of server {place.server}"
    if place.log_name != files.head.log_name:
        return f"its log is called {files.head.log_name}, and the stream's position is in {place.file}"
    return None
