"""The decoder of MySQL's JSON documents without a server: what was packed by hand is read back, and spoiled bytes end
with a text or with what a damaged event is made of (hazards C15, E13). `tests/binlog/test_documents.py` asks a real
server for the texts.
"""

from __future__ import annotations

import json
import os
import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwright.runtime.sources.binlog.damage import UNREADABLE
from shardwright.runtime.sources.binlog.documents import document_text
from tests.fuzz.documents import Json, Opaque, pack_document
from tests.fuzz.logs import pack_datetime, spoil_bytes

EXAMPLES = int(os.environ.get("SHARDWRIGHT_FUZZ_EXAMPLES", "200"))
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
NUMBERS = st.integers(-(2**63), 2**64 - 1) | st.integers(-40_000, 70_000)
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.sampled_from((0.5, -0.25, 1234.5, 1.0)) | TEXTS,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(TEXTS, inner, max_size=6),
    max_leaves=40,
)


def in_order(value: Json) -> Any:
    """Keys as the server sorts them: shorter ones first, then by their bytes."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: (len(name.encode()), name.encode()))
        return {name: in_order(value[name]) for name in names}
    return [in_order(item) for item in value] if isinstance(value, list) else value


@settings(max_examples=EXAMPLES, deadline=None)
@given(value=DOCUMENTS, large=st.booleans())
def test_c15_a_document_is_read_as_it_was_packed(value: Json, large: bool) -> None:
    assert document_text(pack_document(value, large=large)) == json.dumps(in_order(value), ensure_ascii=False)


MANY: dict[str, Json] = {f"key {number} 100%": "x" * number for number in range(600)}


@pytest.mark.parametrize(
    "value", [MANY, [MANY], ["é" * 40_000], [0.5] * 5000], ids=["keys", "nested", "long", "numbers"]
)
def test_c15_what_needs_the_large_form(value: Json) -> None:
    assert document_text(pack_document(value, large=True)) == json.dumps(in_order(value), ensure_ascii=False)


def moment(packed: bytes, microseconds: int = 0) -> bytes:
    """As a document holds it: the bytes of a DATETIME(6) less the sign, from the other end."""
    return (int.from_bytes(packed + microseconds.to_bytes(3, "big"), "big") - (1 << 63)).to_bytes(8, "little")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Opaque(246, b"\x03\x02\x81\x0a"), "1.10"),
        (Opaque(246, b"\x05\x02\x7f\xfe\xf5"), "-1.10"),
        (Opaque(12, moment(pack_datetime(2015, 1, 15, 23, 24, 25), 120_000)), '"2015-01-15 23:24:25.120000"'),
        (Opaque(7, moment(pack_datetime(2015, 1, 15, 23, 24, 25))), '"2015-01-15 23:24:25.000000"'),
        (Opaque(10, moment(pack_datetime(2015, 1, 15))), '"2015-01-15"'),
        (Opaque(11, (25 << 36 | 1).to_bytes(8, "little")), '"25:00:00.000001"'),
        (Opaque(11, (-(1 << 36)).to_bytes(8, "little", signed=True)), '"-01:00:00.000000"'),
        (Opaque(252, b"\0\xff"), '"base64:type252:AP8="'),
        (Opaque(15, b""), '"base64:type15:"'),
        (Opaque(15, bytes(114)), f'"base64:type15:{"A" * 76}\\n{"A" * 76}"'),
        (Opaque(15, bytes(115)), f'"base64:type15:{"A" * 76}\\n{"A" * 76}\\nAA=="'),
        (1e15, "1e15"),
        (-1.5e300, "-1.5e300"),
        (3799321697946658.5, "3799321697946658.5"),
        (3799321697946658.0, "3.799321697946658e15"),
        (1.25e-14, "0.0000000000000125"),
        (0.99e-15, "9.9e-16"),
        (999999999999999.9, "999999999999999.9"),
    ],
)
def test_c15_values_of_other_types(value: Json, text: str) -> None:
    assert document_text(pack_document(value)) == text
    assert document_text(pack_document([value])) == f"[{text}]"


def test_c15_an_empty_value_is_null() -> None:
    assert document_text(b"") == "null"


@pytest.mark.parametrize(
    ("raw", "reported"),
    [
        (pack_document("text")[:-1], "ends behind"),
        (pack_document(["text"])[:-1], "no 12 bytes for 1 members"),
        (b"\x02\1\0\x0c\0\x0c\7\0\5text", "a string of a JSON document ends behind"),
        (b"\x02\2\0\x0f\0\x0c\x0a\0\x0c\x0a\0\4text", "overlap"),
        (b"\x00\2\0\x12\0\x12\0\0\0\x11\0\0\0\4\0\0\4\0\0", "keys of a JSON document overlap"),
        (b"\x04\x03", "index out of range"),
        (b"\x0e", "14"),
        (b"\x0b" + struct.pack("<d", float("nan")), "nan is no value of a document"),
        (b"\x09\1", "a number of a JSON document ends behind"),
        (b"\x0c\xff\xff\xff\xff\xff\xff", "more than 32 bits"),
        (pack_document(Opaque(246, b"\x02\x03\x81\x0a")), r"DECIMAL\(2,3\)"),
        (pack_document(Opaque(246, b"\x03\x02\x81\x65")), "index out of range"),
        (pack_document(Opaque(12, bytes(7))), "7 bytes"),
        (pack_document(Opaque(12, b"\xff" * 7 + b"\x7f")), "no date"),
        (pack_document("é")[:-1], "ends behind"),
        (b"\x0c\1\xff", "invalid start byte"),
    ],
)
def test_e13_a_document_that_no_server_writes_is_refused(raw: bytes, reported: str) -> None:
    with pytest.raises(UNREADABLE, match=reported):
        document_text(raw)


def test_e13_a_document_that_contains_itself_is_refused() -> None:
    """An array whose only member is an array at the offset 0: itself."""
    with pytest.raises(UNREADABLE):
        document_text(b"\x02\1\0\7\0\2\0\0")


@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data(), value=DOCUMENTS, large=st.booleans())
def test_e13_a_spoiled_document_ends_with_a_text_or_is_refused(data: st.DataObject, value: Json, large: bool) -> None:
    raw = data.draw(spoil_bytes(pack_document(value, large=large)))
    try:
        text = document_text(raw)
    except UNREADABLE:
        return
    assert len(text) < 400 + 60 * len(raw)
