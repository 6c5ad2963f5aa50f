"""Statements from a file of SQL, one for each `;`. A comment `-- calls: 120, seconds: 3.5` says how often. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from shardwright.compiler.workload.statement import WorkloadStatement
from shardwright.specs.files.sql_pieces import BLOCK_COMMENT, LINE_COMMENT, QUOTED_NAME, STRING

_PIECE: Final = re.compile(
    rf"(?P<quoted>{STRING}|{QUOTED_NAME})|(?P<comment>{LINE_COMMENT}|(?!/\*!){BLOCK_COMMENT})|(?P<end>;)", re.DOTALL
)
_COUNTS: Final = re.compile(r"(?:--|#|/\*)\s*calls:\s*(?P<calls>\d+)(?:\s*,\s*seconds:\s*(?P<seconds>\d+(?:\.\d+)?))?")
_Piece = tuple[Literal["text", "comment", "end"], str, int]
"""With its offset in the file."""


def read_sql_file(text: str, file: str) -> Iterator[WorkloadStatement]:
    """In order, without comments. Counts are those of the last comment above a statement that has them."""
    kept: list[str] = []
    start: int | None = None
    counts: re.Match[str] | None = None
    for kind, piece, at in (*_pieces(text), ("end", "", len(text))):
        if kind == "comment":
            kept.append(" ")
            if start is None:
                counts = _COUNTS.match(piece) or counts
        elif kind == "text":
            kept.append(piece)
            if start is None and piece.strip():
                start = at + len(piece) - len(piece.lstrip())
        else:
            if start is not None:
                yield _statement("".join(kept), counts, file, text.count("\n", 0, start) + 1)
            kept, start, counts = [], None, None


def _pieces(text: str) -> Iterator[_Piece]:
    end = 0
    for found in _PIECE.finditer(text):
        if found["quoted"] is not None:
            continue
        yield "text", text[end : found.start()], end
        yield ("end" if found["end"] is not None else "comment"), found[0], found.start()
        end = found.end()
    yield "text", text[end:], end


def _statement(text: str, counts: re.Match[str] | None, file: str, line: int) -> WorkloadStatement:
    calls = int(counts["calls"]) if counts is not None else 1
    seconds = float(counts["seconds"]) if counts is not None and counts["seconds"] else None
    return WorkloadStatement(text.strip(), max(calls, 1), seconds, file, line)
