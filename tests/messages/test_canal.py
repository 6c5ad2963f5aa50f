"""Canal's flat messages, written by hand after its sources where the real ones in `recorded/` say nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.messages.decoder import MessageDecoder, message_decoder
from shardwright.runtime.sources.messages.outcome import Aside, LogCoordinate, NotAChange, RowChange
from shardwright.specs.spec.stream_format import StreamFormat

COLUMNS = (
    Column("id", ColumnType("bigint", unsigned=True), False),
    Column("name", ColumnType("varchar", length=20, charset="utf8mb4"), True),
    Column("price", ColumnType("decimal", precision=10, scale=2), True),
    Column("at", ColumnType("timestamp", precision=3), True),
)
ROW = {"id": "7", "name": "é", "price": "1.50", "at": "2026-01-01 08:00:00.125"}
IMAGE = ("7", "é", "1.50", "2026-01-01 00:00:00.125")


def canal(*columns: Column, time_zone: str | None = "+08:00") -> MessageDecoder:
    stream = StreamFormat(name="canal-json", time_zone=time_zone)
    return message_decoder(stream, {"shop.orders": columns or COLUMNS})


def message(kind: str = "INSERT", *rows: dict[str, Any], **fields: Any) -> bytes:
    usual = {"data": list(rows) or None, "database": "shop", "es": 1767225600000, "gtid": "", "id": 1, "isDdl": False,
             "mysqlType": {}, "old": None, "pkNames": ["id"], "sql": "", "sqlType": {}, "table": "orders",
             "ts": 1767225600321, "type": kind}  # fmt: skip
    return json.dumps(usual | fields).encode()


def expect_refusal(value: bytes, decoder: MessageDecoder | None = None) -> Refused:
    with pytest.raises(Refused) as caught:
        (decoder or canal()).decode(None, value, "topic t, partition 0, offset 5")
    assert "topic t, partition 0, offset 5" in caught.value.message
    return caught.value


def test_rows_of_one_message_are_changes_in_order() -> None:
    second = ROW | {"id": "8", "name": None}
    decoded = canal().decode(None, message("INSERT", ROW, second, gtid="a-b:1-9"), "m")
    at, gtid = 1767225600, LogCoordinate(gtid="a-b:1-9")
    after = ("8", None, *IMAGE[2:])
    assert decoded == (
        RowChange("shop.orders", "I", None, IMAGE, at, gtid),
        RowChange("shop.orders", "I", None, after, at, gtid),
    )


def test_c5_partial_before_image_is_the_after_image_overlaid() -> None:
    old = [{"name": "before", "id": "6"}, {"price": None}]
    changes = canal().decode(None, message("UPDATE", ROW, ROW, old=old), "m")
    assert isinstance(changes, tuple)
    assert [change.before for change in changes] == [("6", "before", *IMAGE[2:]), (*IMAGE[:2], None, IMAGE[3])]
    assert [change.after for change in changes] == [IMAGE, IMAGE]


def test_a_delete_has_its_row_as_before_image() -> None:
    (change,) = canal().decode(None, message("DELETE", ROW), "m")
    assert (change.op, change.before, change.after, change.coordinate) == ("D", IMAGE, None, None)


@pytest.mark.parametrize("old", [None, [], [{}], [{}, {}, {}]])
def test_e1_update_whose_old_rows_do_not_match_is_refused(old: Any) -> None:
    assert expect_refusal(message("UPDATE", ROW, ROW, old=old)).code == "SW8433"


def test_e1_row_that_lacks_a_column_is_refused_not_filled() -> None:
    failure = expect_refusal(message("INSERT", {name: value for name, value in ROW.items() if name != "price"}))
    assert (failure.code, "column price" in failure.message) == ("SW8433", True)
    assert expect_refusal(message("INSERT", ROW | {"id": None})).code == "SW8433"
    assert expect_refusal(message("INSERT")).code == "SW8433"


def test_e14_column_that_the_schema_lacks_is_refused() -> None:
    assert "'colour'" in expect_refusal(message("INSERT", ROW | {"colour": "red"})).message
    assert "'colour'" in expect_refusal(message("UPDATE", ROW, old=[{"colour": "red"}])).message


def test_f11_table_that_is_not_followed_is_counted_and_other_case_refused() -> None:
    decoded = canal().decode(None, message("INSERT", ROW, ROW, table="other"), "m")
    assert isinstance(decoded, NotAChange) and (decoded.aside, decoded.rows) == (Aside.NOT_FOLLOWED, 2)
    assert expect_refusal(message("INSERT", ROW, table="Orders")).code == "SW8434"


@pytest.mark.parametrize(
    ("fields", "aside"),
    [({"type": "ALTER", "isDdl": True, "sql": "ALTER TABLE orders ADD x INT"}, Aside.SCHEMA_CHANGE),
     ({"type": "TRUNCATE", "isDdl": True, "sql": "TRUNCATE TABLE orders"}, Aside.TRUNCATE),
     ({"type": "QUERY", "sql": "GRANT SELECT ON *.* TO a"}, Aside.STATEMENT)],
)  # fmt: skip
def test_f5_messages_without_rows(fields: dict[str, Any], aside: Aside) -> None:
    decoded = canal().decode(None, message(**fields), "m")
    assert isinstance(decoded, NotAChange)
    assert (decoded.aside, decoded.text, decoded.database, decoded.table) == (aside, fields["sql"], "shop", "orders")


def test_f5_tombstone_and_unknown_kinds() -> None:
    assert canal().decode(b"k", None, "m") == NotAChange(Aside.TOMBSTONE)
    assert expect_refusal(message("MERGE", ROW)).code == "SW8432"
    assert expect_refusal(b'{"op": "c"}').code == "SW8432"
    assert expect_refusal(b"[]").code == "SW8432"
    assert expect_refusal(message("ALTER", isDdl=True, sql=None)).code == "SW8432"


def test_e2_statement_in_place_of_rows_is_refused() -> None:
    assert expect_refusal(message("QUERY", sql="UPDATE orders SET price = 0")).code == "SW8438"
    assert expect_refusal(message("UPDATE", sql="UPDATE orders SET price = 0")).code == "SW8438"


def test_e2_text_beside_rows_is_no_statement_in_their_place() -> None:
    """MariaDB annotates rows, MySQL does with binlog_rows_query_log_events; Canal passes it on, of no database and
    table."""
    decoded = canal().decode(None, message("QUERY", sql="UPDATE shop.orders SET price = 0", database="", table=""), "m")
    assert isinstance(decoded, NotAChange) and decoded.aside is Aside.STATEMENT


def test_c9_timestamp_goes_from_canals_zone_to_utc_and_needs_it() -> None:
    failure = expect_refusal(message("INSERT", ROW), canal(time_zone=None))
    assert (failure.code, "column at" in failure.message) == ("SW8436", True)
    (change,) = canal().decode(None, message("INSERT", ROW | {"at": "0000-00-00 00:00:00.000"}), "m")
    assert change.after is not None and change.after[3] == "0000-00-00 00:00:00.000"


@pytest.mark.parametrize(
    ("column", "value"),
    [("id", "-1"), ("id", str(2**64)), ("id", "1e3"), ("id", "٣"), ("id", ""), ("price", "1.505"), ("price", "123456789.00"),
     ("price", "1e999"), ("price", "NaN"), ("at", "2026-01-01 08:00:00"), ("at", "2026-13-01 08:00:00.000")],
)  # fmt: skip
def test_f1_value_that_its_column_cannot_hold_is_refused(column: str, value: str) -> None:
    failure = expect_refusal(message("INSERT", ROW | {column: value}))
    assert (failure.code, f"column {column}" in failure.message) == ("SW8435", True)


def test_f1_value_that_is_no_text_is_refused() -> None:
    assert expect_refusal(message("INSERT", ROW | {"id": 7})).code == "SW8435"
    assert expect_refusal(message("INSERT", ROW | {"name": ["x"]})).code == "SW8435"


def test_c20_text_that_is_not_utf8_at_the_source_is_refused() -> None:
    decoder = canal(Column("id", ColumnType("int"), False), Column("v", ColumnType("text", charset="latin1"), True))
    assert expect_refusal(message("INSERT", {"id": "1", "v": "x"}), decoder).code == "SW8436"


def test_c16_messages_of_other_producers_are_refused_with_advice_that_is_true_for_each() -> None:
    """`es` in seconds would be a commit in 1970: the lag and the place after a lost queue follow from it."""
    seconds = expect_refusal(message("INSERT", ROW, es=1767225600))
    assert (
        seconds.code == "SW8432" and "1767225600: seconds" in seconds.message and "flatMessage" not in seconds.message
    )
    missing = json.loads(message("INSERT", ROW))
    del missing["es"]
    assert "Another producer wrote this one" in expect_refusal(json.dumps(missing).encode()).message
    ticdc = expect_refusal(message("TIDB_WATERMARK", _tidb={"watermarkTs": 429918007904436226}))
    assert "TiCDC" in ticdc.message and "flatMessage" not in ticdc.message
    assert "TiCDC" in expect_refusal(message("INSERT", ROW, _tidb={"commitTs": 429918007904436226})).message
    for written, said in (
        ({"data": [ROW], "type": "INSERT"}, "Flink's canal-json sink"),
        ({"before": None, "after": ROW, "op": "c", "ts_ms": 1}, "debezium-json"),
        ({"database": "shop", "table": "orders", "type": "insert", "ts": 1767225600, "data": ROW}, "maxwell-json"),
        ({"x": 1}, "canal.mq.flatMessage"),
    ):
        assert said in expect_refusal(json.dumps(written).encode()).message, written
