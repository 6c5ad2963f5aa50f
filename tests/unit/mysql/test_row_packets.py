"""Rows are cut out of the server's packets as one row after the other would be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.mysql.packet_lines import split_by_place
from shardwright.runtime.mysql.packets import HEADER, is_last
from shardwright.runtime.mysql.row_packets import numbers_of, values_of, walk

VALUES = st.one_of(
    st.none(),
    st.text(max_size=5),
    st.integers(0, 260).map(lambda size: "é" * (size // 2) + "x" * (size % 2)),
    st.sampled_from([249, 250, 251, 252, 253, 255, 65_535, 65_536, 70_000]).map(lambda size: "y" * size),
)
ESCAPED = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "\\0"})
"""As LOAD DATA's documentation says."""


def encode(value: str | None) -> bytes:
    """A length-encoded string, as the protocol's description says."""
    if value is None:
        return b"\xfb"
    data = value.encode()
    size = len(data)
    if size < 251:
        return bytes([size]) + data
    if size < 1 << 16:
        return b"\xfc" + size.to_bytes(2, "little") + data
    return b"\xfd" + size.to_bytes(3, "little") + data


def packet(payload: bytes, number: int) -> bytes:
    return len(payload).to_bytes(3, "little") + bytes([number & 0xFF]) + payload


@st.composite
def results(draw: st.DrawFn) -> tuple[int, list[list[str | None]]]:
    width = draw(st.integers(1, 5))
    return width, draw(st.lists(st.lists(VALUES, min_size=width, max_size=width), min_size=1, max_size=30))


@given(result=results(), cuts=st.lists(st.integers(1, 400), max_size=20))
def test_every_value_comes_out_as_it_went_in(result: tuple[int, list[list[str | None]]], cuts: list[int]) -> None:
    width, rows = result
    sent = b"".join(packet(b"".join(map(encode, row)), number) for number, row in enumerate(rows, start=7))
    starts: list[int] = []
    at = filled = 0
    for cut in [*cuts, len(sent)]:  # however little of it is there already
        filled = min(len(sent), filled + cut)
        at = walk(memoryview(sent), at, filled, starts)
    assert at == len(sent) and len(starts) == len(rows)
    found = values_of(np.frombuffer(sent, dtype=np.uint8), np.array(starts, dtype=np.int64), width)
    assert found.to_pylist() == [value for row in rows for value in row]
    found.validate(full=True)


NUMBERS = st.sampled_from([0, 1, 9, 10, 255, 256, 4_095, 999_999_999])


@given(result=results(), places=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=30, max_size=30))
def test_the_place_before_a_row_is_taken_off(
    result: tuple[int, list[list[str | None]]], places: list[tuple[int, int]]
) -> None:
    width, rows = result
    placed = [[*map(str, place), *row] for place, row in zip(places, rows, strict=False)]
    sent = b"".join(packet(b"".join(map(encode, row)), 1) for row in placed)
    starts: list[int] = []
    walk(memoryview(sent), 0, len(sent), starts)
    data, begin = np.frombuffer(sent, dtype=np.uint8), np.array(starts, dtype=np.int64)
    numbers, behind = numbers_of(data, begin, 2)
    assert numbers.tolist() == [list(place) for place in places[: len(rows)]]
    found = values_of(data, begin, width, begins=behind)
    assert found.to_pylist() == [value for row in rows for value in row]
    found.validate(full=True)


TEXTS = st.one_of(VALUES, st.text("\\\t\n\r\0N'\"é𝄞x", max_size=8))


@given(
    rows=st.integers(1, 5).flatmap(lambda width: st.lists(st.lists(TEXTS, min_size=width, max_size=width), min_size=1)),
    places=st.lists(st.tuples(st.sampled_from([0, 3, 17]), st.sampled_from([0, 256])), min_size=1, max_size=9),
)
def test_lines_by_place_are_those_of_one_row_after_the_other(
    rows: list[list[str | None]], places: list[tuple[int, int]]
) -> None:
    placed = [(places[index % len(places)], row) for index, row in enumerate(rows)]
    sent = bytearray(b"".join(packet(b"".join(map(encode, [*map(str, at), *row])), 1) for at, row in placed))
    starts: list[int] = []
    walk(memoryview(sent), 0, len(sent), starts)
    expected: dict[tuple[int, int], bytes] = {}
    for at, row in placed:
        line = "\t".join("\\N" if value is None else value.translate(ESCAPED) for value in row) + "\n"
        expected[at] = expected.get(at, b"") + line.encode()
    found = list(split_by_place(np.frombuffer(sent, dtype=np.uint8), np.array(starts, dtype=np.int64), len(rows[0])))
    assert [((shard, part), lines) for shard, part, lines in found] == sorted(expected.items())


def test_a_value_that_is_no_text_makes_no_line() -> None:
    sent = bytearray(packet(encode("0") + encode("1") + b"\x01\xfe", 1))
    with pytest.raises(ValueError, match="no UTF-8"):
        list(split_by_place(np.frombuffer(sent, dtype=np.uint8), np.array([HEADER]), 1))


def test_lines_of_a_row_of_another_width_are_refused() -> None:
    sent = bytearray(packet(encode("0") + encode("1") + encode("a") + encode("b"), 1))
    with pytest.raises(ValueError, match="other than 1 values"):
        list(split_by_place(np.frombuffer(sent, dtype=np.uint8), np.array([HEADER]), 1))


@pytest.mark.parametrize("value", [None, "", "-1", "1.0", "x", "1234567890"])
def test_a_place_that_is_no_number_is_refused(value: str | None) -> None:
    sent = packet(encode(value) + encode("a"), 1)
    with pytest.raises(ValueError, match="place is no number"):
        numbers_of(np.frombuffer(sent, dtype=np.uint8), np.array([HEADER]), 1)


def test_a_row_of_another_width_is_refused() -> None:
    sent = packet(encode("a") + encode("b") + encode("c"), 1)
    with pytest.raises(ValueError, match="other than 2 values"):
        values_of(np.frombuffer(sent, dtype=np.uint8), np.array([HEADER]), 2)


def test_the_end_and_an_error_are_no_rows() -> None:
    assert is_last(memoryview(b"\xfe\x00\x00\x02\x00"))
    assert is_last(memoryview(b"\xff\x25\x05#70100Query execution was interrupted"))
    assert not is_last(memoryview(encode(None)))
    assert not is_last(memoryview(b""))
    assert not is_last(memoryview(b"\xfe" + (1 << 24).to_bytes(8, "little")))  # the beginning of a very long value
