"""What the stream is read from: logs or queues, each behind the one event shape (`sources.event`), and what a source
has next.

Runs in the driver; reads source servers and brokers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.sources.event_counts import EventCounts
from shardwright.runtime.sources.left_out import NOTHING, LeftOutRange
from shardwright.runtime.sources.positions.log_position import LogRange
from shardwright.runtime.sources.positions.part import PositionPart
from shardwright.runtime.sources.positions.stream_position import StreamPosition

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

    from shardwright.runtime.mysql.raw_connection import RawConnection
    from shardwright.runtime.sources.logged_statement import LoggedStatement
    from shardwright.runtime.sources.positions.message_ref import Where


@dataclass(frozen=True, slots=True)
class FetchedRange:
    """The next range of a source. `end` is where it ends. It is read as `ranges` of a log, or as the frame that
    `events` makes. `counts` is None where only reading shows them. Rows of a log are estimated by their size, so their
    number is about right. `left_out`: what our own transactions have changed in it."""

    end: PositionPart
    ranges: Sequence[LogRange] = ()
    events: Callable[[], DataFrame] | None = None
    counts: EventCounts | None = None
    left_out: LeftOutRange = NOTHING


@dataclass(frozen=True, slots=True)
class StoppingMessage:
    """A message that an operator lets a run skip."""

    failure: str | None
    """Why it stops the stream; None: the stream has passed it before."""
    text: str = ""
    """What the audit keeps of it."""


class Reading(Protocol):
    """A source that is read from a place on, range after range. It owns what it keeps open."""

    def fetch(self, start: Any, until: Any = None) -> FetchedRange | None:
        """What comes next behind `start`, within the limits of one batch; None when there is nothing new. `until`, of
        logs alone: where the range ends, which was found before. Raises the RuntimeFailure that an event right at
        `start` causes."""
        ...

    def close(self) -> None: ...


class StreamSource(Protocol):
    """One log or queue. Its parts of positions are of one kind; `Any` is that kind. A log that has replaced a lost
    queue meets positions in the queue, too."""

    @property
    def name(self) -> str:
        """Its name in positions."""
        ...

    @property
    def tables(self) -> frozenset[str]:
        """The source tables whose changes it carries, as "database.table"."""
        ...

    @property
    def settle_seconds(self) -> float:
        """How long a committed change takes at the most until it is here."""
        ...

    @property
    def needs_server(self) -> bool:
        """Whether its changes come from the source's server, so that there are none while the server is away."""
        ...

    @property
    def producer_check(self) -> str | None:
        """What an operator looks at when changes are late that somebody else brings; None where nobody does."""
        ...

    def identity(self) -> str:
        """Distinguishes it from others: its positions mean nothing in another source."""
        ...

    def snapshot(self, *, exact: bool = True) -> AbstractContextManager[tuple[PositionPart, RawConnection]]:
        """A context in which the connection reads the source's server as it was exactly at the part, which is proved
        (C3). Without `exact` it may have more than what is before the part."""
        ...

    def rows_now(self) -> AbstractContextManager[tuple[PositionPart, RawConnection]]:
        """As an exact `snapshot`, at the source's end, also where a stream of it begins elsewhere."""
        ...

    def reader_after(self, part: Any) -> AbstractContextManager[RawConnection]:
        """A context in which the connection reads the source's server with everything that the log shows up to `part`.
        Raises StoppedPartWay (SW8320) where the server does not show it."""
        ...

    def prove(self) -> PositionPart:
        """A position such that everything before it is visible to every later snapshot."""
        ...

    def head(self) -> PositionPart:
        """A position behind everything that was visible when this was called."""
        ...

    def mark(self) -> PositionPart:
        """As `head`, and of a queue it is not reached before rows have come through that this writes at the source."""
        ...

    def unmark(self) -> bool:
        """Removes what `mark` has left at the source. Whether there was something."""
        ...

    def has_reached(self, part: Any, goal: Any) -> bool:
        """Whether everything before `goal`, which may be a mark (`head`, `mark`), is before `part`. To know where a
        mark is, a queue is asked for its end, once for each."""
        ...

    def settle(self, part: Any) -> PositionPart:
        """`part`; for a mark the place where it is, as soon as that is known."""
        ...

    def at_position(self, part: Any) -> StreamSource:
        """The source as it gives positions that have an order with `part`."""
        ...

    def end_after(self, recorded: Any, *, identity: str) -> PositionPart:
        """From where a direction continues that stopped at `recorded`, in the source with that identity: the end of
        now, ordered behind `recorded`."""
        ...

    def end(self) -> PositionPart:
        """Where it ends now. Other than with `head`, what was committed at the source a moment ago may still be on its
        way."""
        ...

    def reading(self, spark: SparkSession, start: Any) -> Reading:
        """Read it from `start` on, range after range. Raises Refused when it cannot be read from there."""
        ...

    def condition_from(self, part: Any) -> Column:
        """The condition on the event shape that holds for events at or behind `part`."""
        ...

    def probe(self, part: Any) -> None:
        """Check whether it can be read from `part` on. Raises the RuntimeFailure that a read would meet next."""
        ...

    def statement_at(self, part: Any, stopped: RuntimeFailure) -> LoggedStatement | None:
        """The DDL statement that comes next behind `part`, if it is one of this source that `stopped` the stream and
        the stream can continue behind it."""
        ...

    def range_before(self, spark: SparkSession, part: Any, stopped: RuntimeFailure) -> FetchedRange | None:
        """What comes behind `part` and before the statement that `stopped` names; None when nothing does."""
        ...

    def find_stopping_message(self, part: Any, where: Where, code: str) -> StoppingMessage | None:
        """The message at `where`, if this source has it; the stream is at `part`. Raises Refused (SW8462) when it does
        not stop the stream by that code."""
        ...

    def order_events(self, events: DataFrame, start: Any, end: Any) -> tuple[DataFrame, PositionPart]:
        """A batch's events in their final form, and its end with what they say about it. Call before anything is done
        with the events. Raises Refused when their order is not certain."""
        ...

    def finish(self, part: Any) -> str | None:
        """Call when every shard has what is before `part`. Returns a warning, when there is one."""
        ...


