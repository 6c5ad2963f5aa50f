"""Findings as text: place, code, message, the line itself with the marked part, notes, and where to read more."""

from __future__ import annotations

import io
import os
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache

from shardwright.specs.files.project_files import SQL_BYTES, FileRefused, read_file
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity, Span
from shardwright.specs.findings.safe_output import PLAIN, Palette

ReadLine = Callable[[str, int], str | None]
"""Gives line `number` (from 1) of a file, or None when it cannot be had."""

_MAX_WIDTH = 160
_GUTTER = 5

# A line that may hold a secret is shown up to the value only, be it written `name: value` or `NAME=value`. `{env: X}`
# and `{file: P}` are references, not secrets.
_SECRET = re.compile(
    r"(?i)(?:pas+w?(?:or)?d?|pwd|\bpw|secret|token|credential|auth(?!or_|ors?\b)|(?:access|private|api).?key)"
    r"[\w.\-\"'\]]*\s*[:=]\s*(?!\{\s*env\s*:\s*\w+\s*\}|\{\s*file\s*:\s*[^{}\s]+\s*\})(?=\S)"
    r"|://(?=[^/\s]*@)"
)
_HIDDEN = "[hidden]"
MOST_SHOWN = 200
"""A file may have a finding in each of its lines; nobody reads the thousandth, and printing them takes long."""
_NOT_READ = "SW1013"
"""A finding about a file that is not ours to read: no line of it is shown."""


def render(
    diagnostics: Iterable[Diagnostic], *, read_line: ReadLine, palette: Palette = PLAIN, width: int = _MAX_WIDTH
) -> str:
    """The findings in the given order, one blank line between them; empty text when there are none. Warnings of one
    code are grouped: the first of them whole, a line for each of the others. Source lines longer than `width` are
    cut around the marked part.

    Never shows what may be a secret, and shows control characters as escapes. Of more than MOST_SHOWN errors come
    first.
    """
    found = list(diagnostics)
    shown, left = found, len(found) - MOST_SHOWN
    if left > 0:
        shown = sorted(found, key=lambda item: item.severity is Severity.WARNING)[:MOST_SHOWN]
    text = "\n".join(_group(group, read_line, palette, width) for group in _group_by_code(shown))
    return (
        f"{text}\n{left} more are not shown: fix these first, or see all with --report json=PATH\n"
        if left > 0
        else text
    )


def _group_by_code(diagnostics: Iterable[Diagnostic]) -> Iterable[list[Diagnostic]]:
    """Each error alone, the warnings of a code in one list at the place of the first of them."""
    groups: dict[object, list[Diagnostic]] = {}
    for number, item in enumerate(diagnostics):
        groups.setdefault(item.code if item.severity is Severity.WARNING else number, []).append(item)
    return groups.values()


def _group(group: list[Diagnostic], read_line: ReadLine, palette: Palette, width: int) -> str:
    first, *others = group
    text = _one(first, read_line, palette, width)
    if others:
        text += palette.paint("note", f"   and {len(others)} more {first.code}:") + "\n"
        text += "".join(f"      {_in_a_line(item, first)}\n" for item in others)
    return text


def _in_a_line(item: Diagnostic, first: Diagnostic) -> str:
    """Place and message, and the hint where it is not that of the first one."""
    hint = f" ({visible(item.hint)})" if item.hint and item.hint != first.hint else ""
    return f"{visible(str(item.span))}: {visible(item.message)}{hint}"


def read_line_from_disk(file: str, number: int) -> str | None:
    """The line of a file on disk: the usual `read_line`."""
    try:
        state = os.stat(file)
        lines = _lines(file, state.st_mtime_ns, state.st_size)
    except (FileRefused, OSError, ValueError):
        return None
    return lines[number - 1] if 0 < number <= len(lines) else None


@lru_cache(maxsize=4)  # a thousand findings may stand in one file
def _lines(file: str, changed: int, size: int) -> tuple[str, ...]:
    return _lines_of(file)


