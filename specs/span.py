"""Where something stands in a file."""

from __future__ import annotations

from dataclasses import dataclass

Path = tuple[str | int, ...]
"""The way to a YAML node from the document's root: ("tables", 0, "sharding")."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a file: `line` and `column` count from 1, `length` in characters (at least 1)."""

    file: str
    line: int
    column: int
    length: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def shifted(self, characters: int, length: int = 1) -> Span:
        """The place `characters` further on the same line (for errors inside a SQL scalar)."""
        return Span(self.file, self.line, self.column + characters, length)
