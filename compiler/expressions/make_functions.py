"""The checked way to the functions of derived columns, like `make`."""

from __future__ import annotations

from shardwright.compiler.expressions import make
from shardwright.compiler.expressions.comparable import (
    MomentExpression,
)
from shardwright.compiler.expressions.date_parts import DayOf, MomentPart
from shardwright.compiler.expressions.expression import BytesExpression, Expression, IntegerExpression, TextExpression
from shardwright.compiler.expressions.families import family_name
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.expressions.text_functions import (
    AsciiCase,
    ByteCount,
    CharacterCount,
    ExactText,
    HexText,
    LastCharacters,
    Sha2,
    most_bytes,
)
from shardwright.compiler.expressions.texts import Substring

_SHA2_BITS = (224, 256, 384, 512)


def first_characters(value: Expression, count: Expression) -> TextExpression:
    return Substring(_text(value, "left"), 1, _count(count, "left"))


def last_characters(value: Expression, count: Expression) -> TextExpression:
    return LastCharacters(_text(value, "right"), _count(count, "right"))


def ascii_case(value: Expression, *, upper: bool) -> TextExpression:
    return AsciiCase(_text(value, "upper" if upper else "lower"), upper)


def hexadecimal(value: Expression) -> TextExpression:
    part = _text_or_bytes(value, "hex")
    return HexText(part, most_bytes(part))


def sha2(value: Expression, bits: Expression) -> TextExpression:
    if not isinstance(bits, IntegerLiteral) or bits.value not in _SHA2_BITS:
        raise Refusal("SW3006", f"sha2 needs a literal length: {', '.join(map(str, _SHA2_BITS))}")
    return Sha2(_text_or_bytes(value, "sha2"), bits.value)


def character_count(value: Expression) -> IntegerExpression:
    return CharacterCount(_text(value, "char_length"))


def byte_count(value: Expression) -> IntegerExpression:
    part = _text_or_bytes(value, "length")
    return ByteCount(part, most_bytes(part))


def moment_part(part: str, value: Expression) -> IntegerExpression:
    moment = _moment(value, part)
    if moment.fraction is None and part in ("hour", "minute", "second"):
        raise Refusal("SW3006", f"{part} of a DATE is always 0")
    return MomentPart(part, moment)


def day_of(value: Expression) -> MomentExpression:
    moment = _moment(value, "date")
    return moment if moment.fraction is None else DayOf(moment)


def exact_text(value: TextExpression) -> TextExpression:
    return ExactText(value)


def _text(value: Expression, user: str) -> TextExpression:
    if isinstance(value, TextExpression):
        return value
    raise Refusal(
        "SW3006", f"{user} needs text, this is {family_name(value)}", "cast(... as char) makes text of an integer"
    )


def _text_or_bytes(value: Expression, user: str) -> TextExpression | BytesExpression:
    if isinstance(value, TextExpression | BytesExpression):
        return value
    raise Refusal("SW3006", f"{user} needs text or binary, this is {family_name(value)}")


def _moment(value: Expression, user: str) -> MomentExpression:
    if isinstance(value, MomentExpression):
        return value
    raise Refusal("SW3006", f"{user} needs a DATE, DATETIME or TIMESTAMP, this is {family_name(value)}")


def _count(value: Expression, user: str) -> int:
    if isinstance(value, IntegerLiteral) and 0 <= value.value <= make.MOST_CHARACTERS:
        return value.value
    raise Refusal("SW3006", f"{user} needs a literal number of characters")
