"""Which single messages does the run skip? Those that an operator names: only messages that stop the run, each with a
line in the audit that keeps it.

Runs in the driver, at the start of a run; reads the queue, and writes the audit on the first shard.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.events.stream import MessageSkipped
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.comparison import void_verified
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.sources.positions.message_ref import Where
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import Sources, StoppingMessage


def record_skipped(
    context: RunContext, sources: Sources, position: StreamPosition, wanted: Mapping[Where, str]
) -> None:
    """Called before the stream continues. `wanted`: place -> the code that the operator has read there. Raises Refused
    (SW8462) for a message that does not stop the stream by that code, and for one that no source of this migration has.
    """
    for where, code in wanted.items():
        message = _find_stopping_message(sources, position, where, code)
        if message.failure is None:
            context.emit(MessageSkipped(str(where), passed_before=True))
            continue

        def record(connection: Connection[Any], failure: str = message.failure, text: str = message.text) -> None:
            void_verified(connection, context.migration, why=f"a message was skipped: {failure}")
            audit(connection, context.migration, "message skipped", detail=f"{failure}; the message: {text}")

        context.transaction(record)
        context.emit(MessageSkipped(message.failure))


def _find_stopping_message(sources: Sources, position: StreamPosition, where: Where, code: str) -> StoppingMessage:
    for source in sources:
        part = position.parts.get(source.name)
        if part is not None and (message := source.find_stopping_message(part, where, code)) is not None:
            return message
    raise Refused("SW8462", f"{where}: no source of this migration reads that partition")
