"""The names of XA transactions, as both servers write them to their logs."""

from __future__ import annotations

import json

import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.events import HEADER, Kind, LogEvent
from shardwright.runtime.sources.binlog.xa import Ends, read_end, read_prepare
from shardwright.runtime.sources.positions.pending import Span, Xid, from_json, to_json


def event(body: bytes) -> LogEvent:
    data = HEADER.pack(0, Kind.XA_PREPARE, 1, HEADER.size + len(body), 0, 0) + body
    return LogEvent(Kind.XA_PREPARE, 0, 0, "binlog.000001", 4, 4 + len(data), data)


def test_e21_the_name_is_one_in_the_event_and_in_the_statement() -> None:
    numbers = b"\x00" + (7).to_bytes(4, "little") + (1).to_bytes(4, "little") + (3).to_bytes(4, "little")
    xid = Xid(b"b", b"q'x", 7)
    assert read_prepare(event(numbers + b"bq'x")) == (xid, False)
    assert read_end(b"XA COMMIT X'62',X'712778',7") == Ends(xid, commits=True)
    assert read_end(b"XA ROLLBACK X'62',X'712778',7") == Ends(xid, commits=False)
    assert str(xid) == "X'62',X'712778',7"
    one_phase = b"\x01" + b"\xff" * 4 + (1).to_bytes(4, "little") + bytes(4)
    assert read_prepare(event(one_phase + b"a")) == (Xid(b"a", b"", 2**32 - 1), True)
    assert read_end(b"XA COMMIT X'61',X'',-1") == read_end(b"XA COMMIT X'61',X'',4294967295")


@pytest.mark.parametrize("text", [b"XA END X'61',X'',1", b"XA COMMIT 'a'", b"XA COMMIT X'6',", b"COMMIT", b""])
def test_e21_other_statements_end_none(text: bytes) -> None:
    assert read_end(text) is None


def test_e21_a_damaged_event_is_refused() -> None:
    with pytest.raises(Refused, match="SW8116"):
        read_prepare(event(b"\x00" + bytes(4) + b"\x05\x00\x00\x00" + bytes(4) + b"abc"))


def test_e21_tasks_get_the_same_names_and_places() -> None:
    pending = {Xid(b"\xff\x00", b"", 1): Span("binlog.000007", 4, 1 << 33), Xid(b"", b"b", 0): None}
    assert from_json(json.loads(json.dumps(to_json(pending)))) == pending
