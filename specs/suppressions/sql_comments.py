"""The line comments of a SQL text. Strings, quoted names and block comments are read over."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shardwright.specs.suppressions.yaml_comments import PlacedComment

_PIECE = re.compile(
    r"(?P<comment>--(?=[\s\x00-\x1f]|$)[^\n]*|#[^\n]*)"
    r"|'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"|`[^`]*`|/\*.*?\*/",
    re.DOTALL | re.MULTILINE,
)


def sql_comments(text: str) -> Iterator[PlacedComment]:
    """Every line comment. One alone on its line speaks about the next line that is no comment, another about its own."""
    found = {}
    for match in _PIECE.finditer(text):
        if match["comment"]:
            line_start = text.rfind("\n", 0, match.start()) + 1
            found[text.count("\n", 0, match.start())] = (match, match.start() - line_start)
    lines = text.split("\n")
    alone = {number for number, (_, column) in found.items() if not lines[number][:column].strip()}
    for number, (match, column) in found.items():
        target = number
        while target in alone:
            target += 1
        yield PlacedComment(match.group().rstrip(), number + 1, column + 1, target + 1, target + 1)
