"""Compressed events: MySQL's whole transactions (zstd), MariaDB's rows and statements (zlib). The same statements give
the same changes without compression (hazard E12).
"""

from __future__ import annotations

import tracemalloc
import zlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.before_columns import BeforeColumns
from shardwright.runtime.sources.binlog.decompress import _PLAIN, plain_events
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.events import COMPRESSED, HEADER, HEADER_SIZE, Kind, LogEvent
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.scan import next_boundary
from shardwright.runtime.sources.binlog.update_chains import UpdateChains
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.specs.environment.environment import BatchLimits
from tests.binlog.log_source import Source

TABLE = "CREATE OR REPLACE TABLE e12 (id INT PRIMARY KEY, v TEXT, w VARCHAR(40))"
SEQUENCE = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {}) SELECT {} FROM n"
STATEMENTS = (
    "BEGIN",
    f"INSERT INTO e12 {SEQUENCE.format(600, 'n, REPEAT(CHAR(65 + n % 26), 400), n')}",
    "SAVEPOINT a",
    "INSERT INTO elsewhere_e12 VALUES (1, REPEAT('x', 900))",
    "UPDATE e12 SET w = REPEAT('u', 30) WHERE id % 3 = 0",
    "UPDATE e12 SET w = REPEAT('w', 31) WHERE id = 3",
    "DELETE FROM e12 WHERE id > 500",
    "COMMIT",
    f"ALTER TABLE elsewhere_e12 COMMENT '{'c' * 900}'",
    "UPDATE e12 SET v = REPEAT('v', 70000) WHERE id = 1",
    "DELETE FROM e12 WHERE id = 2",
)
SAID = ("table", "op", "before", "after")


@pytest.fixture
def compressing(source: Source) -> Iterator[Source]:
    source.run(TABLE, "CREATE OR REPLACE TABLE elsewhere_e12 (id INT PRIMARY KEY, v TEXT)")
    if source.is_mysql:
        yield source
        return
    source.run("SET GLOBAL log_bin_compress = ON")
    yield source
    source.run("SET GLOBAL log_bin_compress = OFF")


def write_statements(source: Source, *, on: bool) -> LogPosition:
    """The place before STATEMENTS, which are in the log now."""
    source.run("TRUNCATE e12", "TRUNCATE elsewhere_e12")
    start = source.head()
    if source.is_mysql:
        source.run(f"SET SESSION binlog_transaction_compression = {int(on)}", *STATEMENTS)
    else:
        source.run(f"SET GLOBAL log_bin_compress = {int(on)}", *STATEMENTS)
    return start