Sources = Sequence[StreamSource]


@contextmanager
def read_at_once(
    sources: Sources, tables: Iterable[str], *, exact: bool = True
) -> Iterator[tuple[StreamPosition, Mapping[str, RawConnection]]]:
    """A proved position (C3), and by source table a connection that reads it as it is there; without
    `exact` perhaps with more. Raises Refused (SW8466) where `tables` has some of sources that are not among
    `sources`."""
    lacking = sorted(set(tables).difference(*(source.tables for source in sources)))
    if lacking:
        raise Refused(
            "SW8466",
            f"{', '.join(lacking[:5])}: the source cannot be read now, and the table has to be: run again when it can",
        )
    with ExitStack() as snapshots:
        begun = [(source, *snapshots.enter_context(source.snapshot(exact=exact))) for source in sources]
        readers = {table: reader for source, _, reader in begun for table in source.tables}
        yield StreamPosition({source.name: part for source, part, _ in begun}), readers


def prove_position(sources: Sources) -> StreamPosition:
    """A position such that everything before it is visible to every later snapshot of every source."""
    return StreamPosition({source.name: source.prove() for source in sources})


def head_position(sources: Sources) -> StreamPosition:
    """A position behind everything that was visible at any source when this was called."""
    return StreamPosition({source.name: source.head() for source in sources})


def mark_position(sources: Sources) -> StreamPosition:
    """A position behind everything that was committed at any source when this was called. Where a queue is read, this
    writes a marker at its source."""
    return StreamPosition({source.name: source.mark() for source in sources})


def has_reached(sources: Sources, position: StreamPosition, goal: StreamPosition) -> bool:
    """Whether `position` has reached `goal`, which may have marks of queues among `sources`. May ask queues where they
    end."""
    by_name = {source.name: source for source in sources}

    def is_reached(name: str, part: PositionPart) -> bool:
        here, source = position.parts[name], by_name.get(name)
        return here.has_reached(part) if source is None else source.has_reached(here, part)

    return all(name in position.parts and is_reached(name, part) for name, part in goal.parts.items())


def settle(sources: Sources, position: StreamPosition) -> StreamPosition:
    """`position` with places in queues instead of marks, as far as they are known by now."""
    named = [source for source in sources if source.name in position.parts]
    return position.advance(
        StreamPosition({source.name: source.settle(position.parts[source.name]) for source in named})
    )


def sources_at(sources: Sources, position: StreamPosition) -> Sources:
    """The sources, giving positions that have an order with `position`."""
    return [
        source.at_position(position.parts[source.name]) if source.name in position.parts else source
        for source in sources
    ]


def order_events(
    sources: Sources, events: DataFrame, *, start: StreamPosition, end: StreamPosition
) -> tuple[DataFrame, StreamPosition]:
    """A batch after `order_events` of all sources, one after the other."""
    for source in sources:
        events, part = source.order_events(events, start.parts[source.name], end.parts[source.name])
        end = end.advance(StreamPosition({source.name: part}))
    return events, end


def sources_with(sources: Sources, tables: Collection[str]) -> Sources:
    """The sources that carry changes of any of `tables`."""
    return [source for source in sources if not source.tables.isdisjoint(tables)]
