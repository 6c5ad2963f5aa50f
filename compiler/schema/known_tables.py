"""What of a table's definition is known from others of the same file: only the rest is parsed. A thousand tables hold a few hundred kinds of
column; nobody changes nodes that are shared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from shardwright.compiler.schema.cut import Region
from shardwright.compiler.schema.known_nodes import KnownNodes, Pattern, pattern
from shardwright.compiler.schema.table_elements import Element, table_elements
from shardwright.compiler.sql.printer import TAIL
from shardwright.compiler.sql.sql_tokens import part_tokens, split


@dataclass(frozen=True, slots=True)
class _Known:
    kind: exp.Expr
    constraints: tuple[exp.ColumnConstraint, ...]
    meta: dict[str, object]


@dataclass(slots=True)
class KnownColumns:
    """Those of one schema file."""

    text: str
    _known: dict[str, _Known] = field(default_factory=dict)

    def made(self, element: Element) -> exp.ColumnDef | None:
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
        known = self._known.setdefault(tail, _Known(node.kind, tuple(constraints), {TAIL: tail}))
        node._meta = known.meta


def _comment(text: str) -> exp.ColumnConstraint:
    return exp.ColumnConstraint(kind=exp.CommentColumnConstraint(this=exp.Literal.string(text)))


@dataclass(frozen=True, slots=True)
class TableText:
    """A CREATE TABLE's elements; `made` are the nodes of those that are known, None for the others; `frame` is what stands
    around them."""

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
        made = tuple(self._columns.made(item) if item.tail else self._nodes.made(item.pattern) for item in elements)
        head = pattern(self.text, table.create or table.start, elements[0].start)
        end = pattern(self.text, elements[-1].end, table.end)
        frame = head + end if head and end else None
        return TableText(table, elements, made, frame)

    def whole(self, table: TableText) -> exp.Create | None:
        """The statement when all of it is known."""
        frame = self._nodes.made(table.frame) if all(table.made) else None
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
        kept = _kept(table)
        first, edge, end = kept[0], table.elements[0].end, table.elements[-1].end
        parts = [(table.region.start, table.elements[0].start), (first.start, first.end)]
        for element in kept[1:]:
            parts += ((edge, edge + 1), (element.start, element.end))
        (tokens,) = split(part_tokens(self.text, [*parts, (end, table.region.end)]))
        return tokens

    def restore(self, table: TableText, rest: exp.Create) -> bool:
        """Put what is known back to its places in the statement that was read of the rest, and remember what is new. False
        when the parser saw other elements than the commas say."""
        kept = _kept(table)
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


def _kept(table: TableText) -> list[Element]:
    """The elements that are parsed: those that are not known, and at least one."""
    kept = [element for element, made in zip(table.elements, table.made, strict=True) if made is None]
    return kept or [table.elements[0]]
