"""Which single messages does the run skip? Those that an operator names: only messages that stop the run, each with a
line in the audit that keeps it.

Runs in the driver, at the start of a run; reads the queue, and writes the audit on the first shard.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.events.stream import MessageSkipped
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.verified import void_verified
from shardwright.runtime.sources.position import StreamPosition
from shardwright.runtime.sources.queue.message_ref import Where
from shardwright.runtime.sources.queue.offsets import QueueOffsets
from shardwright.runtime.sources.source import Sources
from shardwright.runtime.stream.schema_change.queued import HoldsMessages

_KEPT = 4000


def record_stepped_over(
    context: RunContext, sources: Sources, position: StreamPosition, wanted: Mapping[Where, str]
) -> None:
    """Called before the stream continues. `wanted`: place -> the code that the operator has read there. Raises Refused
    (SW8462) for a message that does not stop the stream by that code, and for one that no source of this migration has.
    """
    for where, code in wanted.items():
        source, part = _holder(sources, position, where)
        partition = f"{where.topic}/{where.partition}"
        if part.offsets[partition] > where.offset:
            context.emit(MessageSkipped(str(where), passed_before=True))
            continue
        failure = _failure(source, where, code)
        _, value, _ = source.message_at(partition, where.offset)
        text = _kept(value, hidden=source.hides_values)

        def record(connection: Connection[Any], failure: str = failure, text: str = text) -> None:
            void_verified(connection, context.migration, why=f"a message was skipped: {failure}")
            audit(connection, context.migration, "message skipped", detail=f"{failure}; the message: {text}")

        context.transaction(record)
        context.emit(MessageSkipped(failure))


def _kept(value: bytes | None, *, hidden: bool) -> str:
    """What the audit keeps of a message. Where the spec masks or leaves out columns it only identifies the message: the
    audit is on a shard, which must not have those values."""
    if value is None:
        return "no value"
    if hidden:
        return f"{len(value)} bytes, SHA-256 {hashlib.sha256(value).hexdigest()}"
    return value[:_KEPT].decode("utf-8", "backslashreplace")


def _holder(sources: Sources, position: StreamPosition, where: Where) -> tuple[HoldsMessages, QueueOffsets]:
    for source in sources:
        part = position.parts.get(source.name)
        if (
            isinstance(source, HoldsMessages)
            and isinstance(part, QueueOffsets)
            and f"{where.topic}/{where.partition}" in part.offsets
        ):
            return source, part
    raise Refused("SW8462", f"{where}: no source of this migration reads that partition")


def _failure(source: HoldsMessages, where: Where, code: str) -> str:
    try:
        source.decoded_at(f"{where.topic}/{where.partition}", where.offset)
    except Refused as failure:
        if failure.code == code:
            return str(failure)
        raise Refused(
            "SW8462", f"{where} stops the stream by {failure.code}, not by {code}: {failure.message}"
        ) from None
    raise Refused("SW8462", f"{where} can be read: only a message that stops the stream can be skipped")
