"""A statement of the log for messages: what it does stays, the values in it may be nobody's to read."""

from __future__ import annotations

import re
from typing import Final

from shardwright.specs.files.sql_pieces import BLOCK_COMMENT, LINE_COMMENT, QUOTED_NAME, STRING

_VALUES: Final = re.compile(
    rf"(?P<name>{QUOTED_NAME}|[A-Za-z_$\x80-\U0010ffff][\w$]*+(?!['\"]))|(?P<comment>{LINE_COMMENT}|{BLOCK_COMMENT})"
    rf"|(?P<value>(?:[A-Za-z_]\w*+)?{STRING}|\.?\d[\w.]*+)",
    re.DOTALL,
)
_ENOUGH: Final = 4000
"""Characters that are looked at: far more than a message shows."""


def without_values(statement: bytes, *, length: int) -> str:
    """At most `length` characters of it, with `?` for every text and number; comments are left out. Linear in the
    statement's length."""
    text = statement[:_ENOUGH].decode("utf-8", "replace")
    words = _VALUES.sub(lambda found: found[0] if found["name"] else "?" if found["value"] else "", text)
    shown = " ".join(words.split())
    return shown if len(shown) <= length and len(statement) <= _ENOUGH else shown[:length] + "…"
