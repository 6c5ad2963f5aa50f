"""Which logs of a direction may have changes of the key, and from where to where are they read?

Runs in the process of the command; asks the servers for their logs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from shardwright.compiler.ddl.logged.new_tables import NOTHING_MEANT
from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.history.leg import Leg, Stream
from shardwright.runtime.history.log_reader import KeyImages, Logged, LogReader, NotRead
from shardwright.runtime.mysql.keys import Key
from shardwright.runtime.sources.binlog.before_columns import EVERYTHING
from shardwright.runtime.sources.binlog.server_log import look_at
from shardwright.runtime.sources.binlog.source import LogStream
from shardwright.runtime.sources.open import open_sources
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.obligation import Obligation
from shardwright.runtime.sources.positions.stream_position import StreamPosition

_PURGED: Final = "SW8133"


@dataclass(frozen=True, slots=True)
class OpenLog:
    """A log that may have changes of the key."""

    stream: LogStream
    """With the tables of the key alone."""
    start: LogPosition
    """From here on its changes are listed."""
    gap: NotRead | None = None
    """What is missing before that."""

    def read(self, key: KeyImages) -> tuple[tuple[Logged, ...], OpenLog]:
        """What is in it up to its end of now, and the same log from that end on."""
        end = replace(self.stream.head(), epoch=self.start.epoch)
        found = tuple(LogReader(self.stream, key).read(self.start, end))
        gap = () if self.gap is None else (self.gap,)
        return (*gap, *found), OpenLog(self.stream, replace(end, server=self.start.server))


def open_logs(
    leg: Leg, table: TablePlan, key: Key, stream: Stream, *, copied: Iterable[StreamPosition]
) -> Iterator[OpenLog | NotRead]:
    """`copied`: positions behind the reads of the row's chunks. A direction that began again has an earlier history."""
    tables = frozenset(leg.tables_with(table, key))
    for source in open_sources(leg.plan, leg.servers, leg.environment):
        if tables.isdisjoint(source.tables):
            continue
        begin = _earliest(source.name, [stream.state.start, *copied])
        if not isinstance(source, LogStream) or begin is None:
            yield NotRead(source.name, "the stream is read from a queue, whose changes are not listed")
            continue
        yield _open_log(narrow(source, tables), begin, at=stream.state.position.logs.get(source.name))


def narrow(stream: LogStream, tables: Iterable[str]) -> LogStream:
    """The same log with those tables alone, and with every column of every image."""
    columns = {name: stream.columns[name] for name in tables if name in stream.columns}
    return replace(stream, columns=columns, replaced=EVERYTHING, meant=NOTHING_MEANT)


def open_whole_log(stream: LogStream) -> OpenLog:
    """From the oldest file that the server has."""
    log = look_at(stream.endpoint)
    return OpenLog(stream, replace(log.oldest, server=log.identity))


def opposite_logs(leg: Leg, table: TablePlan, stream: Stream | None) -> Iterator[OpenLog]:
    """The logs of the side that the direction opposite to `leg` writes to, with all tables of the row: from where that
    stream of `leg` is, or from their beginning where it has not begun."""
    tables = frozenset(str(name) for name in table.sources)
    for source in open_sources(leg.plan, leg.servers, leg.environment):
        if isinstance(source, LogStream) and not tables.isdisjoint(source.tables):
            place = None if stream is None else stream.state.position.logs.get(source.name)
            own = narrow(source, tables)
            yield open_whole_log(own) if place is None else OpenLog(own, replace(place, owed=Obligation()))


def key_images(plan: Plan, table: TablePlan, keys: Iterable[Key]) -> KeyImages:
    """How images of the read side's tables have the key."""
    columns = table.source_key_columns
    names = tuple(column.source for column in columns)
    places = [table.key.index(column.target) for column in columns]
    kinds = tuple(column.type for column in columns)
    return KeyImages(frozenset(tuple(key[at] for at in places) for key in keys), names, kinds)


def _earliest(source: str, positions: Sequence[StreamPosition]) -> LogPosition | None:
    """Of those in the log of the first one's server."""
    places = [place for position in positions if (place := position.logs.get(source)) is not None]
    if not places:
        return None
    return min(place for place in places if (place.epoch, place.server) == (places[0].epoch, places[0].server))


def _open_log(stream: LogStream, begin: LogPosition, *, at: LogPosition | None) -> OpenLog | NotRead:
    epoch = begin.epoch if at is None else at.epoch
    try:
        found = stream.find_resumption(replace(begin, owed=Obligation()), (), ()).position
        return OpenLog(stream, replace(found, epoch=epoch, owed=Obligation()))
    except RuntimeFailure as failure:
        if failure.code != _PURGED:
            return NotRead(stream.name, f"from {begin} on: {failure.message}")
    whole = open_whole_log(stream)
    start = replace(whole.start, epoch=epoch)
    return OpenLog(stream, start, NotRead(stream.name, f"from {begin} on: the log was purged up to {start}"))
