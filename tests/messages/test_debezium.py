"""Debezium's events that no recording has: snapshot reads, messages, damaged ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.messages.decoder import message_decoder
from shardwright.runtime.sources.messages.outcome import Aside, LogCoordinate, NotAChange
from shardwright.specs.spec.stream_format import StreamFormat

COLUMNS = (Column("id", ColumnType("bigint", unsigned=True), False), Column("v", ColumnType("double"), True))
SOURCE = {"ts_ms": 1795299074999, "db": "shop", "table": "t", "file": "binlog.000009", "pos": 120, "row": 3, "gtid": None,
          "snapshot": None}  # fmt: skip
STREAM = StreamFormat(name="debezium-json", nulls="kept")


def decode(value: bytes | dict[str, Any] | None, stream: StreamFormat = STREAM) -> Any:
    given = json.dumps(value).encode() if isinstance(value, dict) else value
    return message_decoder(stream, {"shop.t": COLUMNS}).decode(b'{"id":1}', given, "topic t, partition 0, offset 5")


def event(op: str, before: Any, after: Any, **source: Any) -> dict[str, Any]:
    return {"op": op, "before": before, "after": after, "source": SOURCE | source, "ts_ms": 1}


def expect_refusal(value: bytes | dict[str, Any]) -> Refused:
    with pytest.raises(Refused) as caught:
        decode(value)
    assert "topic t, partition 0, offset 5" in caught.value.message
    return caught.value


ROW = {"id": 1, "v": 0.5}


def test_f4_snapshot_read_is_distinguished_from_a_change_and_carries_where_it_was_read() -> None:
    found = decode(event("r", None, ROW, snapshot="incremental", row=0))
    assert found == NotAChange(
        Aside.SNAPSHOT_READ, "shop", "t", None, 1795299074, LogCoordinate("binlog.000009", 120, 0, None), 1
    )


@pytest.mark.parametrize(
    ("message", "aside"),
    [({"op": "m", "source": SOURCE, "message": {"prefix": "p", "content": "eA=="}}, Aside.MESSAGE),
     (event("t", None, None), Aside.TRUNCATE), ({"ts_ms": 5}, Aside.HEARTBEAT),
     ({"status": "END", "id": "0-71-3", "event_count": 3, "data_collections": [], "ts_ms": 1}, Aside.TRANSACTION_MARKER),
     ({"schema": {"type": "struct"}, "payload": None}, Aside.TOMBSTONE), (None, Aside.TOMBSTONE),
     (event("c", None, ROW, table="other"), Aside.NOT_FOLLOWED)],
)  # fmt: skip
def test_f5_f11_what_is_no_change_of_ours_is_named(message: Any, aside: Aside) -> None:
    assert decode(message).aside is aside


@pytest.mark.parametrize(
    "message",
    [event("x", None, ROW), event("", None, ROW), {"id": 1, "v": 0.5}, {"op": "c", "after": ROW}, event("c", None, ROW, ts_ms="x"),
     event("c", None, ROW, pos=-1), event("c", None, ROW, db=None), {"source": SOURCE, "ddl": ""}],
)  # fmt: skip
def test_f5_unknown_op_and_flattened_or_damaged_events_are_refused(message: dict[str, Any]) -> None:
    assert expect_refusal(message).code == "SW8432"


@pytest.mark.parametrize(
    ("op", "before", "after"), [("u", None, ROW), ("d", None, None), ("c", ROW, ROW), ("d", ROW, ROW)]
)
def test_e1_event_without_its_images_is_refused(op: str, before: Any, after: Any) -> None:
    assert expect_refusal(event(op, before, after)).code == "SW8433"


def test_e1_null_in_a_column_that_takes_none_is_refused() -> None:
    assert expect_refusal(event("u", ROW, {"id": None, "v": 1.0})).code == "SW8433"
    assert expect_refusal(event("u", {"id": 1}, ROW)).code == "SW8433"


@pytest.mark.parametrize("text", ["1e-400", "1e400", "-1e999"])
def test_f2_number_beyond_a_double_is_refused_not_made_zero(text: str) -> None:
    value = json.dumps(event("c", None, {"id": 1, "v": "V"})).replace('"V"', text).encode()
    assert expect_refusal(value).code == "SW8435"


@pytest.mark.parametrize(("text", "said"), [("-1", str(2**64 - 1)), ("-9223372036854775808", str(2**63)), ("9007199254740993", "9007199254740993"),
                                           (str(2**64 - 1), str(2**64 - 1)), ('"AP//////////"', str(2**64 - 1))])  # fmt: skip
def test_c1_f2_bigint_unsigned_in_every_mode(text: str, said: str) -> None:
    value = json.dumps(event("c", None, {"id": "ID", "v": None})).replace('"ID"', text).encode()
    (change,) = decode(value)
    assert change.after == (said, None)


@pytest.mark.parametrize(
    "text", ["-9223372036854775809", "18446744073709551616", "-0", "1.0", '"!!"', '"AQAAAAAAAAAA"', "true", "[1]"]
)
def test_c1_what_is_no_bigint_unsigned_is_refused(text: str) -> None:
    assert (
        expect_refusal(json.dumps(event("c", None, {"id": "ID", "v": None})).replace('"ID"', text).encode()).code
        == "SW8435"
    )
