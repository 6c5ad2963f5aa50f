"""What a plain YAML scalar means here: `true`, `false`, `null`, decimal numbers; everything else is text. Also: texts
that are durations ("200ms") or sizes ("32MiB"), and which keys name a secret, whose values are never repeated.

YAML 1.1, which most parsers still follow, reads `no` as false, `010` as 8, `1_0` as 10 and `12:30:00` as 45000. A spec
holds column names, table names and SQL, where each of these would be a silent change of meaning.
"""

from __future__ import annotations

import re

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_BYTES = {"B": 1, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3}
_DURATION = re.compile(r"([0-9]{1,9})(ms|s|m|h|d)")
_SIZE = re.compile(r"([0-9]{1,12})(B|KiB|MiB|GiB)")


def seconds(text: str) -> float | None:
    """The duration in seconds; None when it is not a whole number followed by ms, s, m, h or d."""
    match = _DURATION.fullmatch(text)
    return None if match is None else int(match[1]) * _SECONDS[match[2]]


def size_in_bytes(text: str) -> int | None:
    """The size in bytes; None when it is not a whole number followed by B, KiB, MiB or GiB."""
    match = _SIZE.fullmatch(text)
    return None if match is None else int(match[1]) * _BYTES[match[2]]


_SECRET_NAME = re.compile(r"(?i)pas+w(or)?[dt]|passphrase|pwd|secret|token|credential|access.?key")


def speaks_of_a_secret(key: object) -> bool:
    """Whether a value under this key may be a password or the like. Misspelt keys count."""
    return isinstance(key, str) and _SECRET_NAME.search(key) is not None


_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "": None}
# Longer digit strings stay text: Python refuses to convert very long ones, and no setting needs them.
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,17}(?:[eE][-+]?[0-9]{1,2})?|[eE][-+]?[0-9]{1,2})")

YAML_1_1_BOOLEANS = frozenset({"yes", "no", "on", "off", "y", "n", "true", "false"})
"""Lower-case words that other parsers take for a boolean: worth a hint where a boolean was expected."""


def scalar_value(text: str) -> str | int | float | bool | None:
    """The value of a plain (unquoted) scalar."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text
