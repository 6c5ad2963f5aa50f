"""Where the statements of a schema file begin and end, found by regular expressions: sqlglot's tokenizer is Python
and takes a hundred times as long. Nothing is guessed: a text with anything that the expressions do not know for
certain (version comments, quotes that are not closed, `{#`) is not cut, and is read through the tokenizer as a whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

STRINGS = r"""'(?:[^'\\]++|\\.|'')*+' | "(?:[^"\\]++|\\.|"")*+" """
NAME = r"`[^`\\]++`(?!`)"
_OUTSIDE = r"[^'\"`;\#\-/{\\]++"
_COMMENT = r"--(?=[ \t\r\n])[^\n]*+ | \#(?!>)[^\n]*+ | /\*(?![!+]|M!)(?>.*?\*/)"
_FLAGS = re.VERBOSE | re.DOTALL | re.IGNORECASE

_PIECE = re.compile(rf"(?: {_OUTSIDE} | {NAME} | {STRINGS} | {_COMMENT} | -(?!-) | /(?!\*) )*+ (?: ; | \Z )", _FLAGS)
_HEAD = re.compile(
    rf""";? (?: \s++ | {_COMMENT} )*+ (CREATE)\s++TABLE\s++ (?: IF\s++NOT\s++EXISTS\s++ )?
    (?: {NAME} | (?!TRIGGER\b)\w++ ) \s*+ \(""",
    _FLAGS,
)


class Uncertain(Exception):
    """What a part of the file means is known only after all of it has been read by the tokenizer."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the text: from the semicolon before it to its own. A CREATE TABLE when `opening` (the place after its
    first bracket) is not None, else any number of other statements. `create` is where its first word ends."""

    start: int
    end: int
    create: int | None
    opening: int | None


def cut(text: str) -> tuple[Region, ...]:
    """All of `text`, in its order. Raises Uncertain when it is not certain where its statements end."""
    regions: list[Region] = []
    end = 0
    while end < len(text):
        found = _PIECE.match(text, end)
        if found is None:
            raise Uncertain
        start, end = max(0, end - 1), found.end()
        head = _HEAD.match(text, start, end)
        if head is None and regions and regions[-1].opening is None:
            start = regions.pop().start
        regions.append(Region(start, end, head.end(1) if head else None, head.end() if head else None))
    return tuple(regions)
