"""What do the logs of both sides have of some rows of a table? Read from the end back, up to so many bytes.

Runs in the process of the command; reads the logs of both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.causes.judge import RowInLogs
from shardwright.runtime.causes.log_part import part_within
from shardwright.runtime.causes.writers import read_writers
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.history.changes import OPERATIONS
from shardwright.runtime.history.facts import ChangeState
from shardwright.runtime.history.ledger_rows import utc
from shardwright.runtime.history.leg import Leg, Stream
from shardwright.runtime.history.log_reader import KeyImages, LogReader, NotRead, RowChange
from shardwright.runtime.history.logs import key_images, narrow, opposite_logs
from shardwright.runtime.mysql.keys import Key
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.server_log import look_at
from shardwright.runtime.sources.binlog.source import LogStream
from shardwright.runtime.sources.open import open_sources
from shardwright.runtime.sources.positions.log_position import FIRST_OFFSET, LogPosition
from shardwright.runtime.verify.cause import LastWriter

_ABOUT: Final = 2
"""Seconds. Clocks of servers differ."""
_NEVER: Final = 2**62


class _Read(NamedTuple):
    changes: Sequence[RowChange]
    since: int
    """From when on the log was read (seconds since 1970)."""


@dataclass
class RowLogs:
    """The logs about one table. `unread` gets what could not be read, in words."""

    live: Leg
    """The direction in force."""
    stream: Stream
    """What its ledger says."""
    opposite: Leg | None
    """The other direction, by whose plan the logs of the write side are read; None where the plan has no way back."""
    size: int
    """Bytes of each log that are read."""
    unread: list[str] = field(default_factory=list)

    def find(self, table: TablePlan, keys: Sequence[Key]) -> Mapping[Key, RowInLogs]:
        """`table` is that of the plan of `live`."""
        changes, (writers, since) = self._changes(table, keys), self._writers(table, keys)
        found = {}
        for key in keys:
            state, committed_at = changes.get(key, (None, None))
            knows = since is not None and committed_at is not None and since + _ABOUT <= committed_at
            found[key] = RowInLogs(state, writers.get(key), knows)
        return found

    def _changes(self, table: TablePlan, keys: Sequence[Key]) -> Mapping[Key, tuple[ChangeState, int | None]]:
        """How far the stream is with the last change of each key, and when that was committed. Within one log the last
        one counts; a row that goes from one log to another is in flight where one of them is."""
        tables, found = frozenset(str(name) for name in table.sources), dict[Key, tuple[ChangeState, int | None]]()
        images = _images_by_key(self.live, table, keys)
        try:
            for source in open_sources(self.live.plan, self.live.servers, self.live.environment):
                if tables.isdisjoint(source.tables):
                    continue
                if not isinstance(source, LogStream):
                    self.unread.append(f"{source.name}: its changes come from a queue")
                    continue
                position = self.stream.state.position.logs.get(source.name)
                wanted = (self.stream.state.start.logs.get(source.name), position)
                epoch = 0 if position is None else position.epoch
                read = self._read(narrow(source, tables), wanted, key_images(self.live.plan, table, keys), epoch)
                for key, change in _last_by_key(read.changes, images).items():
                    if key not in found or found[key][0] not in ("ahead", "open"):
                        state = self.stream.state_of(change.log, change.place, table)
                        found[key] = (state, change.committed_at)
        except RuntimeFailure as failure:
            self.unread.append(f"{self.live.plan.direction.read_side}: {failure.message}")
        return found

    def _writers(self, table: TablePlan, keys: Sequence[Key]) -> tuple[Mapping[Key, LastWriter], int | None]:
        """The last change of each key on the write side; our own transactions are left out. And from when on all its
        logs were read (seconds since 1970); None where that is not known."""
        if self.opposite is None:
            return {}, None
        plan, found, since = self.opposite.plan, dict[Key, LastWriter](), [0]
        mirrored = plan.table(table.logical)
        images = _images_by_key(self.opposite, mirrored, keys)
        try:
            for log in opposite_logs(self.opposite, mirrored, self.opposite.read_stream()):
                read = self._read(log.stream, (log.start,), key_images(plan, mirrored, keys), log.start.epoch)
                last = _last_by_key(read.changes, images)
                since.append(read.since)
                known = read_writers(log.stream.endpoint, [change.place for change in last.values()])
                for key, change in last.items():
                    by = known.get(change.place)
                    writer = LastWriter(
                        change.log,
                        str(change.place),
                        OPERATIONS[change.op],
                        change.table,
                        utc(change.committed_at),
                        change.gtid,
                        None if by is None else by.server_id,
                        None if by is None else by.thread,
                    )
                    if key not in found or (found[key].committed_at or "") <= (writer.committed_at or ""):
                        found[key] = writer
        except RuntimeFailure as failure:
            self.unread.append(f"{self.opposite.plan.direction.read_side}: {failure.message}")
            return found, None
        return found, max(since)

    def _read(self, stream: LogStream, wanted: Iterable[LogPosition | None], images: KeyImages, epoch: int) -> _Read:
        """Of the part within the size; what is missing is noted."""
        log = look_at(stream.endpoint)
        part = part_within(log, [place for place in wanted if place is not None], size=self.size)
        if part is None or not part.is_whole:
            begin = "no part" if part is None else f"from {part.start} on"
            self.unread.append(f"{stream.name}: {begin} is read of a log of more than {self.size:,} bytes")
        if part is None:
            return _Read((), _NEVER)
        end = replace(stream.head(), epoch=epoch)
        read = list(LogReader(stream, images).read(replace(part.start, epoch=epoch), end))
        missing = [f"{one.log}: {one.why}" for one in read if isinstance(one, NotRead)]
        more = f" (and {len(missing) - 1:,} more parts of this log)" if missing[1:] else ""
        self.unread += [one + more for one in missing[:1]]
        since = _NEVER if missing else _begin_of(stream, part.start)
        return _Read([one for one in read if isinstance(one, RowChange)], since)


def _begin_of(stream: LogStream, place: LogPosition) -> int:
    """When the file was begun: what is older is in files before it."""
    first = next(
        dump(stream.endpoint, LogPosition(place.file, FIRST_OFFSET), LogPosition(place.file, FIRST_OFFSET + 1))
    )
    return first.timestamp


def _images_by_key(leg: Leg, table: TablePlan, keys: Sequence[Key]) -> Mapping[Key, KeyImages]:
    return {key: key_images(leg.plan, table, [key]) for key in keys}


def _last_by_key(changes: Iterable[RowChange], images: Mapping[Key, KeyImages]) -> Mapping[Key, RowChange]:
    """The last one of each key, of changes in the log's order."""
    return {
        key: change
        for change in changes
        for key, image in images.items()
        if any(it is not None and image.is_in(it) for it in (change.before, change.after))
    }
