"""Maxwell's messages, written by hand after its sources."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.messages.decoder import message_decoder
from shardwright.runtime.sources.messages.outcome import Aside, LogCoordinate, NotAChange, RowChange
from shardwright.specs.spec.stream_format import StreamFormat

COLUMNS = (
    Column("id", ColumnType("bigint", unsigned=True), False),
    Column("d", ColumnType("decimal", precision=65, scale=30), True),
    Column("s", ColumnType("set", labels=("x", "y", "ü"), charset="utf8mb4"), True),
    Column("b", ColumnType("binary", length=4), True),
    Column("y", ColumnType("year"), True),
)
ROW = '{"id":18446744073709551615,"d":-1E-30,"s":["x","ü"],"b":"YQ==","y":1900}'
IMAGE = (str(2**64 - 1), "-0." + "0" * 29 + "1", "x,ü", "61000000", "0000")
STREAM = StreamFormat(name="maxwell-json", zero_dates="absent")


def decode(text: str, *columns: Column, stream: StreamFormat = STREAM) -> Any:
    return message_decoder(stream, {"shop.t": columns or COLUMNS}).decode(
        None, text.encode(), "topic t, partition 0, offset 5"
    )


def message(kind: str, data: str | None = ROW, **more: Any) -> str:
    head = {"database": "shop", "table": "t", "type": kind, "ts": 1795299074, "xid": 5, **more}
    return json.dumps({**head, "data": "DATA"}).replace('"DATA"', data) if data else json.dumps(head)


def test_f2_c1_c4_c17_rows_keep_every_digit() -> None:
    (change,) = decode(message("insert", position="binlog.000003:99", xoffset=7, gtid="0-1-2"))
    assert change == RowChange("shop.t", "I", None, IMAGE, 1795299074, LogCoordinate("binlog.000003", 99, 7, "0-1-2"))


def test_last_row_of_a_transaction_comes_after_all_others() -> None:
    (last,) = decode(message("delete", position="binlog.000003:99", commit=True))
    (other,) = decode(message("delete", position="binlog.000003:99", xoffset=7))
    assert last.before == IMAGE and last.after is None and last.coordinate[2] > other.coordinate[2]
    (unknown,) = decode(message("delete", position="binlog.000003:99"))
    assert unknown.coordinate == LogCoordinate("binlog.000003", 99, None, None)


def test_c5_before_image_is_the_row_overlaid_with_the_old_values() -> None:
    (change,) = decode(message("update", old={"s": [], "y": None}))
    assert (change.before, change.after) == ((*IMAGE[:2], "", IMAGE[3], None), IMAGE)


@pytest.mark.parametrize(
    ("text", "aside"),
    [(message("bootstrap-insert"), Aside.SNAPSHOT_READ), (message("bootstrap-start", None), Aside.SNAPSHOT_READ),
     (message("table-alter", None, sql="ALTER TABLE t ADD x INT", ts=1795299074123), Aside.SCHEMA_CHANGE),
     (message("insert", table="other"), Aside.NOT_FOLLOWED)],
)  # fmt: skip
def test_f4_f5_f11_what_is_no_change_of_ours_is_named(text: str, aside: Aside) -> None:
    found = decode(text)
    assert isinstance(found, NotAChange) and found.aside is aside
    assert aside is not Aside.SCHEMA_CHANGE or (found.text, found.committed_at) == (
        "ALTER TABLE t ADD x INT",
        1795299074,
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [(message("upsert"), "SW8432"), (message("table-alter", None), "SW8432"), ("[]", "SW8432"), (message("insert", ts="x"), "SW8432"),
     (message("insert", position="here"), "SW8432"), (message("insert", None), "SW8432"), (message("insert", '{"id": 1}'), "SW8433"),
     (message("insert", ROW.replace("-1E-30", "1E-31")), "SW8435"), (message("insert", ROW.replace("1900", "1899")), "SW8435"),
     (message("insert", ROW.replace('"ü"', '"z"')), "SW8435"), (message("update", old={"nope": 1}), "SW8434")],
)  # fmt: skip
def test_f5_f7_e1_what_cannot_be_decided_is_refused(text: str, code: str) -> None:
    with pytest.raises(Refused) as caught:
        decode(text)
    assert caught.value.code == code and "topic t, partition 0, offset 5" in caught.value.message


@pytest.mark.parametrize(
    "kind",
    [
        ColumnType("time", precision=0),
        ColumnType("bit", length=32),
        ColumnType("point"),
        ColumnType("text", charset="gbk"),
    ],
    ids=lambda kind: kind.name,
)
def test_c10_c12_c23_columns_it_changes_are_refused_by_name(kind: ColumnType) -> None:
    with pytest.raises(Refused, match=r"column c of table shop\.t") as caught:
        decode(message("insert", '{"c": null}'), Column("c", kind, True))
    assert caught.value.code == "SW8436"


def test_c8_dates_need_the_word_that_there_are_no_zero_ones() -> None:
    column = Column("c", ColumnType("datetime", precision=3), True)
    with pytest.raises(Refused) as caught:
        decode(message("insert", '{"c": "2026-01-01 00:00:00.125"}'), column, stream=StreamFormat(name="maxwell-json"))
    assert caught.value.code == "SW8436"
    (change,) = decode(message("insert", '{"c": "2026-01-01 00:00:00.125"}'), column)
    assert change.after == ("2026-01-01 00:00:00.125",)
    with pytest.raises(Refused):
        decode(message("insert", '{"c": "0000-00-00 00:00:00.000"}'), column)


@pytest.mark.parametrize("character", ["\x80", "\x9f", "\ufffd"])
def test_c20_latin1_that_versions_decode_differently_is_refused(character: str) -> None:
    column = Column("c", ColumnType("varchar", length=9, charset="latin1"), True)
    assert decode(message("insert", json.dumps({"c": "é€\x81"})), column)[0].after == ("é€\x81",)
    with pytest.raises(Refused):
        decode(message("insert", json.dumps({"c": character})), column)
