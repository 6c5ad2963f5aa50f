"""Column definitions that were read before. A thousand tables hold a few hundred kinds of column: what stands after the name
(and before the comment) is parsed, and shown to say what was written, once; further columns share its nodes.

Only what names nothing else is remembered: no generated column, check or reference. So the shared nodes hold no place in
the file that a finding could point to, and nobody has to change them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from shardwright.compiler.schema_cut import Region
from shardwright.compiler.sql_tokens import part_tokens, split
from shardwright.compiler.table_elements import Element, table_elements

TAIL = "written_after_name"
"""Key in a ColumnDef's `meta`: the text it has in common with others."""


@dataclass(frozen=True, slots=True)
class _Known:
    kind: exp.Expr
    constraints: tuple[exp.ColumnConstraint, ...]
    meta: dict[str, object]


@dataclass(frozen=True, slots=True)
class Reduced:
    """A statement without the columns that are known."""

    tokens: Sequence[Token]
    elements: tuple[Element, ...]
    left_out: frozenset[int]


@dataclass(slots=True)
class KnownColumns:
    """Those of one schema file."""

    text: str
    _known: dict[str, _Known] = field(default_factory=dict)

    def reduced(self, table: Region) -> Reduced | None:
        """None when the table's elements are not known for certain. Raises TokenError."""
        elements = table_elements(self.text, table)
        if elements is None:
            return None
        left_out = {index for index, element in enumerate(elements) if element.tail in self._known}
        if len(left_out) == len(elements):
            left_out.discard(0)
        kept = [element for index, element in enumerate(elements) if index not in left_out]
        edge = elements[0].end
        parts = [(table.start, elements[0].start), (kept[0].start, kept[0].end)]
        for element in kept[1:]:
            parts += ((edge, edge + 1), (element.start, element.end))
        parts.append((elements[-1].end, table.end))
        (tokens,) = split(part_tokens(self.text, parts))
        return Reduced(tokens, elements, frozenset(left_out))

    def restore(self, schema: exp.Schema, reduced: Reduced) -> bool:
        """Put the columns that were left out back to their places, and remember the new ones. False when the parser saw
        other elements than the commas say."""
        parsed = list(schema.expressions)
        if len(parsed) + len(reduced.left_out) != len(reduced.elements):
            return False
        whole: list[exp.Expr] = []
        for index, element in enumerate(reduced.elements):
            if index in reduced.left_out:
                assert element.tail is not None
                whole.append(_column(element, self._known[element.tail], self.text))
                continue
            whole.append(parsed.pop(0))
            self._learn(element, whole[-1])
        schema.set("expressions", whole)
        return True

    def _learn(self, element: Element, node: exp.Expr) -> None:
        tail = element.tail
        if tail is None or not isinstance(node, exp.ColumnDef) or node.kind is None:
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


def _column(element: Element, known: _Known, text: str) -> exp.ColumnDef:
    identifier = exp.Identifier(this=element.name, quoted=True)
    start = text.index("`", element.start)
    identifier._meta = {"start": start, "end": start + len(element.name) + 1}
    constraints = list(known.constraints)
    if element.comment is not None:
        constraints.append(_comment(element.comment))
    column = exp.ColumnDef(this=identifier, kind=known.kind, constraints=constraints)
    column._meta = known.meta
    return column


def _comment(text: str) -> exp.ColumnConstraint:
    return exp.ColumnConstraint(kind=exp.CommentColumnConstraint(this=exp.Literal.string(text)))
