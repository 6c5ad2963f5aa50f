"""The functions of sharding rules, derived columns and row filters: what each takes, and its three forms."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp

from shardwright.compiler.expressions.call import Call, Function, IntegerCall, Parameter, TextCall
from shardwright.compiler.expressions.comparable import MomentExpression
from shardwright.compiler.expressions.expression import (
    BytesExpression,
    Expression,
    MysqlInteger,
    Octets,
    TextExpression,
    octets,
)
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.expressions.make import Maker, Refusal, as_text, family_name

MOST_CHARACTERS = 2**30
"""Bound of substr's position and length: far above any shard key, far below where a 32-bit sum overflows."""

_LONGEST_TEXT = 2**32 - 1
_BYTES_A_CHARACTER = 4


def _needs(kind: type[Expression] | tuple[type[Expression], ...], what: str, hint: str | None = None) -> Parameter:
    def check(value: Expression, user: str) -> Expression:
        if isinstance(value, kind):
            return value
        raise Refusal("SW3006", f"{user} needs {what}, this is {family_name(value)}", hint)

    return check


_TEXT_HINT = "cast(... as char) makes text of an integer"
_TEXT = _needs(TextExpression, "text", _TEXT_HINT)
_OCTETS = _needs((TextExpression, BytesExpression), "text or binary")
_MOMENT = _needs(MomentExpression, "a DATE, DATETIME or TIMESTAMP")
_SHA2_BITS = (224, 256, 384, 512)


def _digits(value: Expression, user: str) -> Expression:
    """An integer by its decimal digits."""
    return value if isinstance(value, BytesExpression) else as_text(value, user)


def _substr_text(value: Expression, user: str) -> Expression:
    if isinstance(value, TextExpression):
        return value
    raise Refusal("SW3006", f"{user} needs text", _TEXT_HINT)


def _time(value: Expression, user: str) -> Expression | int:
    if isinstance(value, MomentExpression) and value.fraction is None:
        raise Refusal("SW3006", f"{user} of a DATE is always 0")
    return _MOMENT(value, user)


def _count(value: Expression, user: str) -> int:
    if isinstance(value, IntegerLiteral) and 0 <= value.value <= MOST_CHARACTERS:
        return value.value
    raise Refusal("SW3006", f"{user} needs a literal number of characters")


def _bits(value: Expression, user: str) -> int:
    if isinstance(value, IntegerLiteral) and value.value in _SHA2_BITS:
        return value.value
    raise Refusal("SW3006", f"{user} needs a literal length: {', '.join(map(str, _SHA2_BITS))}")


def _literal(what: str, least: int) -> Parameter:
    def check(value: Expression, user: str) -> int:
        if not isinstance(value, IntegerLiteral):
            raise Refusal("SW3006", f"{user} needs a literal {what}")
        if least <= value.value <= MOST_CHARACTERS:
            return value.value
        limits = f"{least} or more (at most {MOST_CHARACTERS})"
        raise Refusal("SW3006", f"{user}'s {what} must be {limits}, not {value.value}")

    return check


_POSITION, _LENGTH = _literal("position", 1), _literal("length", 0)


def _cut(count: int, longest: int | None) -> int | None:
    return count if longest is None else min(count, longest)


def _rest(value: TextExpression, position: int) -> int | None:
    return None if value.longest is None else max(0, value.longest - position + 1)


def _sum(*parts: TextExpression) -> int | None:
    lengths = [part.longest for part in parts]
    return None if None in lengths else sum(length for length in lengths if length is not None)


def _most_bytes(value: Octets) -> int | None:
    """An upper bound of the bytes of a value, where one is known."""
    if isinstance(value, TextExpression):
        return None if value.longest is None else _BYTES_A_CHARACTER * value.longest
    return getattr(getattr(value, "type", None), "length", None)


def _hex_digits(value: Octets) -> int | None:
    most = _most_bytes(value)
    return None if most is None else 2 * most


def _up_to(most: int | None) -> Interval:
    return Interval(0, _LONGEST_TEXT if most is None else most)


