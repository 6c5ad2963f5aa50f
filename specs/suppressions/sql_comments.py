"""The line comments of a SQL text. Strings, quoted names and block comments are read over."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.specs.files.sql_pieces import pieces
from shardwright.specs.suppressions.yaml_comments import PlacedComment


def sql_comments(text: str) -> Iterator[PlacedComment]:
    """Every line comment. One alone on its line speaks about the next line that is no comment, another about its own."""
    found = list(_line_comments(text))
    lines = text.split("\n")
    targets: dict[int, int] = {}
    for line, column, _ in reversed(found):  # from below, so that it is known what the line below speaks about
        is_alone = not lines[line - 1][: column - 1].strip()
        targets[line] = targets.get(line + 1, line + 1) if is_alone else line
    for line, column, comment in found:
        yield PlacedComment(comment, line, column, targets[line], targets[line])


def _line_comments(text: str) -> Iterator[tuple[int, int, str]]:
    """Line and column, from 1, and the comment."""
    line, line_start, counted = 1, 0, 0
    for piece in pieces(text):
        if piece.lastgroup != "line":
            continue
        start = piece.start()
        if newlines := text.count("\n", counted, start):
            line += newlines
            line_start = text.rfind("\n", counted, start) + 1
        counted = start
        yield line, start - line_start + 1, piece.group().rstrip()
