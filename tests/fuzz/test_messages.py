"""Whatever a queue's message holds, it becomes changes or a refusal that names its place and that an operator can step
over (hazard F7): a message must not be able to stop the stream for good.

`make fuzz` runs far more examples; SHARDWRIGHT_FUZZ_EXAMPLES is their number.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from functools import cache
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwright.compiler.plan.catalogue import Column
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.positions.message_ref import SKIPPABLE, TABLE_CHANGED, Where
from shardwright.runtime.sources.queue.message_events import Decoding, Judge, event_maker
from shardwright.specs.spec.stream_format import StreamFormat
from tests.messages.recordings import columns, messages
from tests.messages.test_debezium_recorded import MODES, debezium

EXAMPLES = int(os.environ.get("SHARDWRIGHT_FUZZ_EXAMPLES", "150"))
WHERE = Where("topic", 3, 17)
FORMATS: Mapping[str, tuple[StreamFormat, frozenset[str]]] = {
    **{
        name: (debezium(**modes), frozenset({"zero_dates", "zero_instants", "clocks"})) for name, modes in MODES.items()
    },
    "canal": (StreamFormat(name="canal-json", time_zone="+09:00"), frozenset({"latin", "odd_latin"})),
    "maxwell": (StreamFormat(name="maxwell-json", zero_dates="absent"), frozenset({"bits", "clocks", "places"})),
}
"""Recording -> its format, and the tables which that format cannot carry."""
_SKIPPED = SKIPPABLE | {TABLE_CHANGED}


@cache
def read_recording(name: str) -> tuple[bytes, ...]:
    return tuple(message.value for message in messages(f"{name}.mariadb") if message.value)


@cache
def decoding_of(name: str) -> Decoding:
    form, without = FORMATS[name]
    tables: dict[str, tuple[Column, ...]] = {
        table: found for table, found in columns("mariadb").items() if table.removeprefix("shop.") not in without
    }
    hidden = {table: frozenset(column.name for column in found[1::2]) for table, found in tables.items()}
    return Decoding("source", form, tables, dict.fromkeys(tables, (0,)), hidden=hidden)


def events(name: str, value: bytes) -> pa.RecordBatch:
    batch = pa.RecordBatch.from_pydict(
        {"key": [None], "value": [value], "topic": [WHERE.topic], "partition": [WHERE.partition], "offset": [WHERE.offset]}
    )  # fmt: skip
    (made,) = event_maker(decoding_of(name))(iter([batch]))
    return made


_HUGE = "9" * 5000
_DEEP = '{"a":' * 900 + "1" + "}" * 900
PIECES = (
    *("{}", "[]", "null", "true", "-0", "1e999", "0.1", '""', '"x"', '"\\ud800"', '"\\u0000"', _HUGE, f"-{_HUGE}", f'"{_HUGE}"'),
    *(f'"{"QUJD" * 600}"', _DEEP, "[" * 990, "NaN", '"binlog.99999999999999999999:4"', '"no file"', "2147483648", "999999999999999999"),
    *('"2026-13-45 25:61:61"', '"9999-12-31T23:59:59Z"', '{"wkb":"!","srid":-1}', '["a"]', '"é"', '"\\""', '"ALTER TABLE types ADD x int"'),
)  # fmt: skip
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=5,
)


@st.composite
def spoil(draw: st.DrawFn, value: bytes) -> bytes:
    """One to three members have another value, are gone or are called otherwise; or some bytes are others."""
    if draw(st.integers(0, 4)) == 0:
        at, gone = draw(st.integers(0, len(value))), draw(st.sampled_from((0, 1, 1, 5, 200)))
        return (
            value[:at]
            + draw(st.one_of(st.binary(max_size=6), st.sampled_from(PIECES).map(str.encode)))
            + value[at + gone :]
        )
    document = json.loads(value)
    marks: dict[str, str] = {}
    for number in range(draw(st.integers(1, 3))):
        holder, name = draw(st.sampled_from(list(_places(document)) or [(document, None)]))
        if name is None:
            continue
        match draw(st.integers(0, 5)):
            case 0:
                del holder[name]
            case 1 if isinstance(holder, dict):
                holder[draw(st.text(max_size=5))] = holder.pop(name)
            case 2:
                holder[name] = draw(JSON)
            case _:
                holder[name] = f"@{number}@"
                marks[json.dumps(holder[name])] = draw(st.sampled_from(PIECES))
    text = json.dumps(document)
    for mark, piece in marks.items():
        text = text.replace(mark, piece)
    return text.encode("utf-8", "surrogatepass")


def _places(document: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    waiting = [document]
    while waiting:
        holder = waiting.pop()
        for name, value in holder.items() if isinstance(holder, dict) else enumerate(holder):
            found.append((holder, name))
            if isinstance(value, (dict, list)):
                waiting.append(value)
    return found


def require_steppable(failure: Refused) -> None:
    assert failure.code in _SKIPPED | {"SW8436", "SW8437"}, str(failure)
    assert str(WHERE) in failure.message
    if failure.code in SKIPPABLE:
        assert f"--allow {failure.code}@{WHERE.place}" in failure.message


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=EXAMPLES, deadline=None, print_blob=True)
@given(data=st.data())
def test_f7_a_spoiled_message_is_read_or_refused_by_its_place(name: str, data: st.DataObject) -> None:
    value = data.draw(spoil(data.draw(st.sampled_from(read_recording(name)))))
    began = time.monotonic()
    try:
        events(name, value)
    except Refused as failure:
        require_steppable(failure)
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=max(50, EXAMPLES // 3), deadline=None)
@given(document=JSON)
def test_f7_any_json_is_read_or_refused_by_its_place(name: str, document: Any) -> None:
    try:
        events(name, json.dumps(document).encode("utf-8", "surrogatepass"))
    except Refused as failure:
        require_steppable(failure)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("debezium", b'{"op": {}}'),
        ("debezium", b'{"op": []}'),
        ("debezium", b'{"status": {}, "id": 1}'),
        ("debezium", b'{"a":' * 100_000),
        ("canal", b'{"isDdl": false, "type": {}}'),
        ("canal", b'{"isDdl": [], "type": []}'),
        ("maxwell", b'{"type": {}, "database": [], "table": 1}'),
    ],
)
def test_f7_types_that_no_message_has(name: str, value: bytes) -> None:
    with pytest.raises(Refused, match=r"topic topic, partition 3, offset 17.*--allow SW843[12]@topic/3:17") as caught:
        Judge(decoding_of(name)).decode(None, value, WHERE)
    require_steppable(caught.value)


@pytest.mark.parametrize(
    "place", [{"file": "no file"}, {"file": f"binlog.{_HUGE}"}, {"file": f"binlog.{2**63}"}, {"row": 2**31}], ids=str
)
def test_f7_a_place_in_the_log_that_is_none(place: dict[str, Any]) -> None:
    """It would be met where the batch is put together, by which time nobody knows which message it was."""
    for value in read_recording("debezium"):
        message = json.loads(value)
        if message.get("op") == "c" and f"shop.{message['source']['table']}" in decoding_of("debezium").tables:
            break
    message["source"] |= place
    with pytest.raises(
        Refused, match=r"SW8432: topic topic, partition 3, offset 17.*there is no such place.*--allow SW8432"
    ):
        events("debezium", json.dumps(message).encode())


@pytest.mark.parametrize(
    "error", [TypeError("98765.43"), RecursionError(), KeyError("98765.43"), ZeroDivisionError("98765.43")]
)
def test_f7_whatever_a_decoder_raises_can_be_skipped_and_shows_no_value(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = Judge(decoding_of("canal"))

    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr(judge, "_decode", failing)
    with pytest.raises(
        Refused, match=rf"SW8431.*{type(error).__name__} in test_messages.py, line \d+.*--allow"
    ) as caught:
        judge.read(None, b"{}", WHERE)
    assert "98765" not in str(caught.value)