def without_places(changes: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [tuple(change[name] for name in SAID) for change in changes]


@pytest.mark.server
def test_e12_compressed_events_are_read_as_plain_ones(compressing: Source) -> None:
    source = compressing
    plain, between = write_statements(source, on=False), source.head()
    start = write_statements(source, on=True)
    assert source.head().offset - start.offset < (between.offset - plain.offset) / 2, "nothing was compressed"
    wanted = source.changes(plain, "e12", end=between)
    found = source.changes(start, "e12")
    assert len(found) > 800 and without_places(found) == without_places(wanted)
    places = [(change["epoch"], change["file"], change["offset"], change["row"]) for change in found]
    assert places == sorted(set(places)), "two changes have one place, or they are not in order"

    by_id = {"shop.e12": BeforeColumns(frozenset({0}), (0,), row=(0,))}
    folded = source.changes(start, "e12", replaced=by_id, chains=UpdateChains())
    assert len(folded) == len(found) - 1, "of the two updates of row 3 the last is left"
    last = {(change["op"], change["offset"], change["row"]): change["after"] for change in found}
    assert all(change["after"] == last[change["op"], change["offset"], change["row"]] for change in folded)
    assert list(dump(source.settings, start, source.head()))[-1].end == source.head().offset


@pytest.mark.server
def test_e12_no_boundary_is_within_a_compressed_transaction(compressing: Source) -> None:
    source = compressing
    start = write_statements(source, on=True)
    log = Log(source.settings, source.columns_of("e12"))
    small = BatchLimits(max_rows=1, max_bytes=1)
    ends, counted = [start], 0
    while (boundary := next_boundary(log, ends[-1], limits=small)).end != ends[-1]:
        ends.append(replace(boundary.end))
        counted += boundary.rows
    assert len(ends) == 5, "three transactions and a statement"
    assert ends[-1].offset == source.head().offset
    rows = sum(len(source.changes(first, "e12", end=last)) for first, last in pairwise(ends))
    assert rows == len(source.changes(start, "e12")) and counted == pytest.approx(rows, rel=0.5)


def event(kind: int, body: bytes) -> LogEvent:
    data = HEADER.pack(7, kind, 1, HEADER_SIZE + len(body), 0, 0) + body
    return LogEvent(kind, 7, 0, "binlog.000001", 100, 200, data)


def payload(events: bytes, *fields: tuple[int, int]) -> LogEvent:
    head = b"".join(bytes([name, 9, 254]) + number.to_bytes(8, "little") for name, number in fields)
    return event(int(Kind.TRANSACTION_PAYLOAD), head + b"\0" + events)


INNER = event(int(Kind.ROWS_QUERY), b"first").data + event(int(Kind.XID), b"12345678").data


def test_events_of_a_payload_have_its_place_and_lines_of_their_own() -> None:
    zstd = pa.Codec("zstd").compress(INNER, asbytes=True)
    for made in (payload(INNER, (2, 255)), payload(zstd, (2, 0), (3, len(INNER)))):
        first, last = plain_events(made)
        assert (first.kind, first.start, first.end, first.line) == (Kind.ROWS_QUERY, 100, 100, 0)
        assert (last.kind, last.start, last.end, last.line) == (Kind.XID, 100, 200, len(first.data))
        assert first.data + last.data == INNER


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (payload(INNER, (2, 7)), "SW8115"),
        (payload(b"", (2, 0), (3, (1 << 24) - 1)), "SW8116"),
        (payload(INNER[:-1], (2, 255)), "SW8116"),
        (payload(INNER, (2, 0), (3, len(INNER))), "SW8116"),
        (payload(event(int(Kind.TRANSACTION_PAYLOAD), b"").data, (2, 255)), "SW8116"),
        (payload(event(int(Kind.XID), b"").data[:-10] + b"\0" * 10, (2, 255)), "SW8116"),
        (event(int(Kind.WRITE_ROWS_COMPRESSED_V1), bytes(8) + b"\1\1" + b"\x94\4"), "SW8115"),
        (event(int(Kind.WRITE_ROWS_COMPRESSED_V1), bytes(8) + b"\1\1" + b"\x81\4" + zlib.compress(b"abc")), "SW8116"),
        (event(int(Kind.QUERY_COMPRESSED), b"short"), "SW8116"),
        (
            event(int(Kind.WRITE_ROWS_COMPRESSED_V1), bytes(8) + b"\1\1" + b"\x81\3" + zlib.compress(b"abc")[:-1]),
            "SW8116",
        ),
        (
            event(int(Kind.WRITE_ROWS_COMPRESSED_V1), bytes(8) + b"\1\1" + b"\x84\x7f\0\0\0" + zlib.compress(b"a")),
            "SW8115",
        ),
        (payload(event(int(Kind.XID), b"").data[:9] + b"\0\0\0\x7f" + bytes(6), (2, 255), (3, 0x7F000010)), "SW8115"),
    ],
    ids=[*"abcdefghijkl"],
)
def test_what_cannot_be_read_is_refused_with_its_place(made: LogEvent, code: str) -> None:
    with pytest.raises(Refused, match=rf"{code}.*binlog\.000001:100"):
        list(plain_events(made))


@pytest.mark.parametrize("form", ["statement", "rows"])
def test_s6_a_compressed_event_takes_no_more_memory_than_it_says(form: str) -> None:
    """A bomb: it says one byte, and 100 MB would come out."""
    packer = zlib.compressobj(9)
    bomb = b"\x81\1" + b"".join(packer.compress(bytes(1 << 20)) for _ in range(100)) + packer.flush()
    head = bytes(4 + 4 + 1 + 2 + 2) + b"\0" if form == "statement" else bytes(8) + b"\1\1"
    kind = Kind.QUERY_COMPRESSED if form == "statement" else Kind.WRITE_ROWS_COMPRESSED_V1
    made = event(int(kind), head + bomb)
    tracemalloc.start()
    try:
        with pytest.raises(Refused, match=r"SW8116: .*binlog\.000001:100.*1 bytes were compressed, and more come out"):
            list(plain_events(made))
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_transaction_too_large_for_line_numbers_is_refused() -> None:
    body = bytes([3, 9, 254]) + (1 << 31).to_bytes(8, "little") + b"\0"
    with pytest.raises(Refused, match=r"SW8115: .*2,147,483,648 bytes"):
        list(plain_events(event(int(Kind.TRANSACTION_PAYLOAD), body)))


def test_all_compressed_kinds_have_a_plain_one() -> None:
    assert set(_PLAIN) | {int(Kind.TRANSACTION_PAYLOAD)} == COMPRESSED
