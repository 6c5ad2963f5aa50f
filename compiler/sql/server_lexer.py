"""SQL cut into words as the servers cut it: what `SHOW CREATE TABLE` prints is found by words, never in a name, a
string or a comment. Version comments (`/*!50100 ... */`, `/*M!100301 ... */`) are opened: what they hold are words
like others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from shardwright.specs.files.sql_pieces import BLOCK_COMMENT, LINE_COMMENT

_PIECE = re.compile(
    rf"""(?P<space>\s++) | (?P<open>/\*M?!\d*+) | (?P<comment>{BLOCK_COMMENT} | {LINE_COMMENT}) | (?P<close>\*/)
    | (?P<name>`(?:[^`]++|``)*+`) | (?P<string>'(?:[^'\\]++|\\.|'')*+' | "(?:[^"\\]++|\\.|"")*+")
    | (?P<unclosed>['"`].*+) | (?P<word>[\w$]++) | (?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)


class Kind(Enum):
    """`OPEN` and `CLOSE` stand around what a version comment holds."""

    NAME = auto()
    STRING = auto()
    WORD = auto()
    MARK = auto()
    OPEN = auto()
    CLOSE = auto()


@dataclass(frozen=True, slots=True)
class Word:
    """`upper` is empty for strings and for quoted names; `text` is as it was written, a name without its quotes."""

    kind: Kind
    text: str
    start: int
    end: int

    @property
    def upper(self) -> str:
        return self.text.upper() if self.kind in (Kind.WORD, Kind.MARK) else ""


def words_of(text: str, start: int = 0, end: int | None = None) -> Iterator[Word]:
    """All but space and plain comments. A quote that is not closed is a mark, with all behind it."""
    within = False
    for found in _PIECE.finditer(text, start, len(text) if end is None else end):
        kind, written = found.lastgroup or "", found.group()
        if kind in ("space", "comment"):
            continue
        if kind == "close" and not within:
            # Two marks of an expression: a comment ends only where one began.
            yield Word(Kind.MARK, "*", found.start(), found.start() + 1)
            yield Word(Kind.MARK, "/", found.start() + 1, found.end())
            continue
        if kind in ("open", "close"):
            within = kind == "open"
        if kind == "unclosed":
            kind, written = "mark", written[0]
        if kind == "name":
            written = written[1:-1].replace("``", "`")
        yield Word(Kind[kind.upper()], written, found.start(), found.end())


def statements_of(text: str, start: int = 0, end: int | None = None) -> Iterator[list[Word]]:
    """The words of each statement, without its semicolon."""
    part: list[Word] = []
    for word in words_of(text, start, end):
        if word.kind is Kind.MARK and word.text == ";":
            if part:
                yield part
            part = []
        else:
            part.append(word)
    if part:
        yield part


@dataclass(frozen=True, slots=True)
class CreateTable:
    """The words of a CREATE TABLE: its name, each of its elements, and its options. Version comments' edges are in
    `edges`."""

    start: int
    end: int
    name: Word
    opening: Word
    elements: tuple[tuple[Word, ...], ...]
    options: tuple[Word, ...]
    edges: tuple[Word, ...]


def create_table(statement: list[Word]) -> CreateTable | None:
    """None when the statement is another, its brackets do not match, or a quote is not closed."""
    if any(word.kind is Kind.MARK and word.text in "'\"`" for word in statement):
        return None
    edges = tuple(word for word in statement if word.kind in (Kind.OPEN, Kind.CLOSE))
    words = [word for word in statement if word.kind not in (Kind.OPEN, Kind.CLOSE)]
    upper = [word.upper for word in words[:9]]
    at = 1
    if upper[at : at + 2] == ["OR", "REPLACE"]:
        at += 2
    if upper[at : at + 1] == ["TEMPORARY"]:
        at += 1
    if upper[:1] != ["CREATE"] or upper[at : at + 1] != ["TABLE"]:
        return None
    at += 4 if upper[at + 1 : at + 4] == ["IF", "NOT", "EXISTS"] else 1
    if upper[at + 1 : at + 2] == ["."]:
        at += 2
    if at + 1 >= len(words) or words[at + 1].upper != "(":
        return None
    elements: list[tuple[Word, ...]] = []
    element: list[Word] = []
    depth = 1
    for place in range(at + 2, len(words)):
        word = words[place]
        depth += {"(": 1, ")": -1}.get(word.upper, 0)
        if depth == 0 or (depth == 1 and word.upper == ","):
            elements.append(tuple(element))
            element = []
            if depth == 0:
                return CreateTable(
                    statement[0].start,
                    statement[-1].end,
                    words[at],
                    words[at + 1],
                    tuple(elements),
                    tuple(words[place + 1 :]),
                    edges,
                )
        else:
            element.append(word)
    return None


def group_brackets(words: tuple[Word, ...]) -> list[tuple[Word, ...]]:
    """Each word alone, but what stands in brackets together with them."""
    groups: list[tuple[Word, ...]] = []
    inside: list[Word] = []
    depth = 0
    for word in words:
        depth += {"(": 1, ")": -1}.get(word.upper, 0)
        inside.append(word)
        if depth <= 0:
            groups.append(tuple(inside))
            inside = []
    return [*groups, tuple(inside)] if inside else groups
