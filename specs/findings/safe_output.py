"""What a command prints, made harmless, and the colours of findings. Texts of specs, servers, rows and messages reach
terminals and the logs of continuous integration.

Runs where something is printed; `SafeStream` is put before stdout and stderr of the whole process (`runtime/cli/main`).
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TextIO

_RESET = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Palette:
    """`codes` maps a part of a finding ("error", "mark", "frame", "note", "help") to a terminal's code for its look."""

    codes: Mapping[str, str] = field(default_factory=dict)

    def paint(self, part: str, text: str) -> str:
        code = self.codes.get(part)
        return f"\x1b[{code}m{text}{_RESET}" if code and text else text


PLAIN = Palette()
COLOURED = Palette({"error": "1;31", "warning": "1;33", "mark": "1;31", "frame": "34", "note": "36", "help": "2"})


_LOOKS: Final = "|".join(map(re.escape, ["0", *sorted(set(COLOURED.codes.values()))]))
# What moves a cursor, begins a terminal's command, turns the direction of writing round, or is no character.
_UNSAFE: Final = re.compile(
    rf"\x1b\[(?:{_LOOKS})m|\r\n"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_BRACKET: Final = re.compile(r"(?<=##)\[|(?<=##vso)\[")
_COLON: Final = re.compile(r"^([^\S\n]*):", re.MULTILINE)
_LONGEST: Final = len("##vso")
_WORKFLOWS: Final = ("GITHUB_ACTIONS", "TF_BUILD")


def harmless(text: str) -> str:
    """`text` with every character that a terminal takes for more than text written as `\\uXXXX`, which JSON
    understands, too. Line breaks, tabs and our own colours stay."""
    return _UNSAFE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    text = found[0]
    return text if len(text) > 1 else f"\\u{ord(text):04x}"


def no_commands(text: str, *, before: str = "") -> str:
    """`text` without what the runner of a workflow takes for a command: `::` at the beginning of a line, `##[`
    anywhere. `before`: what was printed of the same line already."""
    begun, line_break, lines = text.partition("\n") if before else ("", "", text)
    safe = begun + line_break + _COLON.sub(r"\1\\u003a", lines)
    return _BRACKET.sub(r"\\u005b", before + safe)[len(before) :]


class SafeStream:
    """A text stream before another one, `raw`, that makes harmless whatever is written."""

    def __init__(self, raw: TextIO) -> None:
        self.raw = raw
        self._in_workflow = any(os.environ.get(name, "").lower() == "true" for name in _WORKFLOWS)
        self._line = ""

    def write(self, text: str) -> int:
        safe = harmless(text)
        if self._in_workflow:
            safe = no_commands(safe, before=self._line)
            line = (self._line + safe).rpartition("\n")[2]
            # Blanks are skipped by the runner, so that a line has not begun with them.
            self._line = line[-_LONGEST:] if line.strip() else ""
        self.raw.write(safe)
        return len(text)

    def writelines(self, lines: Iterator[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


def raw_stream(stream: TextIO) -> TextIO:
    """For what is meant as a command, and makes its texts harmless itself: annotations of a workflow, bars of a
    terminal."""
    return stream.raw if isinstance(stream, SafeStream) else stream


@contextmanager
def guard_output() -> Iterator[None]:
    """Within, stdout and stderr print nothing that acts."""
    before = sys.stdout, sys.stderr
    made: list[Any] = [stream if isinstance(stream, SafeStream) else SafeStream(stream) for stream in before]
    sys.stdout, sys.stderr = made
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
