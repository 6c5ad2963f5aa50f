"""What SHOW CREATE TABLE prints and means nothing to shards: found by words and blanked out, so that the reader of
the schema file meets what is left at its own place. The target's CREATE TABLE goes without it, and a warning names
it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate

from shardwright.compiler.schema.cut import Uncertain, cut
from shardwright.compiler.sql.server_lexer import CreateTable, Kind, Word, create_table, group_brackets, statements_of

# Types whose values the copy cannot carry: such a column is excluded, so nothing else of it is read.
OPAQUE_TYPES = frozenset({"XMLTYPE"})
_PLACEHOLDER = "uuid"
PARTITION_BY = "PARTITION BY"
"""How `TableClauses.left_out` names it."""
_VALUED = frozenset(
    [
        *(
            "CHECKSUM",
            "TABLE_CHECKSUM",
            "PAGE_CHECKSUM",
            "TRANSACTIONAL",
            "DELAY_KEY_WRITE",
            "INSERT_METHOD",
            "CONNECTION",
        ),
        *(
            "AUTOEXTEND_SIZE",
            "ENGINE_ATTRIBUTE",
            "SECONDARY_ENGINE",
            "SECONDARY_ENGINE_ATTRIBUTE",
            "TABLESPACE",
            "SEQUENCE",
        ),
        *("STORAGE", "PASSWORD", "IETF_QUOTES", "UNION"),
    ]
)
_IN_COLUMNS = frozenset(
    {"COLUMN_FORMAT", "STORAGE", "ENGINE_ATTRIBUTE", "SECONDARY_ENGINE_ATTRIBUTE", "SRID", "REF_SYSTEM_ID"}
)
_IN_KEYS = frozenset({"ENGINE_ATTRIBUTE", "SECONDARY_ENGINE_ATTRIBUTE", "CLUSTERING"})
_SEQUENCES = frozenset({"NEXTVAL", "LASTVAL", "SETVAL", "NEXT", "PREVIOUS"})
_KEY_STARTS = frozenset(
    {"PRIMARY", "UNIQUE", "KEY", "INDEX", "FULLTEXT", "SPATIAL", "VECTOR", "CONSTRAINT", "FOREIGN", "CHECK", "PERIOD"}
)
_OTHER_WORDS = (
    *("PARTITION", "IGNORED", "INVISIBLE", "VISIBLE", "COMPRESSED", "OVERLAPS", "PERIOD", "VERSIONING", "ENFORCED"),
    *("DIRECTORY", "TRANSACTION", "PARSER", "SECONDARY", "REGEXP", "RLIKE", "ROW"),
)
_REVEALING = frozenset(
    word.lower() for word in (*_VALUED, *_IN_COLUMNS, *_IN_KEYS, *_SEQUENCES, *OPAQUE_TYPES, *_OTHER_WORDS)
)
_WORD = re.compile(r"[a-z_0-9]++")
_MARK = re.compile(r"/\*m?!|`\s*=")


@dataclass(slots=True)
class TableClauses:
    """What was blanked out of one CREATE TABLE; `refused` are clauses without which the copy would be another table.
    `opaque` are the types, in capitals, of the columns that are only counted, by the place of their names; `unclear`
    are the places of generated columns whose expression is not understood."""

    left_out: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    opaque: dict[int, str] = field(default_factory=dict)
    unclear: set[int] = field(default_factory=set)
    partitions: str = ""
    """PARTITION BY with all behind it, word by word."""


@dataclass(frozen=True, slots=True)
class PlainSchema:
    """`text` is as long as what was written, so that places in it are places of the file."""

    text: str
    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    clauses: tuple[TableClauses, ...] = ()

    def of_table(self, place: object) -> TableClauses:
        """Those of the statement that holds the place."""
        number = bisect_right(self.starts, place) - 1 if isinstance(place, int) else -1
        is_there = number >= 0 and isinstance(place, int) and place < self.ends[number]
        return self.clauses[number] if is_there else TableClauses()


def plain_schema(text: str, is_readable: Callable[[str], bool] | None = None) -> PlainSchema:
    """A text without such words is not looked into further: most files hold none. With `is_readable`, which is asked
    about the elements of a CREATE TABLE, expressions that are not understood are left out too."""
    if is_readable is None and not _may_hold(text):
        return PlainSchema(text)
    sheet = _Sheet(text, is_readable)
    for start, end in _parts(text):
        if is_readable is None and not _may_hold(text[start:end]):
            continue
        for statement in statements_of(text, start, end):
            if (table := create_table(statement)) is not None:
                sheet.read(table)
    return PlainSchema(sheet.render(), tuple(sheet.clauses), tuple(sheet.ends), tuple(sheet.clauses.values()))


def _may_hold(text: str) -> bool:
    lower = text.lower()
    return not _REVEALING.isdisjoint(_WORD.findall(lower)) or _MARK.search(lower) is not None


def _parts(text: str) -> list[tuple[int, int]]:
    """Parts that can be looked at alone: a thousand tables hold few such clauses."""
    try:
        return [(region.start, region.end) for region in cut(text)]
    except Uncertain:
        return [(0, len(text))]


@dataclass(slots=True)
class _Sheet:
    text: str
    is_readable: Callable[[str], bool] | None
    clauses: dict[int, TableClauses] = field(default_factory=dict)
    ends: list[int] = field(default_factory=list)
    _blank: list[tuple[int, int, str]] = field(default_factory=list)

    def read(self, table: CreateTable) -> None:
        self.clauses[table.start] = found = TableClauses()
        self.ends.append(table.end)
        first = len(self._blank)
        gone = {number for number, element in enumerate(table.elements) if self._element(element, found)}
        self._remove(table, gone)
        self._options(table.options, found)
        self._open(table, self._blank[first:])

    def render(self) -> str:
        parts: list[str] = []
        end = 0
        for start, stop, instead in sorted(self._blank):
            if stop <= end:
                continue
            start = max(start, end)
            parts += [self.text[end:start], instead, re.sub(r"[^\n]", " ", self.text[start + len(instead) : stop])]
            end = stop
        return "".join([*parts, self.text[end:]])

    def _take(self, *words: tuple[Word, ...], instead: str = "") -> None:
        self._blank.append((words[0][0].start, words[-1][-1].end, instead))

    def _element(self, element: tuple[Word, ...], found: TableClauses) -> bool:
        """Whether all of it is left out."""
        if len(element) < 2:
            return False
        named = element[0].upper in ("PERIOD", "VECTOR") and element[1].upper not in ("FOR", "KEY", "INDEX")
        if named or element[0].kind is Kind.NAME or element[0].upper not in _KEY_STARTS:
            self._column(element, found)
            return False
        return self._key(element, found) or self._is_unclear_key(element, found)

    def _is_unclear(self, written: str) -> bool:
        return self.is_readable is not None and not self.is_readable(written)

    def _is_unclear_key(self, element: tuple[Word, ...], found: TableClauses) -> bool:
        rest = group_brackets(element)
        upper = [item[0].upper for item in rest]
        nested = any(len(item) > 1 and any(word.upper == "(" for word in item[1:]) for item in rest)
        is_check = "CHECK" in upper[:3]
        if upper[0] in ("PRIMARY", "FOREIGN") or not (is_check or nested):
            return False
        brackets = [item for item in rest if item[0].upper == "("]
        if not brackets or not self._is_unclear(f"CHECK {self._text(brackets[0])}" if is_check else self._text(*rest)):
            return False
        named = next((f" '{item[0].text}'" for item in rest if item[0].kind is Kind.NAME), "")
        found.left_out.append(f"{'CHECK' if is_check else 'KEY'}{named}, whose expression is not understood")
        return True

    def _text(self, *words: tuple[Word, ...]) -> str:
        return self.text[words[0][0].start : words[-1][-1].end]

    def _column(self, element: tuple[Word, ...], found: TableClauses) -> None:
        name, *rest = group_brackets(element)
        called = f"of column '{name[0].text}'"
        if rest and rest[0][0].upper in OPAQUE_TYPES:
            found.opaque[name[0].start] = rest[0][0].upper
            keys = [at for at, word in enumerate(rest) if word[0].upper in ("PRIMARY", "UNIQUE")]
            self._take(*rest[: keys[0] if keys else None], instead=_PLACEHOLDER)
            return
        at = 1
        while at < len(rest):
            word, size = rest[at][0], 1
            after = [item[0].upper for item in rest[at + 1 : at + 5]]
            if word.upper == "COMPRESSED":
                size = 3 if after[:1] == ["="] else 1
                self._leave(rest[at : at + size], f"COMPRESSED {called}", found)
            elif word.upper in _IN_COLUMNS or (word.kind is Kind.NAME and after[:1] == ["="]):
                size = 3 if after[:1] == ["="] else 2
                self._leave(rest[at : at + size], f"{word.text.upper()} {called}", found)
            elif word.upper == "NOT" and after[:1] == ["SECONDARY"]:
                size = 2
                self._leave(rest[at : at + size], f"NOT SECONDARY {called}", found)
            elif word.upper in ("WITH", "WITHOUT") and after[:2] == ["SYSTEM", "VERSIONING"]:
                size = 3
                self._leave(rest[at : at + size], f"{word.upper} SYSTEM VERSIONING {called}", found)
            elif word.upper == "GENERATED" and after[:3] == ["ALWAYS", "AS", "ROW"]:
                found.refused.append(f"GENERATED ALWAYS AS ROW {' '.join(after[3:4])} {called}")
                size = 5
            elif word.upper == "AS" and after[:1] == ["ROW"]:
                found.refused.append(f"AS ROW {' '.join(after[1:2])} {called}")
            elif word.upper == "VISIBLE":
                self._take(rest[at])
            elif word.upper == "CHECK" and _uses_regexp(rest[at + 1 : at + 2]):
                size = 2
                self._leave(rest[at : at + 2], f"CHECK {called}, which uses REGEXP", found)
            elif word.upper == "DEFAULT" and at + 1 < len(rest):
                size = self._default(rest[at:], called, found)
            elif word.upper in ("AS", "CHECK") and after[:1] == ["("]:
                size = 2
                if self._is_unclear(f"`c` int {self._text(*rest[at : at + 2])}"):
                    self._unclear_expression(rest[at : at + 2], name[0], found)
            at += size

    def _unclear_expression(self, words: list[tuple[Word, ...]], name: Word, found: TableClauses) -> None:
        if words[0][0].upper == "CHECK":
            self._leave(words, f"CHECK of column '{name.text}', whose expression is not understood", found)
            return
        self._take(words[1], instead="(0)")
        found.unclear.add(name.start)
        found.left_out.append(f"generated column '{name.text}', whose expression is not understood")

    def _default(self, rest: list[tuple[Word, ...]], called: str, found: TableClauses) -> int:
        """How many of `rest` the default takes."""
        size = 3 if len(rest) > 2 and rest[1][0].kind is Kind.WORD and rest[2][0].upper == "(" else 2
        words = [word.upper for item in rest[1:size] for word in item]
        if words[:1] == ["NEXT"] or words[:1] == ["PREVIOUS"]:
            size = 7 if rest[5:6] and rest[5][0].upper == "." else 5
        elif _SEQUENCES.isdisjoint(words):
            if rest[size - 1][0].upper == "(" and self._is_unclear(f"`c` int {self._text(*rest[:size])}"):
                self._leave(rest[:size], f"DEFAULT {called}, whose expression is not understood", found)
            return size
        self._leave(rest[:size], f"DEFAULT {words[0] if words[0] != '(' else '(NEXTVAL ...)'} {called}", found)
        return size

    def _leave(self, words: list[tuple[Word, ...]], what: str, found: TableClauses) -> None:
        self._take(*words)
        found.left_out.append(what)

    def _key(self, element: tuple[Word, ...], found: TableClauses) -> bool:
        rest = group_brackets(element)
        upper = [item[0].upper for item in rest]
        named = next((f" '{item[0].text}'" for item in rest if item[0].kind is Kind.NAME), "")
        inner = [word.upper for item in rest if len(item) > 1 for word in item]
        if upper[:2] == ["PERIOD", "FOR"]:
            period = rest[2][0].text if len(rest) > 2 else ""
            if period.upper() == "SYSTEM_TIME":
                found.refused.append("PERIOD FOR SYSTEM_TIME")
            else:
                found.left_out.append(f"PERIOD FOR '{period}'")
            return True
        if upper[0] == "VECTOR" and upper[1:2] in (["KEY"], ["INDEX"]):
            found.left_out.append(f"VECTOR KEY{named}")
            return True
        if "OVERLAPS" in inner and upper[0] in ("PRIMARY", "UNIQUE"):
            if upper[0] == "PRIMARY":
                found.refused.append("PRIMARY KEY ... WITHOUT OVERLAPS")
            else:
                found.left_out.append(f"UNIQUE KEY{named} ... WITHOUT OVERLAPS")
            return True
        if "CHECK" in upper[:3] and (upper[-2:] == ["NOT", "ENFORCED"]):
            found.left_out.append(f"CHECK{named} NOT ENFORCED")
            return True
        if "CHECK" in upper[:3] and _uses_regexp(rest):
            found.left_out.append(f"CHECK{named}, which uses REGEXP")
            return True
        self._key_options(rest, named, found)
        return False

    def _key_options(self, rest: list[tuple[Word, ...]], named: str, found: TableClauses) -> None:
        at = 1
        brackets = next((place for place, item in enumerate(rest) if item[0].upper == "("), len(rest))
        while at < len(rest):
            word, size = rest[at][0], 1
            after = [item[0].upper for item in rest[at + 1 : at + 3]]
            if at < brackets:
                pass
            elif word.upper in ("IGNORED", "INVISIBLE"):
                self._leave(rest[at : at + 1], f"{word.upper} of key{named}", found)
            elif word.upper == "NOT" and after[:1] == ["IGNORED"]:
                size = 2
                self._take(*rest[at : at + 2])
            elif word.upper == "VISIBLE":
                self._take(rest[at])
            elif word.upper == "WITH" and after[:1] == ["PARSER"]:
                size = 3
                self._leave(rest[at : at + 3], f"WITH PARSER of key{named}", found)
            elif word.upper in _IN_KEYS or (word.kind is Kind.NAME and after[:1] == ["="]):
                size = 3 if after[:1] == ["="] else 2
                self._leave(rest[at : at + size], f"{word.text.upper()} of key{named}", found)
            at += size

    def _options(self, options: tuple[Word, ...], found: TableClauses) -> None:
        rest = group_brackets(options)
        at = 0
        while at < len(rest):
            word, size = rest[at][0], 1
            after = [item[0].upper for item in rest[at + 1 : at + 3]]
            if word.upper == "PARTITION" and after[:1] == ["BY"]:
                words = [word for item in rest[at:] for word in item]
                found.partitions = " ".join(self.text[word.start : word.end] for word in words)
                self._leave(rest[at:], PARTITION_BY, found)
                return
            if word.upper == "WITH" and after == ["SYSTEM", "VERSIONING"]:
                self._take(*rest[at : at + 3])
                found.refused.append("WITH SYSTEM VERSIONING")
                size = 3
            elif word.upper in ("DATA", "INDEX") and after[:1] == ["DIRECTORY"]:
                size = 4 if after[1:] == ["="] else 3
                self._leave(rest[at : at + size], f"{word.upper} DIRECTORY", found)
            elif word.upper == "START" and after[:1] == ["TRANSACTION"]:
                size = 2
                self._leave(rest[at : at + size], "START TRANSACTION", found)
            elif word.upper in ("COMMENT", "ENGINE", "COLLATE", "CHARSET", "ROW_FORMAT", "AUTO_INCREMENT"):
                size = 3 if after[:1] == ["="] else 2
            elif word.upper in _VALUED or (word.kind is Kind.NAME and after[:1] == ["="]):
                size = 3 if after[:1] == ["="] else 2
                self._leave(rest[at : at + size], word.text.upper(), found)
            at += size

    def _remove(self, table: CreateTable, gone: set[int]) -> None:
        """Elements with the comma before them: a table begins with a column."""
        for number in sorted(gone):
            element = table.elements[number]
            before = table.elements[number - 1][-1].end if number and table.elements[number - 1] else element[0].start
            self._blank.append((before, element[-1].end, ""))

    def _open(self, table: CreateTable, taken: list[tuple[int, int, str]]) -> None:
        """Version comments of which nothing is left, and those that hold what is carried over, as plain SQL. A table
        may have any number of them: each looks at its own words only."""
        words = [word for part in (*table.elements, table.options) for word in part]
        places = [word.start for word in words]
        covered = _BlankedParts(taken)
        for first, last in zip(table.edges, table.edges[1:], strict=False):
            if first.kind is not Kind.OPEN or last.kind is not Kind.CLOSE:
                continue
            held = words[bisect_left(places, first.end) : bisect_left(places, last.start)]
            if [word.upper for word in held if word not in covered] in ([], ["INVISIBLE"]):
                self._blank += [(first.start, first.end, ""), (last.start, last.end, "")]


class _BlankedParts:
    """Whether a word lies within one of the parts that were taken out."""

    def __init__(self, taken: list[tuple[int, int, str]]) -> None:
        ordered = sorted(taken)
        self._starts = [start for start, _, _ in ordered]
        self._furthest = list(accumulate((end for _, end, _ in ordered), max))

    def __contains__(self, word: Word) -> bool:
        before = bisect_right(self._starts, word.start)
        return before > 0 and word.end <= self._furthest[before - 1]


def _uses_regexp(words: list[tuple[Word, ...]]) -> bool:
    """The parser knows it as a function that one of the servers lacks."""
    return any(word.upper in ("REGEXP", "RLIKE") for item in words for word in item)
