"""Which XA transactions are prepared at a place of a log, and where in it is each?

Pure. Used in the driver; tasks get the JSON form with their ranges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple


class Xid(NamedTuple):
    """The name of an XA transaction. An application may use it again, once the transaction has ended."""

    gtrid: bytes
    bqual: bytes
    form: int
    """Its number of the form; as 32 bits without a sign, since servers write it with and without one."""

    def __str__(self) -> str:
        return f"X'{self.gtrid.hex()}',X'{self.bqual.hex()}',{self.form}"


class Span(NamedTuple):
    """Bytes [start, end) of a log file: a transaction, which no server divides between files."""

    file: str
    start: int
    end: int


Pending = Mapping[Xid, Span | None]
"""The transactions that are prepared at a place of the log. None: one without rows of followed tables."""
NONE_PENDING: Final[Pending] = MappingProxyType({})


def to_json(pending: Pending) -> list[list[Any]]:
    """The form that tasks get in job properties."""
    return [[xid.gtrid.hex(), xid.bqual.hex(), xid.form, span] for xid, span in pending.items()]


def from_json(value: Sequence[Sequence[Any]]) -> Pending:
    return {
        Xid(bytes.fromhex(gtrid), bytes.fromhex(bqual), form): None if span is None else Span(*span)
        for gtrid, bqual, form, span in value
    }
