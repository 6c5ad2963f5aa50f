"""What of a table's definition is known from others of the same schema file, so that sqlglot parses only the rest. A
thousand tables hold a few hundred kinds of column. Pure.

Columns that differ in nothing but their name and comment share the nodes of type and constraints; no pass changes
shared nodes. Keys, constraints and tables' frames that differ from known ones only in quoted names are copies with
other names; of a frame, the counter and the table's comment may differ as well. The elements of a table are cut by
regular expressions; a table with anything that these do not know for certain goes to the parser whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from shardwright.compiler.schema.cut import NAME, STRINGS, Region
from shardwright.compiler.sql.printer import TAIL
from shardwright.compiler.sql.sql_text import why_name_is_refused
from shardwright.compiler.sql.sql_tokens import part_tokens, split

_NAMES = re.compile(NAME)
_VALUES = re.compile(r"\b(AUTO_INCREMENT|COMMENT)=(?:(\d++)|'([^'`\\]*+)')(?=[\s;]|\Z)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A text without its quoted names and its values; the names and their places in the file; the values, and whether
    they are strings."""

    text: str
    names: tuple[tuple[str, int], ...]
    values: tuple[tuple[str, bool], ...]

    def __add__(self, other: Pattern) -> Pattern:
        return Pattern(self.text + other.text, self.names + other.names, self.values + other.values)


def pattern(text: str, start: int, end: int) -> Pattern | None:
    """None when it holds another string, or a name that is refused."""
    written = text[start:end].strip()
    bare = _VALUES.sub(_without_value, _NAMES.sub("``", written))
    if "'" in bare or '"' in bare:
        return None
    names = tuple((found.group()[1:-1], found.start()) for found in _NAMES.finditer(text, start, end))
    if any(why_name_is_refused(name) for name, _ in names):
        return None
    values = tuple((found[2] or found[3], found[2] is None) for found in _VALUES.finditer(written))
    return Pattern(bare, names, values)


def _without_value(found: re.Match[str]) -> str:
    return f"{found[1]}={'number' if found[2] else 'string'}`"


@dataclass(frozen=True, slots=True)
class _KnownNode:
    """`order` says for each identifier of the node, as a walk meets them, which of the names it is; `literals` for
    each value, which of the literals it is."""

    node: exp.Expr
    order: tuple[int, ...]
    literals: tuple[int, ...]


@dataclass(slots=True)
class KnownNodes:
    """Those of one schema file."""

    _known: dict[str, _KnownNode] = field(default_factory=dict)

    def copy_for(self, wanted: Pattern | None) -> exp.Expr | None:
        """The node when one like it is known."""
        known = self._known.get(wanted.text) if wanted else None
        if wanted is None or known is None:
            return None
        node = known.node.copy()
        for identifier, index in zip(node.find_all(exp.Identifier), known.order, strict=True):
            name, start = wanted.names[index]
            identifier.set("this", name)
            identifier._meta = {"start": start, "end": start + len(name) + 1}
        if known.literals:
            literals = list(node.find_all(exp.Literal))
            for index, (value, _) in zip(known.literals, wanted.values, strict=True):
                literals[index].set("this", value)
        return node

    def learn(self, read: Pattern | None, node: exp.Expr) -> None:
        """Remember it when each of its names is one of the identifiers, and each value a literal."""
        if read is None or read.text in self._known:
            return
        copy = node.copy()
        identifiers = list(copy.find_all(exp.Identifier))
        names = [(item.name, item.meta.get("start")) for item in identifiers]
        values = [(item.this, item.is_string) for item in copy.find_all(exp.Literal)]
        if Counter(names) != Counter(read.names) or any(values.count(value) != 1 for value in read.values):
            return
        for identifier in identifiers:
            identifier._meta = None
        order = tuple(read.names.index(name) for name in names)
        self._known[read.text] = _KnownNode(copy, order, tuple(values.index(value) for value in read.values))


@dataclass(frozen=True, slots=True)
class _ColumnPattern:
    kind: exp.Expr
    constraints: tuple[exp.ColumnConstraint, ...]
    meta: dict[str, object]


