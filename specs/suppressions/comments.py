"""The comments of a YAML text and the line comments of a SQL text, each with its place. Strings, quoted names and block
comments are read over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from shardwright.specs.files.sql_pieces import pieces

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BLOCK_HEADER = re.compile(r"[|>][0-9+-]*")


@dataclass(frozen=True, slots=True)
class CommentPlace:
    """`line` counts from 1, `column` from 1. `first` and `last` are the lines it speaks about."""

    text: str
    line: int
    column: int
    first: int
    last: int


@dataclass(slots=True)
class _Texts:
    """Where scalars stand: `covered` columns by line (from 0), and the last line of one that begins on a line."""

    covered: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    ends: dict[int, int] = field(default_factory=dict)

    def is_text(self, line: int, column: int) -> bool:
        return any(start <= column < end for start, end in self.covered.get(line, ()))


def yaml_comments(text: str) -> Iterator[CommentPlace]:
    """Every comment. One alone on its line speaks about the next line that is no comment, another about its own;
    both about the whole of a text of several lines that begins there. Nothing for a text that is not YAML."""
    lines = text.split("\n")
    try:
        texts = _texts(text, lines)
    except yaml.YAMLError:
        return
    for number, line in enumerate(lines):
        column = _comment_start(line, number, texts)
        if column is None:
            continue
        target = _line_below(lines, number, texts) if not line[:column].strip() else number
        yield CommentPlace(line[column:], number + 1, column + 1, target + 1, texts.ends.get(target, target) + 1)


def _texts(text: str, lines: list[str]) -> _Texts:
    texts = _Texts()
    for token in yaml.scan(text, Loader=_LOADER):
        if not isinstance(token, yaml.ScalarToken):
            continue
        start, end = token.start_mark, token.end_mark
        for number in range(start.line, min(end.line, len(lines) - 1) + 1):
            first = start.column if number == start.line else 0
            last = end.column if number == end.line else len(lines[number])
            if number == start.line and token.style in ("|", ">"):
                header = _BLOCK_HEADER.match(lines[number], first)
                last = header.end() if header else last
            texts.covered.setdefault(number, []).append((first, last))
        if end.line > start.line:
            texts.ends[start.line] = end.line if end.column else end.line - 1
    return texts


def _comment_start(line: str, number: int, texts: _Texts) -> int | None:
    for match in re.finditer(r"(?:(?<=\s)|^)#", line):
        if not texts.is_text(number, match.start()):
            return match.start()
    return None


def _line_below(lines: list[str], number: int, texts: _Texts) -> int:
    for below in range(number + 1, len(lines)):
        column = _comment_start(lines[below], below, texts)
        if column is None or lines[below][:column].strip():
            return below
    return number


def sql_comments(text: str) -> Iterator[CommentPlace]:
    """Every line comment. One alone on its line speaks about the next line that is no comment, another about its
    own."""
    found = list(_line_comments(text))
    lines = text.split("\n")
    targets: dict[int, int] = {}
    for line, column, _ in reversed(found):  # from below, so that it is known what the line below speaks about
        is_alone = not lines[line - 1][: column - 1].strip()
        targets[line] = targets.get(line + 1, line + 1) if is_alone else line
    for line, column, comment in found:
        yield CommentPlace(comment, line, column, targets[line], targets[line])


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