def _lines_of(file: str) -> tuple[str, ...]:
    """Raises FileRefused, OSError, ValueError. A file that findings point into was read before, by the rules of a
    project's files; here it only has to be one that can be read without waiting."""
    text = read_file(file, root=None, limit=SQL_BYTES).decode("utf-8", "replace")
    return tuple(line.rstrip("\n") for line in io.StringIO(text, newline=None))


def make_line_reader() -> ReadLine:
    """Like `read_line_from_disk`, reading each file once: a run may have thousands of findings in one file."""
    files: dict[str, tuple[str, ...]] = {}

    def read(file: str, number: int) -> str | None:
        if file not in files:
            try:
                files[file] = _lines_of(file)
            except (FileRefused, OSError, ValueError):
                files[file] = ()
        return files[file][number - 1] if 0 < number <= len(files[file]) else None

    return read


def _one(diagnostic: Diagnostic, read_line: ReadLine, palette: Palette, width: int) -> str:
    severity = palette.paint(diagnostic.severity, f"{diagnostic.severity} {diagnostic.code}")
    head = f"{visible(str(diagnostic.span))}: {severity}: {visible(diagnostic.message)}"
    lines = [head, *_frame(diagnostic, read_line, palette, width)]
    lines += [f"   {palette.paint('note', 'note:')} {visible(_note(note))}" for note in diagnostic.notes]
    lines.append(palette.paint("help", f"   help: shardwright explain {diagnostic.code}"))
    return "\n".join(lines) + "\n"


def _note(note: Note) -> str:
    if note.span is None:
        return note.text
    place = f"{note.span.file}:{note.span.line}"
    return note.text if place in note.text else f"{note.text} {place}"


def _frame(diagnostic: Diagnostic, read_line: ReadLine, palette: Palette, width: int) -> list[str]:
    span = diagnostic.span
    line = None if diagnostic.code == _NOT_READ else read_line(span.file, span.line)
    hint = visible(diagnostic.hint) if diagnostic.hint else ""
    if line is None or not line.strip():
        return [f"   hint: {hint}"] if hint else []
    cut = _secret_start(line, diagnostic)
    if cut is not None:
        line = line[:cut] + _HIDDEN
        span = span if span.column <= cut else replace(span, column=cut + 1, length=len(_HIDDEN))
    shown, column, length = _window(line.replace("\t", " "), span, width)
    length = max(1, min(length, len(shown) - column))
    margin = " " * _width(shown[:column])
    mark = "^" * max(1, _width(shown[column : column + length]))
    number, blank = (palette.paint("frame", f"{text:>{_GUTTER}} |") for text in (str(span.line), ""))
    return [f"{number} {visible(shown)}", f"{blank} {margin}{palette.paint('mark', f'{mark} {hint}'.rstrip())}"]


def _secret_start(line: str, diagnostic: Diagnostic) -> int | None:
    """Where the line has to end because a secret may follow; None when nothing is hidden. Judged by the whole line: the
    name of the secret may stand before the part that is shown."""
    if diagnostic.code == "SW7002":
        return min(diagnostic.span.column - 1, len(line))
    match = _SECRET.search(line)
    return match.end() if match else None


def _window(line: str, span: Span, width: int) -> tuple[str, int, int]:
    """The part of a long line around the span, with the span's place in it."""
    column = min(span.column - 1, len(line))
    if len(line) <= width:
        return line, column, span.length
    start = max(0, column - width // 3)
    part = line[start : start + width]
    before = "..." if start else ""
    after = "..." if start + width < len(line) else ""
    return before + part + after, column - start + len(before), min(span.length, len(part) - (column - start))


def _width(text: str) -> int:
    """Columns that the visible form of a text takes on a terminal: wide characters two, combining ones none."""
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in visible(text)
    )


def visible(text: str) -> str:
    """The text with everything that could move a terminal's cursor or hide itself written as an escape."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )
