"""Whatever stands in a log whose checksums hold, the reader ends with rows or with a failure that has a code (hazard
E13): damaged memory of a server, or a server that is none, must not end the run as a bug does.

`make fuzz` runs far more examples; SHARDWRIGHT_FUZZ_EXAMPLES is their number.
"""

from __future__ import annotations

import os
import struct
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.sources.binlog import packed_rows, row_events, walk
from shardwright.runtime.sources.binlog.before_columns import BeforeColumns
from shardwright.runtime.sources.binlog.events import Kind
from shardwright.runtime.sources.binlog.fields import field_of
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.binlog.row_decoder import build_decoder
from shardwright.runtime.sources.binlog.scan import RangeStart, next_boundary
from shardwright.runtime.sources.binlog.update_chains import UpdateChains
from shardwright.specs.environment.environment import BatchLimits
from tests.fuzz.documents import pack_document
from tests.fuzz.logs import (
    COLUMNS,
    END,
    LOG,
    START,
    TABLES,
    Event,
    fake_dump,
    pack_date,
    pack_datetime,
    pack_time,
    spoil_logs,
    with_length,
)

EXAMPLES = int(os.environ.get("SHARDWRIGHT_FUZZ_EXAMPLES", "200"))
REPLACED = {"shop.orders": BeforeColumns(frozenset({0, 1}), (0,), row=(0, 1))}


@pytest.fixture(autouse=True)
def no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_events, "may_hide", lambda _settings, _table: 0)


def read(events: list[Event]) -> int:
    """The number of changes."""
    settings: Any = "the server"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(walk, "dump", fake_dump(events))
        plain = sum(batch.num_rows for batch in read_changes(Log(settings, TABLES), START, END))
        patched.setattr(walk, "dump", fake_dump(events))
        chains = UpdateChains()
        for _ in read_changes(Log(settings, TABLES, replaced=REPLACED), START, END, chains=chains):
            pass
        for _ in chains.take():
            pass
    return plain


def scan(events: list[Event]) -> None:
    settings: Any = "the server"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(walk, "dump", fake_dump(events))
        next_boundary(
            Log(settings, TABLES), START, limits=BatchLimits(max_bytes=1 << 40, max_rows=1 << 40), known=RangeStart(END)
        )