def _concat(*parts: exp.Expr) -> exp.Expr:
    return exp.Concat(expressions=list(parts), safe=True, coalesce=False)


EXACT = Function(
    "binary", (_TEXT,), TextCall, bounds=lambda text: text.longest, python=lambda text: text, spark=lambda node: node
)
"""`binary x`: the author's word that x is compared by its bytes, whatever its collation."""

CONCAT = Function("concat", (as_text,), TextCall, bounds=_sum, python=lambda *parts: "".join(parts), spark=_concat)

SUBSTR = Function(
    "substr", (_substr_text, _POSITION, _LENGTH), TextCall,
    bounds=lambda text, position, length: _cut(length, _rest(text, position)),
    python=lambda text, position, length: text[position - 1 : position - 1 + length],
    spark="SUBSTRING(hole_1, hole_2, hole_3)",
)  # fmt: skip
"""Code points, counted from 1."""

SUBSTR_TO_END = Function(
    "substr", (_substr_text, _POSITION), TextCall, bounds=_rest,
    python=lambda text, position: text[position - 1 :],
    spark="SUBSTRING(hole_1, hole_2)",
)  # fmt: skip

LEFT = Function(
    "left", (_TEXT, _count), TextCall,
    bounds=lambda text, count: _cut(count, text.longest),
    python=lambda text, count: text[:count],
    spark="SUBSTRING(hole_1, 1, hole_2)",
)  # fmt: skip

RIGHT = Function(
    "right", (_TEXT, _count), TextCall,
    bounds=lambda text, count: _cut(count, text.longest),
    python=lambda text, count: text[max(0, len(text) - count) :],
    spark="RIGHT(hole_1, hole_2)",
)  # fmt: skip


def _case(name: str, old: str, new: str) -> Function[TextCall]:
    """Of the letters A to Z alone. Beyond ASCII the engines do not agree: upper('ß') is 'SS' in Spark and 'ß' in MySQL,
    lower('İ') two characters in the one and one in the other, and the tables grow with every version of Unicode.
    MySQL's form looks at the UTF-8 bytes through `hebrew`, an 8-bit character set whose upper half has no letter case.
    """
    in_hebrew = f"{name}(CAST(CAST(hole_1 AS BINARY) AS CHAR CHARACTER SET hebrew))"
    return Function(
        name, (_TEXT,), TextCall,
        bounds=lambda text: text.longest,
        python=lambda text: text.translate(str.maketrans(old, new)),
        spark=f"TRANSLATE(hole_1, '{old}', '{new}')",
        mysql=f"CAST(CAST({in_hebrew} AS BINARY) AS CHAR CHARACTER SET utf8mb4)",
    )  # fmt: skip


_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
UPPER = _case("upper", _CAPITALS.lower(), _CAPITALS)
LOWER = _case("lower", _CAPITALS, _CAPITALS.lower())

HEX = Function(
    "hex", (_OCTETS,), TextCall, bounds=_hex_digits, octets=True,
    python=lambda value: octets(value).hex().upper(),
    spark="HEX(hole_1)",
    mysql="CAST(HEX(hole_1) AS CHAR CHARACTER SET utf8mb4)",
)  # fmt: skip

SHA2 = Function(
    "sha2", (_OCTETS, _bits), TextCall, bounds=lambda _, bits: bits // 4, octets=True,
    python=lambda value, bits: hashlib.new(f"sha{bits}", octets(value)).hexdigest(),
    spark="SHA2(hole_1, hole_2)",
    mysql="CAST(SHA2(hole_1, hole_2) AS CHAR CHARACTER SET utf8mb4)",
)  # fmt: skip

CHAR_LENGTH = Function(
    "char_length", (_TEXT,), IntegerCall, bounds=lambda text: _up_to(text.longest), python=len,
    spark="CAST(LENGTH(hole_1) AS BIGINT)",
    mysql="CHAR_LENGTH(hole_1)",
)  # fmt: skip

