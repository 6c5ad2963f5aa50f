"""Which messages of a queue stop the stream: DDL statements, and those that cannot be read?

A range of a queue may reach over one, so the driver makes a batch of what is in front of it.

Runs in the driver; reads the queue.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.sources.logged_statement import LoggedStatement
from shardwright.runtime.sources.messages.outcome import Aside, Decoded, NotAChange
from shardwright.runtime.sources.positions.message_ref import TABLE_CHANGED, Where, parse_place
from shardwright.runtime.sources.positions.queue_offsets import Offsets, QueueOffsets
from shardwright.runtime.sources.source import FetchedRange, StoppingMessage

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_KEPT = 4000


class Messages(Protocol):
    """What is asked of the queue."""

    @property
    def hides_values(self) -> bool: ...

    def between(self, spark: SparkSession, start: Offsets, end: Offsets) -> DataFrame: ...

    def decode_at(self, partition: str, offset: int) -> Decoded: ...

    def message_at(self, partition: str, offset: int) -> tuple[bytes | None, bytes | None, Where]: ...


def range_before(
    queue: Messages, spark: SparkSession, part: QueueOffsets, stopped: RuntimeFailure
) -> FetchedRange | None:
    """What the queue holds between `part` and the statement that `stopped` (SW8457) names. None when nothing is
    between, and when the statement is not in this queue."""
    where = _statement(part, stopped)
    if where is None or part.offsets[where.queue] >= where.offset:
        return None
    end = replace(part, offsets={**part.offsets, where.queue: where.offset})
    return FetchedRange(end, events=partial(queue.between, spark, part.offsets, end.offsets))


def statement_at(queue: Messages, part: QueueOffsets, stopped: RuntimeFailure) -> LoggedStatement | None:
    """The statement that `stopped` (SW8457) names. None when it is not the next message of its partition, when the
    message is no statement, or is not in this queue."""
    where = _statement(part, stopped)
    if where is None or part.offsets[where.queue] != where.offset:
        return None
    message = queue.decode_at(where.queue, where.offset)
    if not isinstance(message, NotAChange):
        return None
    text = message.text
    if message.aside is Aside.TRUNCATE:
        text = text or f"TRUNCATE TABLE {quote(message.table or '')}"
    if not text:
        return None
    after = replace(part, offsets={**part.offsets, where.queue: where.offset + 1})
    if part.since == part.offsets:
        after = replace(after, since=after.offsets)
    return LoggedStatement(f"{where.queue}:{where.offset}", after, message.database or "", text, TABLE_CHANGED)


def _statement(part: QueueOffsets, stopped: RuntimeFailure) -> Where | None:
    """The message that a failure names as a statement, if it is in this queue."""
    where = parse_place(stopped.place or "") if stopped.code == TABLE_CHANGED else None
    return where if where is not None and where.queue in part.offsets else None


def find_stopping_message(queue: Messages, part: QueueOffsets, where: Where, code: str) -> StoppingMessage | None:
    """The message at `where`; None when it is not in this queue. Raises Refused (SW8462) when it does not stop the
    stream by that code."""
    if where.queue not in part.offsets:
        return None
    if part.offsets[where.queue] > where.offset:
        return StoppingMessage(None)
    failure = _failure(queue, where, code)
    _, value, _ = queue.message_at(where.queue, where.offset)
    return StoppingMessage(failure, _audit_text(value, hidden=queue.hides_values))


def _failure(queue: Messages, where: Where, code: str) -> str:
    try:
        queue.decode_at(where.queue, where.offset)
    except Refused as failure:
        if failure.code == code:
            return str(failure)
        raise Refused(
            "SW8462", f"{where} stops the stream by {failure.code}, not by {code}: {failure.message}"
        ) from None
    raise Refused("SW8462", f"{where} can be read: only a message that stops the stream can be skipped")


def _audit_text(value: bytes | None, *, hidden: bool) -> str:
    """What the audit keeps of a message. Where the spec masks or leaves out columns it only identifies the message: the
    audit is on a shard, which must not have those values."""
    if value is None:
        return "no value"
    if hidden:
        return f"{len(value)} bytes, SHA-256 {hashlib.sha256(value).hexdigest()}"
    return value[:_KEPT].decode("utf-8", "backslashreplace")
