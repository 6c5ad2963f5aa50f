"""What do the logs of both sides have of some rows of a table? Read from the end back, up to so many bytes.

Runs in the process of the command; reads the logs of both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

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
from shardwright.runtime.sources.binlog.server_log import look_at
from shardwright.runtime.sources.binlog.source import LogStream
from shardwright.runtime.sources.open import open_sources
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.verify.cause import LastWriter


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
        states = self._states(table, keys)
        seen = len(self.unread)
        writers = self._writers(table, keys)
        knows = self.opposite is not None and len(self.unread) == seen
        return {key: RowInLogs(states.get(key), writers.get(key), knows) for key in keys}

    def _states(self, table: TablePlan, keys: Sequence[Key]) -> Mapping[Key, ChangeState]:
        """How far the stream is with the last change of each key. Within one log the last one counts; a row that goes
        from one log to another is in flight where one of them is."""
        tables, found = frozenset(str(name) for name in table.sources), dict[Key, ChangeState]()
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
                changes = self._read(narrow(source, tables), wanted, key_images(self.live.plan, table, keys), epoch)
                for key, change in _last_by_key(changes, images).items():
                    state = self.stream.state_of(change.log, change.place, table)
                    if found.get(key) not in ("ahead", "open"):
                        found[key] = state
        except RuntimeFailure as failure:
            self.unread.append(f"{self.live.plan.direction.read_side}: {failure.message}")
        return found

    def _writers(self, table: TablePlan, keys: Sequence[Key]) -> Mapping[Key, LastWriter]:
        """The last change of each key on the write side; our own transactions are left out."""
        if self.opposite is None:
            return {}
        plan, found = self.opposite.plan, dict[Key, LastWriter]()
        mirrored = plan.table(table.logical)
        images = _images_by_key(self.opposite, mirrored, keys)
        try:
            for log in opposite_logs(self.opposite, mirrored, self.opposite.read_stream()):
                changes = self._read(log.stream, (log.start,), key_images(plan, mirrored, keys), log.start.epoch)
                last = _last_by_key(changes, images)
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
        return found

    def _read(
        self, stream: LogStream, wanted: Iterable[LogPosition | None], images: KeyImages, epoch: int
    ) -> Sequence[RowChange]:
        """Those of the part that is read; what is missing is noted."""
        log = look_at(stream.endpoint)
        part = part_within(log, [place for place in wanted if place is not None], size=self.size)
        if part is None or not part.is_whole:
            begin = "no part" if part is None else f"from {part.start} on"
            self.unread.append(f"{stream.name}: {begin} is read of a log of more than {self.size:,} bytes")
        if part is None:
            return ()
        end = replace(stream.head(), epoch=epoch)
        read = list(LogReader(stream, images).read(replace(part.start, epoch=epoch), end))
        self.unread += [f"{one.log}: {one.why}" for one in read if isinstance(one, NotRead)]
        return [one for one in read if isinstance(one, RowChange)]


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
