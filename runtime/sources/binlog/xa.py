"""Which XA transaction does an event prepare, commit or roll back?

Pure. Used in the driver and in Spark tasks.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from shardwright.runtime.sources.binlog.damage import refuse_damage
from shardwright.runtime.sources.binlog.events import HEADER_SIZE, LogEvent
from shardwright.runtime.sources.positions.pending import Span, Xid

_ENDS: Final = re.compile(rb"XA\s+(COMMIT|ROLLBACK)\s+X'([0-9A-F]*)',X'([0-9A-F]*)',(-?\d+)", re.IGNORECASE)
_NUMBERS: Final = 13
"""Bytes before a transaction's name in XA_PREPARE: one flag, the form, and the lengths of both parts."""
_32_BITS: Final = 0xFFFF_FFFF


class Prepares(NamedTuple):
    """What an XA_PREPARE event does. `one_phase`: the transaction is committed by it."""

    xid: Xid
    span: Span
    one_phase: bool
    has_rows: bool
    """Whether it has rows of followed tables."""


class Ends(NamedTuple):
    """What XA COMMIT or XA ROLLBACK does to a transaction that was prepared earlier."""

    xid: Xid
    commits: bool


@refuse_damage
def read_prepare(event: LogEvent) -> tuple[Xid, bool]:
    """The transaction of an XA_PREPARE event, and whether it is committed in one phase. Refused (SW8116) when its parts
    do not fit into it."""
    data, at = event.data, HEADER_SIZE + 1
    form, first, second = (int.from_bytes(data[at + 4 * n : at + 4 * n + 4], "little") for n in range(3))
    names = data[HEADER_SIZE + _NUMBERS :]
    if len(names) != first + second:
        raise ValueError(f"names of {first} and {second} bytes in {len(names)} bytes")
    return Xid(names[:first], names[first:], form), bool(data[HEADER_SIZE])


def read_end(statement: bytes) -> Ends | None:
    """What a statement ends, in the form in which servers write it to their logs; None for any other statement."""
    found = _ENDS.fullmatch(statement)
    if found is None:
        return None
    verb, gtrid, bqual, form = found.groups()
    xid = Xid(bytes.fromhex(gtrid.decode()), bytes.fromhex(bqual.decode()), int(form) & _32_BITS)
    return Ends(xid, verb.upper() == b"COMMIT")
