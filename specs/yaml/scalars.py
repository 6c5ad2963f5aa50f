"""What a plain YAML scalar means here: `true`, `false`, `null`, decimal numbers; everything else is text.

YAML 1.1, which most parsers still follow, reads `no` as false, `010` as 8, `1_0` as 10 and `12:30:00` as 45000. A spec
holds column names, table names and SQL, where each of these would be a silent change of meaning.
"""

from __future__ import annotations

import re

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
