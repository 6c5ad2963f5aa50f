"""Where something stands in a file."""

from __future__ import annotations

from dataclasses import dataclass, field

Path = tuple[str | int, ...]
"""The way to a YAML node from the document's root: ("tables", 0, "sharding")."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a file: `line` and `column` count from 1, `length` in characters (at least 1).

    `characters` are the places (line, column) of a text's characters when they do not simply follow one another from
    here: a text of several lines, or with escapes.
    """

    file: str
    line: int
    column: int
    length: int = 1
    characters: tuple[tuple[int, int], ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def shifted(self, characters: int, length: int = 1) -> Span:
        """The place `characters` further on the same line (for errors inside a SQL scalar)."""
        return Span(self.file, self.line, self.column + characters, length)

    def part(self, start: int, end: int) -> Span:
        """The place of the text's characters from `start` to before `end`; of several lines, the part on the first."""
        if not self.characters:
            return self.shifted(start, end - start)
        line, column = self.characters[start]
        last = max(place[1] for place in self.characters[start:end] if place[0] == line)
        return Span(self.file, line, column, last - column + 1)
