"""Statements from a file of SQL, one for each `;`. A comment `-- calls: 120, seconds: 3.5` above says how often. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shardwright.compiler.workload.statement import WorkloadStatement

_PIECE: Final = re.compile(
    r"(?P<quoted>'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"|`[^`]*`)"
    r"|(?P<comment>--(?=\s)[^\n]*|\#[^\n]*|/\*(?!!).*?\*/)"
    r"|(?P<end>;)",
    re.DOTALL,
)
_COUNTS: Final = re.compile(r"(?:--|#|/\*)\s*calls:\s*(?P<calls>\d+)(?:\s*,\s*seconds:\s*(?P<seconds>\d+(?:\.\d+)?))?")


def read_sql_file(text: str, file: str) -> Iterator[WorkloadStatement]:
    """In order. Comments are left out."""
    start, counts = 0, None
    kept: list[str] = []

    def take(end: int) -> WorkloadStatement | None:
        kept.append(text[start:end])
        whole = "".join(kept)
        kept.clear()
        if not whole.strip():
            return None
        line = text.count("\n", 0, first + 0) + 1
        calls = int(counts["calls"]) if counts else 1
        seconds = float(counts["seconds"]) if counts and counts["seconds"] else None
        return WorkloadStatement(" ".join(whole.split("\n")).strip(), max(calls, 1), seconds, file, line)

    first = 0
    for found in _PIECE.finditer(text):
        if found["quoted"] is not None:
            continue
        before = text[start : found.start()]
        if not "".join(kept).strip() and before.strip():
            first = start + len(before) - len(before.lstrip())
        if found["comment"] is not None:
            kept.append(before + " ")
            start = found.end()
            if not "".join(kept).strip():
                counts = _COUNTS.match(found["comment"]) or counts
            continue
        made = take(found.start())
        if made is not None:
            yield made
        start, counts = found.end(), None
    rest = text[start:]
    if not "".join(kept).strip() and rest.strip():
        first = start + len(rest) - len(rest.lstrip())
    made = take(len(text))
    if made is not None:
        yield made
