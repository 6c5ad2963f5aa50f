"""The elements of a CREATE TABLE (columns, keys, constraints), found in its text by one regular expression."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shardwright.compiler.schema.cut import NAME, STRINGS, Region
from shardwright.compiler.schema.known_nodes import Pattern, pattern
from shardwright.compiler.sql.plain_names import refused_name_reason

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
    """From `start` to `end` in the text. A column that names nothing else has a `tail`: what stands between its name and its
    comment; any other element a `pattern`, when it can have one."""

    start: int
    end: int
    name: str
    tail: str | None
    comment: str | None
    pattern: Pattern | None


def table_elements(text: str, table: Region) -> tuple[Element, ...] | None:
    """None when there is a comment between them, or they do not look as expected."""
    elements: list[Element] = []
    start = table.opening
    while start is not None:
        found = _ELEMENT.match(text, start, table.end)
        if found is None:
            return None
        name, written, edge = found.groups()
        written = written.strip()
        if not name and not written:
            return None
        end = found.end() - 1
        if name and written and "`" not in written and not refused_name_reason(name):
            elements.append(_column(start, end, name, written))
        else:
            elements.append(Element(start, end, name or "", None, None, pattern(text, start, end)))
        start = found.end() if edge == "," else None
    return tuple(elements)


def _column(start: int, end: int, name: str, written: str) -> Element:
    comment = _COMMENT.search(written) if written.endswith("'") else None
    if comment is None:
        return Element(start, end, name, written, None, None)
    return Element(start, end, name, written[: comment.start()].rstrip(), comment.group(1), None)