LENGTH = Function(
    "length", (_OCTETS,), IntegerCall, bounds=lambda value: _up_to(_most_bytes(value)), octets=True,
    python=lambda value: len(octets(value)),
    spark="CAST(LENGTH(hole_1) AS BIGINT)",
    mysql="LENGTH(hole_1)",
)  # fmt: skip
"""Bytes of a text in UTF-8, not in the column's character set."""

CRC32 = Function(
    "crc32", (_digits,), IntegerCall, bounds=Interval(0, 2**32 - 1), octets=True, mysql_type=MysqlInteger.UNSIGNED,
    python=lambda value: zlib.crc32(octets(value)),
    spark="CRC32(hole_1)",
)  # fmt: skip
"""The polynomial of zlib and gzip."""

MD5_PREFIX = Function(
    "md5", (), IntegerCall, octets=True, mysql_type=MysqlInteger.UNSIGNED,
    bounds=lambda _, digits: Interval(0, 16**digits - 1),
    python=lambda value, digits: int(hashlib.md5(octets(value), usedforsecurity=False).hexdigest()[:digits], 16),
    spark="CAST(CONV(SUBSTRING(MD5(hole_1), 1, hole_2), 16, 10) AS BIGINT)",
    mysql="CAST(CONV(SUBSTRING(MD5(hole_1), 1, hole_2), 16, 10) AS UNSIGNED)",
)  # fmt: skip
"""The first 1 to 15 hexadecimal digits as a number. MySQL 9.6 moved MD5() out of the server: there `INSTALL COMPONENT
'file://component_classic_hashing'` brings it back. MariaDB, and MySQL before, have it built in."""


def _part(name: str, start: int, length: int, most: int) -> Function[IntegerCall]:
    """Of a date or time, from its canonical text; that of a zero date is 0."""
    function = "DAYOFMONTH" if name == "day" else name.upper()
    return Function(
        name, (_time if start > len("YYYY-MM-DD") else _MOMENT,), IntegerCall, bounds=Interval(0, most),
        python=lambda text: int(text[start - 1 : start - 1 + length]),
        spark=f"CAST(SUBSTRING(hole_1, {start}, {length}) AS BIGINT)",
        mysql=f"{function}(hole_1)",
    )  # fmt: skip


YEAR, MONTH, DAY = _part("year", 1, 4, 9999), _part("month", 6, 2, 12), _part("day", 9, 2, 31)
HOUR, MINUTE, SECOND = _part("hour", 12, 2, 23), _part("minute", 15, 2, 59), _part("second", 18, 2, 59)


class DateCall(Call, MomentExpression):
    __slots__ = ()
    fraction = None


_DATE = Function(
    "date", (_MOMENT,), DateCall, bounds=None, python=lambda text: text[:10],
    spark="LEFT(hole_1, 10)",
    mysql="CAST(hole_1 AS DATE)",
)  # fmt: skip


def date(value: Expression) -> Expression:
    made = _DATE.check(value)
    return value if isinstance(value, MomentExpression) and value.fraction is None else made


def _length(node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    return (LENGTH if node.args.get("binary") else CHAR_LENGTH).check(operands[0])


def _call(function: Function[Any]) -> Maker:
    return lambda _node, operands: function.check(*operands)


CALLS: Mapping[type[exp.Expr], Maker] = {
    exp.Left: _call(LEFT),
    exp.Right: _call(RIGHT),
    exp.Upper: _call(UPPER),
    exp.Lower: _call(LOWER),
    exp.Hex: _call(HEX),
    exp.SHA2: _call(SHA2),
    exp.Length: _length,
    exp.Year: _call(YEAR),
    exp.Month: _call(MONTH),
    exp.Day: _call(DAY),
    exp.DayOfMonth: _call(DAY),
    exp.Hour: _call(HOUR),
    exp.Minute: _call(MINUTE),
    exp.Second: _call(SECOND),
    exp.TsOrDsToDate: lambda _node, operands: date(operands[0]),
}
"""Which of sqlglot's nodes they are for, beyond those of sharding rules."""
