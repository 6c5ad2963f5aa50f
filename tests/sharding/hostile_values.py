"""Values that have broken sharding functions before, for every type, drawn by a seeded generator."""

from __future__ import annotations

import datetime
import random
from collections.abc import Mapping

from shardwright.compiler.expressions.leaves import IntegerColumn
from shardwright.compiler.plan.catalogue import Column
from tests.sharding.typed_columns import COLUMNS, DATE_COLUMNS

Row = Mapping[str, object]

_TEXTS = (
    *("", " ", "a", "a ", "a  ", " a", "A", "ä", "Ä", "a\u0308", "ß", "ss", "é", "e\u0301", "ÿ", "€", "\x81"),
    *("\x00", "a\x00", "\x00a", "a\x00b", "\t", "\n", "a\n1", "\r\n", "\x7f", "\x1a", "'", '"', "\\", "%", "_", "\\0"),
    *("\U0001f600", "\U0001f468\u200d\U0001f469", "\U0010ffff", "\U00010000", "\uffff", "\ufffd", "\ufeff", "\u200b"),
    *("Привет", "Ёж", "中文", "日本", "\u3000", "ﬁ", "İ", "ı", "\u0130i", "\ud7ff", "\ue000"),
    *("0", "-0", "00", "1", "-1", "+1", "7", "0007", "-0007", "--7", "-", "- 7", " 7", "7 ", "7x", "x7", "1e3", "0x10"),
    *("1.9", "-1.9", "2024", "20240131-77", "-2024", "१२३", "１２", "²", "1\x002", "1\n2", "12\u0301", "٣"),
    *("9" * 17, "9" * 18, "9" * 19, "9" * 20, "-" + "9" * 18, "-" + "9" * 19, "9223372036854775807", "0" * 19 + "5"),
    *("9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551616", "1" * 30),
)
_BYTES = (
    b"",
    b"\x00",
    b"\x00\x00",
    b"a\x00",
    b"a",
    b"a ",
    b"\xff",
    b"\xff" * 8,
    b"\x80abc",
    b"\xc3\xa9",
    b"\xe9",
    b"'\\\n",
)
_CHARACTERS = "aZ09-+ .éÄ€\x00中Ж\U0001f600\u0301\U0010ffff"
_PYTHON_NAMES = {"utf8mb3": "utf-8", "utf8mb4": "utf-8", "latin1": "latin-1", "cp1251": "cp1251", "utf16": "utf-16"}


def rows(count: int, seed: int) -> list[Row]:
    """`count` rows with a value in every column of the table."""
    dice = random.Random(seed)
    return [{name: _value(column, dice) for name, column in COLUMNS.items()} for _ in range(count)]


def _value(column: Column, dice: random.Random) -> object:
    if column.nullable and dice.random() < 0.1:
        return None
    if column.type.is_integer:
        return _integer(column, dice)
    if column.name in DATE_COLUMNS:
        return _date(column, dice)
    return _text(column, dice) if column.type.is_text else _bytes(column, dice)


def _integer(column: Column, dice: random.Random) -> int:
    interval = IntegerColumn(column.name, column.type, column.nullable).interval
    corners = [interval.low, interval.high, 0, interval.high // 2, interval.high // 2 + 1]
    match dice.randrange(4):
        case 0:
            value = dice.choice(corners) + dice.randint(-3, 3)
        case 1:
            value = dice.choice((-1, 1)) * 2 ** dice.randrange(64) + dice.randint(-1, 1)
        case 2:
            value = dice.randint(-300, 300)
        case _:
            value = dice.randint(interval.low, interval.high)
    return min(max(value, interval.low), interval.high)


def _date(column: Column, dice: random.Random) -> str:
    """Canonical text. Days around the ends of months and years, leap days, zero dates."""
    if column.type.name == "timestamp":
        day = datetime.date(1971, 1, 1) + datetime.timedelta(days=dice.randrange(24_000))
    else:
        day = datetime.date(1000, 1, 1) + datetime.timedelta(days=dice.randrange(3_200_000))
    if dice.random() < 0.5:
        near = dice.choice(("2024-02-29", "2024-03-01", "2023-12-31", "2024-01-01", "2000-02-29", "2024-01-31"))
        day = datetime.date.fromisoformat(near) + datetime.timedelta(days=dice.randint(-2, 2))
    text = day.isoformat()
    if column.type.name != "timestamp" and dice.random() < 0.1:
        text = dice.choice(("0000-00-00", "1000-01-01", "9999-12-31", "2024-00-00", "2024-05-00"))
    if column.type.name == "date":
        return text
    text += dice.choice((" 00:00:00", " 23:59:59", " 12:30:01"))
    return text + dice.choice((".000000", ".999999", ".000001")) if column.type.precision else text


def _text(column: Column, dice: random.Random) -> str:
    match dice.randrange(4):
        case 0 | 1:
            value = dice.choice(_TEXTS)
        case 2:
            value = "".join(dice.choice(_CHARACTERS) for _ in range(dice.randrange(1, 12)))
        case _:
            value = str(dice.randint(-(10 ** dice.randrange(1, 20)), 10 ** dice.randrange(1, 20)))
            value += dice.choice(("", "", " ", "x", "é"))
    return _representable(value, column)[: column.type.length or 40]


def _representable(value: str, column: Column) -> str:
    charset = column.type.charset or ""
    if charset == "utf8mb3":
        value = "".join(character for character in value if character <= "\uffff")
    if charset == "latin1":  # the server's latin1 has the euro sign and its like at 0x80..0x9f
        return "".join(
            character for character in value if character == "€" or character <= "\x7f" or "\xa0" <= character <= "\xff"
        )
    return value.encode(_PYTHON_NAMES[charset], errors="ignore").decode(_PYTHON_NAMES[charset])


def _bytes(column: Column, dice: random.Random) -> bytes:
    length = column.type.length or 0
    value = dice.choice(_BYTES) if dice.random() < 0.5 else dice.randbytes(dice.randrange(length + 1))
    return (value + b"\x00" * dice.choice((0, 0, 1, 5)))[:length]
