"""The elements of a CREATE TABLE (columns, keys, constraints), found in its text by one regular expression."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shardwright.compiler.plain_names import refused_name_reason
from shardwright.compiler.schema_cut import NAME, STRINGS, Region

_DEEPEST = 6  # brackets within brackets
_PART = rf"[^'\"`(),\#\-/]++ | {NAME} | {STRINGS} | -(?!-) | /(?!\*)"


def _within_brackets() -> str:
    inner = ""
    for _ in range(_DEEPEST):
        inner = rf"\( (?: {_PART} | , {'|' if inner else ''} {inner} )*+ \)"
    return inner


_ELEMENT = re.compile(
    rf"\s*+ (?: `([^`\\]++)` (?=\s) )?+ ((?: {_PART} | {_within_brackets()} )*+) ([,)])", re.VERBOSE | re.DOTALL
)
_COMMENT = re.compile(r"\sCOMMENT\s+'([^'\\]*)'\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Element:
    """From `start` to `end` in the text. `tail` is what stands between a column's name and its comment; None where it
    could say something of this table only."""

    start: int
    end: int
    name: str
    tail: str | None
    comment: str | None


def table_elements(text: str, table: Region) -> tuple[Element, ...] | None:
    """None when there is a comment between them, or they do not look as expected."""
    elements: list[Element] = []
    start = table.opening
    while start is not None:
        found = _ELEMENT.match(text, start, table.end)
        if found is None:
            return None
        name, written, edge = found.groups()
        if not name and not written.strip():
            return None
        elements.append(_element(start, found.end() - 1, name, written.strip()))
        start = found.end() if edge == "," else None
    return tuple(elements)


def _element(start: int, end: int, name: str | None, written: str) -> Element:
    if name is None or "`" in written or refused_name_reason(name):
        return Element(start, end, name or "", None, None)
    comment = _COMMENT.search(written) if written.endswith("'") else None
    if comment is None:
        return Element(start, end, name, written or None, None)
    tail = written[: comment.start()].rstrip()
    return Element(start, end, name, tail or None, comment.group(1))