@dataclass(slots=True)
class KnownColumns:
    """Those of one schema file."""

    text: str
    _known: dict[str, _ColumnPattern] = field(default_factory=dict)

    def copy_for(self, element: Element) -> exp.ColumnDef | None:
        """The column when one like it is known."""
        known = self._known.get(element.tail or "")
        if known is None:
            return None
        identifier = exp.Identifier(this=element.name, quoted=True)
        start = self.text.index("`", element.start)
        identifier._meta = {"start": start, "end": start + len(element.name) + 1}
        constraints = list(known.constraints)
        if element.comment is not None:
            constraints.append(_comment(element.comment))
        column = exp.ColumnDef(this=identifier, kind=known.kind, constraints=constraints)
        column._meta = known.meta
        return column

    def learn(self, element: Element, node: exp.Expr) -> None:
        tail = element.tail
        if not tail or not isinstance(node, exp.ColumnDef) or node.kind is None:
            return
        if node.args.get("position") or node.args.get("exists") or node.name != element.name:
            return
        constraints = list(node.args.get("constraints") or ())
        if element.comment is not None:
            if not constraints or constraints.pop() != _comment(element.comment):
                return
        elif any(isinstance(item.kind, exp.CommentColumnConstraint) for item in constraints):
            return
        known = self._known.setdefault(tail, _ColumnPattern(node.kind, tuple(constraints), {TAIL: tail}))
        node._meta = known.meta


def _comment(text: str) -> exp.ColumnConstraint:
    return exp.ColumnConstraint(kind=exp.CommentColumnConstraint(this=exp.Literal.string(text)))


@dataclass(frozen=True, slots=True)
class TableText:
    """A CREATE TABLE's elements; `made` are the nodes of those that are known, None for the others; `frame` is what
    is around them."""

    region: Region
    elements: tuple[Element, ...]
    made: tuple[exp.Expr | None, ...]
    frame: Pattern | None


@dataclass(slots=True)
class KnownTables:
    """Those of one schema file."""

    text: str
    _nodes: KnownNodes = field(default_factory=KnownNodes)
    _columns: KnownColumns = field(init=False)

    def __post_init__(self) -> None:
        self._columns = KnownColumns(self.text)

    def look_up(self, table: Region) -> TableText | None:
        """None when the table's elements are not known for certain."""
        elements = table_elements(self.text, table)
        if elements is None:
            return None
        made = tuple(
            self._columns.copy_for(item) if item.tail else self._nodes.copy_for(item.pattern) for item in elements
        )
        head = pattern(self.text, table.create or table.start, elements[0].start)
        end = pattern(self.text, elements[-1].end, table.end)
        frame = head + end if head and end else None
        return TableText(table, elements, made, frame)

    def whole(self, table: TableText) -> exp.Create | None:
        """The statement when all of it is known."""
        frame = self._nodes.copy_for(table.frame) if all(table.made) else None
        if isinstance(frame, exp.Create):
            frame.this.set("expressions", list(table.made))
            frame.comments = self._comments(table.region)
            return frame
        return None

    def _comments(self, table: Region) -> list[str]:
        """Those before the statement."""
        before = (table.start, table.create or table.start)
        return list(part_tokens(self.text, [before])[-1].comments)

    def rest(self, table: TableText) -> Sequence[Token]:
        """The tokens of the statement without what is known. Raises TokenError."""
        kept = _elements_to_parse(table)
        first, edge, end = kept[0], table.elements[0].end, table.elements[-1].end
        parts = [(table.region.start, table.elements[0].start), (first.start, first.end)]
        for element in kept[1:]:
            parts += ((edge, edge + 1), (element.start, element.end))
        (tokens,) = split(part_tokens(self.text, [*parts, (end, table.region.end)]))
        return tokens

    def restore(self, table: TableText, rest: exp.Create) -> bool:
        """Put what is known back to its places in the statement that was read of the rest, and remember what is new.
        False when the parser saw other elements than the commas say."""
        kept = _elements_to_parse(table)
        read = list(rest.this.expressions)
        if len(read) != len(kept):
            return False
        rest.this.set("expressions", [])
        if (rest.comments or []) == self._comments(table.region):
            self._nodes.learn(table.frame, rest)
        new = {element.start: node for element, node in zip(kept, read, strict=True)}
        whole = []
        for element, made in zip(table.elements, table.made, strict=True):
            node = made or new[element.start]
            if made is None:
                self._columns.learn(element, node)
                self._nodes.learn(element.pattern, node)
            whole.append(node)
        rest.this.set("expressions", whole)
        return True


def _elements_to_parse(table: TableText) -> list[Element]:
    """The elements that are parsed: those that are not known, and at least one."""
    kept = [element for element, made in zip(table.elements, table.made, strict=True) if made is None]
    return kept or [table.elements[0]]


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
    """From `start` to `end` in the text. A column that names nothing else has a `tail`: what stands between its name
    and its
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
        if name and written and "`" not in written and not why_name_is_refused(name):
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
