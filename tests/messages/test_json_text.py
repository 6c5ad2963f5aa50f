"""What is no plain JSON is refused with the message's place, never a crash; numbers keep their characters."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.messages.json_text import Number, parse


@pytest.mark.parametrize(
    ("value", "reason"),
    [(b'{"a": 1', "character 7 of 7"), (b'{"a": "\xff"}', "not UTF-8 (byte 7"), (b"", "character 0"),
     (b'{"a": 1, "b": {"a": 2, "a": 3}}', "'a' is twice"), (b"[" * 1_000_000, "nested too deep"),
     (b'{"a":' * 100_000, "nested too deep"), (b'{"a": NaN}', "NaN is not JSON"), (b'{"a": -Infinity}', "-Infinity"),
     (b'{"a": "\\ud800"}', "half a surrogate pair"), (b'{"\\udfff": 1}', "half a surrogate pair"), (b'{"a": 1} x', "Extra data"),
     (b'{"a": "' + b"x" * 10_000_000, "character")],
    ids=lambda value: str(value)[:20],
)  # fmt: skip
def test_f7_what_is_no_json_is_refused_with_its_place(value: bytes, reason: str) -> None:
    with pytest.raises(Refused) as caught:
        parse(value, "topic t, partition 3, offset 17")
    assert caught.value.code == "SW8431" and reason in caught.value.message and len(caught.value.message) < 600
    assert "topic t, partition 3, offset 17" in caught.value.message


def test_f7_message_of_10_megabytes_is_read() -> None:
    text = "é\U0001f469" * 2_000_000
    assert parse(json.dumps({"a": text}, ensure_ascii=False).encode(), "m") == {"a": text}


@pytest.mark.parametrize(
    "text", ["9007199254740993", "18446744073709551615", "1e-400", "-0.0", "1E+400", "0." + "1" * 5000, "9" * 5000]
)
def test_f2_numbers_keep_their_characters(text: str) -> None:
    found = parse(f'{{"n": {text}, "t": "{text}"}}'.encode(), "m")
    assert found == {"n": text, "t": text} and (type(found["n"]), type(found["t"])) == (Number, str)


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_f7_any_bytes_are_read_or_refused(value: bytes) -> None:
    try:
        parse(value, "m")
    except Refused as refusal:
        assert refusal.code == "SW8431"