@pytest.fixture(autouse=True, params=[0, packed_rows.FEW_ROWS], ids=["at once", "one by one"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_rows, "FEW_ROWS", request.param)


def test_the_sound_log_is_read() -> None:
    assert read(list(LOG)) == 3 + 2 + 1
    scan(list(LOG))


@settings(
    max_examples=EXAMPLES, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(events=spoil_logs())
def test_e13_a_spoiled_log_ends_with_rows_or_with_a_code(events: list[Event]) -> None:
    began = time.monotonic()
    for reading in (read, scan):
        try:
            reading(events)
        except RuntimeFailure as failure:
            assert failure.code.startswith("SW81")
    assert time.monotonic() - began < 10


@pytest.mark.in_turn
@pytest.mark.parametrize("at", range(len(LOG)), ids=lambda at: f"{at}-{Kind(LOG[at][0]).name}")
def test_e13_an_event_that_is_cut_off_is_refused_by_its_place(at: int) -> None:
    """At every byte. Only of a statement the end is not known: it may have been that short."""
    kind, body = LOG[at]
    for size in range(len(body)):
        events = [*LOG[:at], (kind, body[:size]), *LOG[at + 1 :]]
        try:
            read(events)
        except RuntimeFailure as failure:
            assert failure.code in ("SW8110", "SW8111", "SW8113", "SW8115", "SW8116"), str(failure)


DECIMAL, LONG_DECIMAL, DATETIME, MICROSECONDS, TIMESTAMP, TIME, DATE, BIT, FLOAT, DOUBLE, JSON = (
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    16,
    17,
    18,
    19,
)
"""Places in `COLUMNS`."""


def text_of(place: int, value: bytes) -> str | None:
    made = COLUMNS[place]
    field = field_of(made.code, made.metadata, TABLES["shop.orders"][place])
    _, image = build_decoder(("c",), (field,)).read_image(b"\0" + value, 0)
    return image[0]


@pytest.mark.parametrize(
    ("place", "value", "text"),
    [
        (DATE, pack_date(0, 0, 0), "0000-00-00"),
        (DATE, pack_date(2026, 0, 0), "2026-00-00"),
        (DATE, pack_date(9999, 12, 31), "9999-12-31"),
        (DATE, pack_date(2026, 2, 31), "2026-02-31"),  # sql_mode ALLOW_INVALID_DATES
        (DATETIME, pack_datetime(0, 0, 0), "0000-00-00 00:00:00"),
        (DATETIME, pack_datetime(9999, 12, 31, 23, 59, 59), "9999-12-31 23:59:59"),
        (MICROSECONDS, pack_datetime(2026, 1, 0) + (999_999).to_bytes(3, "big"), "2026-01-00 00:00:00.999999"),
        (TIME, pack_time(838, 59, 59), "838:59:59"),
        (TIME, (0x1000000 - int.from_bytes(pack_time(838, 59, 59), "big")).to_bytes(3, "big"), "-838:59:59"),
        (DECIMAL, b"\x85\xf5\xe0\xff\x63", "99999999.99"),
        (DECIMAL, b"\x7a\x0a\x1f\x00\x9c", "-99999999.99"),
        (BIT, b"\x03\xff", "3FF"),
        (FLOAT, struct.pack("<f", -0.0), "-0.0"),
        (DOUBLE, struct.pack("<d", 1.7976931348623157e308), "1.7976931348623157e+308"),
        (JSON, with_length(b""), "null"),
    ],
)
def test_values_at_their_limits(place: int, value: bytes, text: str) -> None:
    assert text_of(place, value) == text


@pytest.mark.parametrize(
    ("place", "value", "reported"),
    [
        (DATE, pack_date(2026, 13, 1), "no date 2026-13-01"),
        (DATE, pack_date(16383, 1, 1), "no date 16383-01-01"),
        (DATETIME, pack_datetime(10000, 1, 1), "no date 10000-01-01"),
        (DATETIME, bytes(5), "no date"),
        (DATETIME, pack_datetime(2026, 1, 1, 24), "no time 24:00:00"),
        (DATETIME, pack_datetime(2026, 1, 1, 0, 60), "no time 00:60:00"),
        (DATETIME, pack_datetime(2026, 1, 1, 0, 0, 60), "no time 00:00:60"),
        (MICROSECONDS, pack_datetime(2026, 1, 1) + b"\xff\xff\xff", "16777215 microseconds"),
        (TIMESTAMP, b"\x65\0\0\0\xff\xff", "index out of range"),
        (TIME, pack_time(839), "no time 839:00:00"),
        (TIME, pack_time(1, 60), "no time 01:60:00"),
        (TIME, bytes(3), "no time"),
        (DECIMAL, b"\xff\xff\xff\xff\x00", "group of digits"),
        (DECIMAL, b"\x80\x00\x00\x00\xff", "index out of range"),
        (LONG_DECIMAL, b"\x80" + b"\xff" * 4 + bytes(9), "group of digits"),
        (LONG_DECIMAL, b"\x80" + bytes(8) + b"\xff" * 4 + b"\x00", "group of digits"),
        (LONG_DECIMAL, b"\x80" + bytes(12) + b"\xff", "group of digits"),
        (BIT, b"\x04\x00", "more than 10 bits"),
        (FLOAT, struct.pack("<f", float("inf")), "inf is no value"),
        (DOUBLE, struct.pack("<d", float("nan")), "nan is no value"),
        (JSON, with_length(pack_document(["text"])[:-1]), "no 12 bytes for 1 members"),
    ],
)
def test_e13_a_value_that_no_server_writes_is_refused_by_its_column(place: int, value: bytes, reported: str) -> None:
    with pytest.raises((ValueError, IndexError), match=reported):
        text_of(place, value)
    values = [made.value for made in COLUMNS]
    values[place] = value
    kind, body = LOG[3]
    image = b"".join(values)
    spoiled = body[: -len(image)] + image
    with pytest.raises(Refused, match=rf"SW8115: column c{place} of table shop\.orders, at binlog\.000007:\d+"):
        read([*LOG[:3], (kind, spoiled), *LOG[4:]])
