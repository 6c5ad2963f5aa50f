"""Where each character of a YAML text stands in its file: for findings inside expressions.

One walk serves all styles. White space may be folded, so its place is only near; every other character's is exact.
"""

from __future__ import annotations

from collections.abc import Sequence

_LONG_ESCAPES = {"x": 4, "u": 6, "U": 10}


def character_places(
    lines: Sequence[str], *, start: tuple[int, int], end: tuple[int, int], quote: str, value: str
) -> tuple[tuple[int, int], ...]:
    """Line and column (from 1) of every character of `value`, which was read from between `start` and `end` (from 0,
    without quotes and block signs). `quote` is the sign around it, or empty. Nothing when the two do not fit together.
    """
    text = _between(lines, start, end)
    position = 0
    offsets: list[int] = []
    for character in value:
        position = _skipped(text, position, white_space=not character.isspace(), quote=quote)
        if position >= len(text):
            if not character.isspace():
                return ()
            offsets.append(len(text))
            continue
        width = _width(text, position, character, quote)
        if width is None:
            return ()
        offsets.append(position)
        position += width
    return _places(text, offsets, start)


def _between(lines: Sequence[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    text = "\n".join(lines[start[0] : end[0] + 1])
    after = len(lines[end[0]]) - end[1] if end[0] < len(lines) else 0
    return text[start[1] : len(text) - after]


def _skipped(text: str, position: int, *, white_space: bool, quote: str) -> int:
    """The position of the next character that stands for something."""
    while position < len(text):
        if quote == '"' and text.startswith("\\\n", position):
            position += 2
            while text.startswith((" ", "\n"), position):
                position += 1
        elif white_space and text[position].isspace():
            position += 1
        else:
            break
    return position


def _width(text: str, position: int, character: str, quote: str) -> int | None:
    """How many characters of the file stand for this one; None when it cannot be this one."""
    written = text[position]
    if quote == '"' and written == "\\":
        return _LONG_ESCAPES.get(text[position + 1 : position + 2], 2)
    if quote == "'" and text.startswith("''", position):
        return 2 if character == "'" else None
    if written == character:
        return 1
    if character.isspace():
        return 1 if written.isspace() else 0
    return None


def _places(text: str, offsets: Sequence[int], start: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    line, line_start = start[0] + 1, -start[1]
    position = 0
    places = []
    for offset in offsets:
        while (newline := text.find("\n", position, offset)) >= 0:
            line, line_start = line + 1, newline + 1
            position = newline + 1
        places.append((line, offset - line_start + 1))
    return tuple(places)
