"""Column definitions that were read before. A thousand tables hold a few hundred kinds of column: what stands after the name
(and before the comment) is parsed, and shown to say what was written, once; further columns share its nodes.

Only what names nothing else is remembered: no generated column, check or reference. So the shared nodes hold no place in
the file that a finding could point to, and nobody has to change them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from shardwright.compiler.schema.table_elements import Element
from shardwright.compiler.sql.printer import TAIL


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
