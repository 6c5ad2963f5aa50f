"""Comma-separated text with the place of every cell (RFC 4180: double quotes around a cell, doubled within it)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shardwright.specs.findings.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    span: Span


class CsvFault(Exception):
    """The text cannot be read on; carries the place."""

    def __init__(self, message: str, span: Span) -> None:
        self.message = message
        self.span = span
        super().__init__(message)


def read_csv(text: str, *, file: str) -> Iterator[tuple[Cell, ...]]:
    """The rows, one after another; empty lines are passed over. Raises CsvFault at a quote that is not closed or at
    text after a closing quote."""
    return _Reader(text.removeprefix("\ufeff"), file).rows()


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._at = 0
        self._line = 1
        self._line_start = 0

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        while self._at < len(self._text):
            if self._line_ends():
                self._next_line()
                continue
            yield self._row()

    def _row(self) -> tuple[Cell, ...]:
        cells = [self._cell()]
        while self._at < len(self._text) and self._text[self._at] == ",":
            self._at += 1
            cells.append(self._cell())
        if self._at < len(self._text):
            if not self._line_ends():
                raise CsvFault("text follows a closing quote", self._span(self._at, 1))
            self._next_line()
        return tuple(cells)

    def _cell(self) -> Cell:
        if self._at < len(self._text) and self._text[self._at] == '"':
            return self._read_quoted()
        start = self._at
        while self._at < len(self._text) and self._text[self._at] not in ",\r\n":
            self._at += 1
        return Cell(self._text[start : self._at], self._span(start, self._at - start))

    def _read_quoted(self) -> Cell:
        start, parts = self._at, list[str]()
        span = self._span(start, 1)
        self._at += 1
        while True:
            end = self._text.find('"', self._at)
            if end < 0:
                raise CsvFault("a quote is not closed", span)
            part = self._text[self._at : end]
            self._count_lines(part, self._at)
            self._at = end + 1
            if not self._text.startswith('"', self._at):
                break
            parts.append(part + '"')
            self._at += 1
        whole = self._at - start if span.line == self._line else 1
        return Cell("".join([*parts, part]), Span(span.file, span.line, span.column, whole))

    def _count_lines(self, part: str, start: int) -> None:
        self._line += part.count("\n")
        if "\n" in part:
            self._line_start = start + part.rindex("\n") + 1

    def _line_ends(self) -> bool:
        return self._text[self._at] in "\r\n"

    def _next_line(self) -> None:
        self._at += 2 if self._text.startswith("\r\n", self._at) else 1
        self._line += 1
        self._line_start = self._at

    def _span(self, start: int, length: int) -> Span:
        return Span(self._file, self._line, start - self._line_start + 1, max(1, length))
