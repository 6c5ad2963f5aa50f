"""Which events does a compressed event stand for? MySQL's TRANSACTION_PAYLOAD holds all events of a transaction, as one
stream of zstd (`binlog_transaction_compression`). MariaDB compresses the images of a row event and the text of a
statement, each with zlib (`log_bin_compress`).

The forms are those of MySQL's `binary_log::codecs` and of MariaDB's `row_log_event_uncompress`.
Pure. Used in the driver and in Spark tasks.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.packet_ceiling import LARGEST_PACKET
from shardwright.runtime.sources.binlog.damage import UNREADABLE, damage_refusal
from shardwright.runtime.sources.binlog.events import (
    COMPRESSED,
    HEADER,
    HEADER_SIZE,
    Kind,
    LogEvent,
    images_at,
    read_packed_integer,
    statement_at,
)
from shardwright.specs.findings.remedies import START_OVER

if TYPE_CHECKING:
    import pyarrow as pa

_PLAIN: Final = {
    int(Kind.QUERY_COMPRESSED): int(Kind.QUERY),
    int(Kind.WRITE_ROWS_COMPRESSED_V1): int(Kind.WRITE_ROWS_V1),
    int(Kind.UPDATE_ROWS_COMPRESSED_V1): int(Kind.UPDATE_ROWS_V1),
    int(Kind.DELETE_ROWS_COMPRESSED_V1): int(Kind.DELETE_ROWS_V1),
    int(Kind.WRITE_ROWS_COMPRESSED): int(Kind.WRITE_ROWS),
    int(Kind.UPDATE_ROWS_COMPRESSED): int(Kind.UPDATE_ROWS),
    int(Kind.DELETE_ROWS_COMPRESSED): int(Kind.DELETE_ROWS),
}
_END, _COMPRESSION, _SIZE = 0, 2, 3
"""Fields before a payload."""
_ZSTD, _NONE = 0, 255
_ZLIB = 0
_MOST_BYTES: Final = (1 << 31) - 1
"""Of a payload's events: their places within it number their rows, in 32 bits with a sign."""


def plain_events(event: LogEvent) -> Iterator[LogEvent]:
    """The events that one of COMPRESSED stands for, in order and as if the server had not compressed them. All have the
    place of `event`; those of a payload number their rows by `line`. Raises Refused for a form that is not known
    (SW8115), and for bytes that cannot be read (SW8116)."""
    try:
        if event.kind == Kind.TRANSACTION_PAYLOAD:
            yield from _of_payload(event)
        else:
            yield _decompress(event)
    except (*UNREADABLE, OSError, zlib.error) as error:
        raise damage_refusal(event, error) from error


def _decompress(event: LogEvent) -> LogEvent:
    plain = event._replace(kind=_PLAIN[event.kind])
    data, at = event.data, statement_at(plain) if plain.kind == Kind.QUERY else images_at(plain)
    form = data[at]
    if form >> 4 & 7 != _ZLIB:
        raise _not_known(event, form >> 4 & 7)
    size_bytes = form & 7
    size = int.from_bytes(data[at + 1 : at + 1 + size_bytes], "big")
    _require_bounded(event, size)
    unpacking = zlib.decompressobj()
    rest = unpacking.decompress(memoryview(data)[at + 1 + size_bytes :], size + 1)  # no more than that is in memory
    if len(rest) != size or not unpacking.eof:
        raise ValueError(f"{size} bytes were compressed, and {'fewer' if len(rest) < size else 'more'} come out")
    return plain._replace(data=data[:at] + rest)


def _of_payload(event: LogEvent) -> Iterator[LogEvent]:
    data, at, fields = event.data, HEADER_SIZE, dict[int, int]()
    while (field := read_packed_integer(data, at))[0] != _END:
        name, at = field
        length, at = read_packed_integer(data, at)
        fields[name], at = read_packed_integer(data, at)[0], at + length
    at = field[1]
    form, size = fields.get(_COMPRESSION, _NONE), fields.get(_SIZE, len(data) - at)
    if form not in (_ZSTD, _NONE):
        raise _not_known(event, form)
    if size > _MOST_BYTES:
        raise Refused(
            "SW8115",
            f"the compressed transaction at {event.place} has {size:,} bytes, and {_MOST_BYTES:,} can be read: switch "
            f"binlog_transaction_compression off where such transactions are written, then {START_OVER}",
        )
    import pyarrow as pa  # here: commands that only ask servers do not load it

    held = pa.BufferReader(pa.py_buffer(data).slice(at))
    # A stream: a transaction may be far larger than what is in memory of it.
    yield from _cut(event, pa.CompressedInputStream(held, "zstd") if form == _ZSTD else held, size)


def _cut(payload: LogEvent, stream: pa.NativeFile, size: int) -> Iterator[LogEvent]:
    """All but the last end where they start: the payload's bytes in the log count once."""
    at = 0
    while at < size:
        header = stream.read(HEADER_SIZE)
        timestamp, kind, _, length, _, flags = HEADER.unpack(header)
        if kind in COMPRESSED or length < HEADER_SIZE or at + length > size:
            raise ValueError(f"it holds an event of type {kind} with {length} bytes at {at} of {size}")
        _require_bounded(payload, length)
        data = header + stream.read(length - HEADER_SIZE)
        if len(data) != length:
            raise ValueError(f"it ends within the event at {at} of {size}")
        line, at = at, at + length
        end = payload.end if at == size else payload.start
        yield LogEvent(kind, timestamp, flags, payload.file, payload.start, end, data, line)


def _require_bounded(event: LogEvent, size: int) -> None:
    """Raises Refused (SW8115) for an event that no server could send uncompressed, before it is in memory."""
    if size > LARGEST_PACKET:
        raise Refused(
            "SW8115",
            f"the event at {event.place} has {size:,} bytes when it is not compressed any more, and "
            f"{LARGEST_PACKET:,} can be read: no server sends a larger one. Check which server answers there. If rows "
            f"are that large, make them smaller, then {START_OVER}",
        )


def _not_known(event: LogEvent, form: int) -> Refused:
    return Refused(
        "SW8115",
        f"the event at {event.place} is compressed in form {form}, which we do not know: switch the compression off "
        f"for the server and all sessions, then {START_OVER}",
    )
