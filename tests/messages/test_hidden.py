"""Values of columns that the spec masks or leaves out stand in no failure, and no message that holds them is kept in
the audit."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.messages.decoder import message_decoder
from shardwright.runtime.sources.queue.stops import _audit_text
from shardwright.specs.spec.stream_format import StreamFormat

COLUMNS = (
    Column("id", ColumnType("bigint"), False),
    Column("salary", ColumnType("decimal", precision=10, scale=2), True),
    Column("note", ColumnType("varchar", length=20, charset="utf8mb4"), True),
)
HIDDEN = {"shop.staff": frozenset({"salary"})}
SECRET = "98765.4321 secret"
ROW = {"id": 7, "salary": "1.50", "note": "x"}


def failure(form: Any, message: object, hidden: Any = HIDDEN) -> str:
    stream = StreamFormat(name=form, nulls="kept", decimal="string", zero_dates="absent", time_zone="UTC")
    decoder = message_decoder(stream, {"shop.staff": COLUMNS}, hidden)
    with pytest.raises(Refused) as caught:
        decoder.decode(None, json.dumps(message).encode(), "topic t, partition 0, offset 5")
    return str(caught.value)


def maxwell(**row: object) -> dict[str, object]:
    return {"type": "insert", "database": "shop", "table": "staff", "ts": 1700000000, "data": ROW | row}


def canal(**row: object) -> dict[str, object]:
    data = {"id": "7", "salary": "1.50", "note": "x"} | row
    return {"type": "INSERT", "isDdl": False, "database": "shop", "table": "staff", "es": 1700000000000, "data": [data]}


def debezium(**row: object) -> dict[str, object]:
    return {
        "op": "c",
        "source": {"db": "shop", "table": "staff", "ts_ms": 1700000000000},
        "before": None,
        "after": ROW | row,
    }


CASES = [("maxwell-json", maxwell), ("canal-json", canal), ("debezium-json", debezium)]


@pytest.mark.parametrize(("form", "message"), CASES)
def test_a_hidden_value_is_reported_by_kind_and_length(form: str, message: Any) -> None:
    reported = failure(form, message(salary=SECRET))
    assert "SW8435: topic t, partition 0, offset 5" in reported
    assert (
        "table shop.staff, column salary: a text of 17 characters is no decimal (not shown: the spec masks" in reported
    )
    assert "98765" not in reported
    assert "98765" in failure(form, message(salary=SECRET), hidden={})


@pytest.mark.parametrize(("form", "message"), CASES)
def test_a_value_that_a_shard_gets_is_shown(form: str, message: Any) -> None:
    assert "'seven' is" in failure(form, message(id="seven"))


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("maxwell-json", [SECRET]),
        ("maxwell-json", maxwell() | {"data": SECRET}),
        ("canal-json", {"salary": SECRET}),
        ("canal-json", canal() | {"data": [SECRET]}),
        ("canal-json", canal() | {"data": None, "sql": f"INSERT INTO staff VALUES ('{SECRET}')"}),
        ("debezium-json", {"id": 7, "salary": SECRET}),  # what ExtractNewRecordState makes of an event
        ("debezium-json", debezium() | {"after": SECRET}),
    ],
)
def test_whole_rows_and_messages_are_not_shown_either(form: str, message: object) -> None:
    assert "98765" not in failure(form, message)


def test_the_audit_keeps_a_hash_where_values_are_hidden() -> None:
    value = json.dumps(maxwell(salary=SECRET)).encode()
    assert SECRET in _audit_text(value, hidden=False)
    kept = _audit_text(value, hidden=True)
    assert kept.startswith(f"{len(value)} bytes, SHA-256 ") and len(kept.rpartition(" ")[2]) == 64
    assert _audit_text(None, hidden=True) == "no value"
