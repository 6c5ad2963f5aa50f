"""Odd values as people write them, in every type: what `canonical` gives, and that a server stores exactly that. The
three callers (defaults and filters, listed keys, tests of specs) differ only where they say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from shardwright.compiler.columns.casts import read_type
from shardwright.compiler.columns.literal_default import literal_default
from shardwright.compiler.expressions.canonical import NotAValue, canonical
from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.compiler.sharding.key_values import NotOfType, key_value
from shardwright.compiler.sql.sql_text import column, to_sql
from shardwright.compiler.sql.transport import canonical_text
from shardwright.specs.findings.diagnostics import Findings, Span
from tests.columns.engines import connect, texts
from tests.servers.testbed import Server

_UTF8 = "character set utf8mb4 collate utf8mb4_bin"
_ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")

Written = dict[str, str | None]
"""The text that is written -> its canonical text; None: refused."""

_WHOLE: Written = {
    "0": "0", "-0": "0", "+5": "5", "007": "7", "1.0": None, "1e3": None, " 1": None, "1 ": None, "1_000": None,
    "٣": None, "": None, "0x10": None, "9" * 5000: None, "18446744073709551616": None,
}  # fmt: skip
_DECIMALS: Written = {
    "0": "0.00", "-0.00": "0.00", "+5": "5.00", "007.5": "7.50", "1.500": "1.50", "1.505": None, ".5": "0.50",
    "5.": "5.00", "1e1": "10.00", "1E-1": "0.10", "1_0": None, "nan": None, "inf": None, " 1": None, "٣": None,
    "": None, ".": None, "99.99": "99.99", "100": None, "1e999999999999999999999": None, "1e-99999": None,
}  # fmt: skip
_FLOATS: Written = {"1.5": "1.5", "1e300": "1e300", "nan": None, "inf": None, "1e400": None, "1_0": None, "٣": None}
_DAYS: Written = {
    "2024-02-29": "2024-02-29", "0000-00-00": "0000-00-00", "9999-12-31": "9999-12-31", "2023-02-29": None,
    "2024-02-30": None, "2024-00-00": None, "2024-13-01": None, "2024-01-32": None, "2024-1-1": None,
    "20240101": None, "2024-01-31".translate(_ARABIC): None, " 2024-01-31": None, "": None,
}  # fmt: skip
_MOMENTS: Written = {
    **{day: text and f"{text} 00:00:00.0" for day, text in _DAYS.items()},
    "2024-01-31 23:59:59": "2024-01-31 23:59:59.0", "2024-01-31T10:20:30": "2024-01-31 10:20:30.0",
    "2024-01-31 10:20:30.5": "2024-01-31 10:20:30.5", "2024-01-31 10:20:30.500000": "2024-01-31 10:20:30.5",
    "2024-01-31 10:20:30.05": None, "2024-01-31 10:20:30.": None, "2024-01-31 10:20": None,
    "2024-01-31 24:00:00": None, "2024-01-31 23:60:00": None, "2024-01-31 23:59:60": None,
}  # fmt: skip
_STAMPS: Written = {
    **{text: made for text, made in _MOMENTS.items() if text != "9999-12-31"},
    "1970-01-01 00:00:01": "1970-01-01 00:00:01.0", "2038-01-19 03:14:07.9": "2038-01-19 03:14:07.9",
    "1970-01-01 00:00:00": None, "1969-12-31": None, "2106-02-07 06:28:16": None, "9999-12-31": None,
}  # fmt: skip
_TIMES: Written = {
    "10:20:30": "10:20:30.0", "-10:20:30.5": "-10:20:30.5", "-00:00:00": "00:00:00.0", "838:59:59": "838:59:59.0",
    "839:00:00": None, "1:20:30": "01:20:30.0", "10:60:00": None, "10:20": None, "10:20:30".translate(_ARABIC): None,
}  # fmt: skip
_YEARS: Written = {"1901": "1901", "1900": None, "2155": "2155", "2156": None, "0000": "0000", "24": None, "٢٠٢٤": None}
_TEXTS: Written = {"": "", "abcd": "abcd", "abcde": None, "ab  ": "ab  ", "中文é🚚": "中文é🚚"}

TABLE: dict[str, Written] = {
    "tinyint": {**_WHOLE, "-128": "-128", "-129": None, "127": "127", "128": None},
    "tinyint unsigned": {**_WHOLE, "-1": None, "255": "255", "256": None},
    "bigint": {**_WHOLE, "9223372036854775807": "9223372036854775807", "9223372036854775808": None},
    "bigint unsigned": {**_WHOLE, "18446744073709551615": "18446744073709551615"},
    "decimal(4,2)": {**_DECIMALS, "-1": "-1.00"},
    "decimal(4,2) unsigned": {**_DECIMALS, "-1": None},
    "decimal(2,2)": {"0.5": "0.50", "1": None, "5": None, "-0.0": "0.00"},
    "decimal(3,0)": {"999": "999", "-0": "0", "1e2": "100", "0.5": None},
    "double": _FLOATS,
    "float": {**_FLOATS, "1e300": None, "3.5e38": None},
    "date": {**_DAYS, "2024-01-31 00:00:00": None},
    "datetime(1)": _MOMENTS,
    "timestamp(1)": _STAMPS,
    "time(1)": _TIMES,
    "year": _YEARS,
    f"varchar(4) {_UTF8}": _TEXTS,
    f"char(4) {_UTF8}": {**_TEXTS, "ab  ": "ab", "abcd  ": "abcd"},
    f"tinytext {_UTF8}": {"x" * 255: "x" * 255, "x" * 256: None, "é" * 127: "é" * 127, "é" * 128: None},
    f"enum('a','B c') {_UTF8}": {"a": "a", "A": None, "a ": None, "B c": "B c", "": None, "1": None},
    f"set('x','y') {_UTF8}": {"": "", "y,x": "x,y", "x,x": "x", "x,": None, "X": None, "z": None, "3": None},
    "binary(2)": {"0x": "0000", "0xaa": "AA00", "0xAABBCC": None, "é": "C3A9", "0xA": None, "0xA A": None},
    "varbinary(2)": {"0x": "", "0xaa": "AA", "0xAABBCC": None},
    "tinyblob": {"0x" + "AA" * 255: "AA" * 255, "0x" + "AA" * 256: None},
}


def _kind(written: str) -> ColumnType:
    findings = Findings()
    made = read_type(written, charset=None, collation=None, span=Span("t", 1, 1), findings=findings)
    assert made is not None, findings.items
    return made.type


def _canonical(text: str, kind: ColumnType) -> str | None:
    try:
        return canonical(text, kind)
    except NotAValue:
        return None


@pytest.mark.parametrize("written", TABLE)
def test_canonical(written: str) -> None:
    kind = _kind(written)
    assert {text: _canonical(text, kind) for text in TABLE[written]} == TABLE[written]


@pytest.fixture(scope="module")
def connection(source_server: Server) -> Iterator[Any]:
    made = connect(source_server, "written_values")
    yield made
    made.close()


@pytest.mark.server
@pytest.mark.parametrize("written", TABLE)
def test_c12_the_server_stores_what_is_written_as_its_canonical_text(connection: Any, written: str) -> None:
    kind = _kind(written)
    made = {text: text_made for text, text_made in TABLE[written].items() if text_made is not None}
    with connection.cursor() as cursor:
        cursor.execute("drop temporary table if exists given")
        cursor.execute(f"create temporary table given (id int primary key, v {written} not null)")
        for number, text in enumerate(made):
            sent = bytes.fromhex(text[2:]) if kind.is_bytes and text.startswith("0x") else text
            cursor.execute("insert into given values (%s, %s)", (number, sent))
            cursor.execute("show warnings")
            assert cursor.fetchall() == (), text
    read = to_sql(canonical_text(column("v"), kind), "mysql")
    stored = [row[0] for row in texts(connection, "given", [read], order="id")]
    assert dict(zip(made, stored, strict=True)) == made


@pytest.mark.parametrize(
    ("written", "text", "value"),
    [
        ("int", "7", 7), ("int", "-0", 0), ("int", "07", None), ("int", "+5", None), ("int", "2147483648", None),
        ("date", "2024-02-30", "2024-02-30"), ("date", "2024-00-00", "2024-00-00"), ("date", "0000-01-01", "0000-01-01"),
        ("date", "2024-13-01", None), ("date", "2024-01-32", None), ("date", "2024-01-31 00:00:00", None),
        ("datetime", "2024-04-31", "2024-04-31 00:00:00"), ("datetime", "2024-01-31 25:61:61", None),
        ("datetime", "2024-01-31 10:20:30.5", None), ("datetime(3)", "2024-01-31 10:20:30.5", "2024-01-31 10:20:30.500"),
        ("timestamp", "2024-02-30", None), ("timestamp", "0000-00-00", "0000-00-00 00:00:00"),
        ("binary(2)", "aa", b"\xaa\x00"), ("binary(2)", "0xAA", b"\xaa\x00"), ("binary(2)", "AABBCC", None),
        ("varbinary(2)", "", b""), ("varbinary(2)", "A A", None), ("varbinary(2)", "AA\tBB", None), ("varbinary(2)", "é", None),
        (f"char(4) {_UTF8}", "ab  ", "ab"), (f"varchar(4) {_UTF8}", "ab  ", "ab  "), (f"varchar(4) {_UTF8}", "abcde", None),
        (f"tinytext {_UTF8}", "é" * 128, None),
    ],
)  # fmt: skip
def test_listed_keys(written: str, text: str, value: object) -> None:
    """Unlike `canonical`: a number has one spelling, bytes are digits only, and a day need not be one of the
    calendar."""
    key = Column("c", _kind(written), False)
    if value is None:
        with pytest.raises(NotOfType):
            key_value(text, key)
    else:
        assert key_value(text, key) == value


@pytest.mark.server
def test_days_that_are_none_are_stored(connection: Any) -> None:
    """What `calendar=False` takes, the sessions of a run store."""
    days = ["0000-00-00", "0000-01-01", "2024-00-00", "2024-01-00", "2024-02-30", "2024-04-31"]
    with connection.cursor() as cursor:
        cursor.execute("create temporary table days (id int primary key, v date not null)")
        cursor.executemany("insert into days values (%s, %s)", list(enumerate(days)))
        cursor.execute("show warnings")
        assert cursor.fetchall() == ()
    assert [row[0] for row in texts(connection, "days", ["v"], order="id")] == days
    assert [canonical(day, _kind("date"), calendar=False) for day in days] == days


@pytest.mark.parametrize(
    ("written", "literal", "text"),
    [
        ("int", "007", "7"), ("int unsigned", "-1", None), ("int", "'7'", None), ("int", "1.0", None),
        ("decimal(2,2)", "0.5", "0.50"), ("decimal(2,2)", "5", None), ("decimal(2,2)", "007.5", None),
        ("decimal(4,2)", "1.500", "1.50"), ("decimal(4,2)", "1.505", None), ("decimal(4,2)", "-0.00", "0.00"),
        ("date", "'2024-01-31'", "2024-01-31"), ("date", "'2024-01-31 00:00:00'", None), ("date", "'2024-02-30'", None),
        ("date", "'0000-00-00'", None), ("datetime(1)", "'2024-01-31'", "2024-01-31 00:00:00.0"),
        ("datetime(1)", "'2024-01-31 10:20:30.500000'", "2024-01-31 10:20:30.5"),
        ("datetime(1)", "'2024-01-31 10:20:30.05'", None), ("datetime(1)", "'2024-01-31T10:20:30'", None),
        ("timestamp", "'1970-01-01'", None), ("timestamp", "'9999-12-31'", None),
        (f"char(4) {_UTF8}", "'ab '", None), (f"varchar(4) {_UTF8}", "'ab '", "ab "), (f"varchar(4) {_UTF8}", "7", None),
        (f"enum('a','B c') {_UTF8}", "'B c'", "B c"), (f"enum('a','B c') {_UTF8}", "'A'", None),
        ("year", "2024", None), ("double", "1.5", None), ("varbinary(2)", "'x'", None),
    ],
)  # fmt: skip
def test_defaults(written: str, literal: str, text: str | None) -> None:
    """Unlike `canonical`: a text is kept as it is written, and a date has the form of the column and is in the
    calendar."""
    findings = Findings()
    span = Span("t", 1, 1, len(literal))
    found = literal_default(literal, Column("c", _kind(written), True), span=span, findings=findings)
    assert found == text
    assert findings.has_errors == (text is None)
