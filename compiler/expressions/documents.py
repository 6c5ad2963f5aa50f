"""How does MySQL print a JSON document? The decoder of the log prints numbers by it, and a document that a person
writes becomes what SELECT would print. Pure.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring as quoted
from typing import NoReturn

_WORDS: Mapping[object, str] = {None: "null", True: "true", False: "false"}
_WHOLE = (-(2**63), 2**64 - 1)
_ALIKE = (1e-4, 1e15)
"""Between these, Python and the server print a number alike."""
_MOST_ZEROS = 14
"""After the point, before the server prints an exponent."""


def read_document(text: str) -> object:
    """Raises ValueError for a text that is no document of MySQL's."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it has too many levels") from None


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def print_document(value: object) -> str:
    """Keys sorted by their length in bytes, then by their bytes. Raises ValueError for a value that no document has."""
    if isinstance(value, Mapping):
        keys = sorted(((str(key), item) for key, item in value.items()), key=lambda pair: _order(pair[0]))
        return f"{{{', '.join(f'{quoted(key)}: {print_document(item)}' for key, item in keys)}}}"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Sequence):
        return f"[{', '.join(map(print_document, value))}]"
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, int) and _WHOLE[0] <= value <= _WHOLE[1]:
        return str(value)
    if isinstance(value, int | float):
        return double_text(float(value))
    raise ValueError(f"{value!r} is no part of a document")


def _order(key: str) -> tuple[int, bytes]:
    raw = key.encode()
    return len(raw), raw


def double_text(number: float) -> str:
    """The shortest digits that give the number again. The server prints an exponent for a whole number of more than 15
    digits, and for a number with more than 14 zeros after the point. Raises ValueError for infinity and what is no
    number."""
    if not math.isfinite(number):
        raise ValueError(f"{number} is no value of a document")
    text = repr(number)
    if _ALIKE[0] <= abs(number) < _ALIKE[1] or number == 0 or not (number.is_integer() or abs(number) < 1):
        return text
    sign = "-" if number < 0 else ""
    mantissa, _, power = text.lstrip("-").partition("e")
    whole, _, part = mantissa.partition(".")
    part = part.rstrip("0")
    digits = (whole + part).lstrip("0")
    exponent = int(power or 0) - len(part) + len(digits) - 1
    digits = digits.rstrip("0")
    if -1 - _MOST_ZEROS <= exponent < 0:
        return f"{sign}0.{'0' * (-1 - exponent)}{digits}"
    point = "." if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{point}{digits[1:]}e{exponent}"
