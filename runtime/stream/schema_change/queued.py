"""Which DDL statement does a queue's message hold, and what is before it? A range of a queue may reach over one, so the
driver makes a batch of what is in front of it.

Runs in the driver; reads the queue.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from shardwright.compiler.sql.sql_text import quoted
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.sources.events import Events
from shardwright.runtime.sources.messages.outcome import Aside, Decoded, NotAChange
from shardwright.runtime.sources.position import StreamPosition
from shardwright.runtime.sources.queue.message_ref import TABLE_CHANGED, Where, given_place
from shardwright.runtime.sources.queue.offsets import Offsets, QueueOffsets
from shardwright.runtime.sources.source import Sources
from shardwright.runtime.stream.schema_change.logged import LoggedStatement

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@runtime_checkable
class HoldsMessages(Protocol):
    """A queue as a source of the stream."""

    @property
    def name(self) -> str: ...

    @property
    def hides_values(self) -> bool:
        """Whether its messages hold values that must not be shown."""
        ...

    def between(self, spark: SparkSession, start: Offsets, end: Offsets) -> DataFrame:
        """The events of a range."""
        ...

    def decoded_at(self, partition: str, offset: int) -> Decoded:
        """What one message means."""
        ...

    def message_at(self, partition: str, offset: int) -> tuple[bytes | None, bytes | None, Where]:
        """Key, value and place."""
        ...


def before_statement(
    spark: SparkSession, sources: Sources, position: StreamPosition, stopped: RuntimeFailure
) -> tuple[Events, StreamPosition] | None:
    """What a queue holds between `position` and the statement that `stopped` (SW8457) names, and the position right
    before it; None when nothing is between."""
    found = _place(sources, position, stopped)
    if found is None:
        return None
    source, partition, offset = found
    part = position.parts[source.name]
    assert isinstance(part, QueueOffsets)
    if part.offsets.get(partition, 0) >= offset:
        return None
    end = replace(part, offsets={**part.offsets, partition: offset})
    events = Events(source.between(spark, part.offsets, end.offsets))
    return events, position.advanced(StreamPosition({source.name: end}))


def statement_in_queue(
    sources: Sources, position: StreamPosition, stopped: RuntimeFailure
) -> tuple[str, LoggedStatement] | None:
    """The source's name, and the statement. None when it is not the next message of its partition, or is no statement
    of a queue."""
    found = _place(sources, position, stopped)
    if found is None:
        return None
    source, partition, offset = found
    part = position.parts[source.name]
    assert isinstance(part, QueueOffsets)
    if part.offsets.get(partition, 0) != offset:
        return None
    message = source.decoded_at(partition, offset)
    if not isinstance(message, NotAChange):
        return None
    text = message.text
    if message.aside is Aside.TRUNCATE:
        text = text or f"TRUNCATE TABLE {quoted(message.table or '')}"
    if not text:
        return None
    after = replace(part, offsets={**part.offsets, partition: offset + 1})
    if part.since == part.offsets:
        after = replace(after, since=after.offsets)
    return source.name, LoggedStatement(f"{partition}:{offset}", after, message.database or "", text, TABLE_CHANGED)


def _place(
    sources: Sources, position: StreamPosition, stopped: RuntimeFailure
) -> tuple[HoldsMessages, str, int] | None:
    """The source, partition and offset that a failure names."""
    where = given_place(stopped.place or "") if stopped.code == TABLE_CHANGED else None
    if where is None:
        return None
    for source in sources:
        part = position.parts[source.name]
        if isinstance(source, HoldsMessages) and isinstance(part, QueueOffsets) and where.queue in part.offsets:
            return source, where.queue, where.offset
    return None
