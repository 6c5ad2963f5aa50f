"""Which decoder reads the messages of a format.

Pure. Used in Spark tasks, and in the driver for single messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from shardwright.compiler.plan.catalogue import Column
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.messages.canal import CanalDecoder
from shardwright.runtime.sources.messages.debezium import DebeziumDecoder
from shardwright.runtime.sources.messages.images import NOTHING_HIDDEN, Hidden
from shardwright.runtime.sources.messages.maxwell import MaxwellDecoder
from shardwright.runtime.sources.messages.outcome import Decoded
from shardwright.specs.spec.stream_format import StreamFormat


class MessageDecoder(Protocol):
    def decode(self, key: bytes | None, value: bytes | None, where: object) -> Decoded:
        """The row changes of one message in log order, or why it has none. Raises Refused for anything else."""
        ...


_DECODERS: Mapping[str, type[CanalDecoder] | type[DebeziumDecoder] | type[MaxwellDecoder]] = {
    "canal-json": CanalDecoder,
    "debezium-json": DebeziumDecoder,
    "maxwell-json": MaxwellDecoder,
}


def message_decoder(
    stream_format: StreamFormat, tables: Mapping[str, tuple[Column, ...]], hidden: Hidden = NOTHING_HIDDEN
) -> MessageDecoder:
    """`tables`: "database.table" of the source to all its columns in table order, as for the binlog reader."""
    made = _DECODERS.get(stream_format.name)
    if made is None:
        raise Refused("SW8432", f"'{stream_format.name}' is no format of messages")
    return made(stream_format, tables, hidden)
