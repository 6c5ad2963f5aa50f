"""Which statements does a SQL script hold? It is read in the way of the servers' own command line client. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shardwright.specs.files.sql_pieces import BLOCK_COMMENT, LINE_COMMENT, QUOTED_NAME, STRING

# Text in which a delimiter has no meaning. A comment with `!` is part of a statement and stays in it.
_OPAQUE = re.compile(f"{STRING}|{QUOTED_NAME}|{LINE_COMMENT}|{BLOCK_COMMENT}", re.DOTALL)
_COMMENT = re.compile(r"--|#|/\*(?![!M])")
_PLAIN_COMMENT = re.compile(rf"{LINE_COMMENT}|(?!/\*[!M]){BLOCK_COMMENT}", re.DOTALL)
_DELIMITER = re.compile(r"\s*DELIMITER[ \t]+(\S+)[ \t]*(?:\n|$)", re.IGNORECASE)


def statements(script: str) -> Iterator[str]:
    """The statements of `script` in order, without their delimiters. `DELIMITER` lines are obeyed and left out."""
    delimiter = ";"
    start = at = 0
    begun = False  # whether anything but blanks and comments is between start and at
    while at < len(script):
        if not begun and (changed := _DELIMITER.match(script, at)):
            delimiter = changed[1]
            start = at = changed.end()
        elif script.startswith(delimiter, at):
            yield from _unless_blank(script[start:at])
            start = at = at + len(delimiter)
            begun = False
        elif opaque := _OPAQUE.match(script, at):
            begun = begun or not _COMMENT.match(opaque[0])
            at = opaque.end()
        else:
            here, at = at, _next_mark(script, at + 1, delimiter[0])
            begun = begun or not script[here:at].isspace()
    yield from _unless_blank(script[start:])


def _next_mark(script: str, at: int, delimiter: str) -> int:
    """The next position at which something other than plain text may begin."""
    found = re.compile(rf"""['"`#/\-\n{re.escape(delimiter)}]""").search(script, at)
    return found.start() if found else len(script)


def _unless_blank(text: str) -> Iterator[str]:
    if _PLAIN_COMMENT.sub("", text).strip():
        yield text.strip()
