"""Column definitions that were read before. A thousand tables hold a few hundred kinds of column: what stands after the name
(and before the comment) is parsed, and shown to say what was written, once; further columns share its nodes.

Only what names nothing else is remembered: no generated column, check or reference. So the shared nodes hold no place in
the file that a finding could point to, and nobody has to change them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from shardwright.compiler.plain_names import refused_name_reason

TAIL = "written_after_name"
"""Key in a ColumnDef's `meta`: the text it has in common with others."""


@dataclass(frozen=True, slots=True)
class _Element:
    """A part of a table's definition, between commas. `tail` is None for what is not remembered."""

    tokens: Sequence[Token]
    tail: str | None
    comment: str | None


@dataclass(frozen=True, slots=True)
class _Known:
    kind: exp.Expr
    constraints: tuple[exp.ColumnConstraint, ...]
    meta: dict[str, object]


@dataclass(frozen=True, slots=True)
class Reduced:
    """A statement without the columns that are known. `written` is its text."""

    tokens: list[Token]
    written: str
    elements: tuple[_Element, ...]
    left_out: frozenset[int]


@dataclass(slots=True)
class KnownColumns:
    """Those of one schema file."""

    text: str
    _known: dict[str, _Known] = field(default_factory=dict)

    def reduced(self, tokens: Sequence[Token]) -> Reduced | None:
        """None when no column of the statement is known, or it does not look like CREATE TABLE x (...)."""
        bounds = _brackets(tokens)
        if bounds is None:
            return None
        opening, closing, commas = bounds
        edges = [opening, *commas, closing]
        elements = tuple(self._element(tokens[a + 1 : b]) for a, b in pairwise(edges))
        left_out = {index for index, element in enumerate(elements) if element.tail in self._known}
        if len(left_out) == len(elements):
            left_out.discard(0)
        kept = [element for index, element in enumerate(elements) if index not in left_out]
        if any(not element.tokens for element in kept):
            return None
        inner = [
            token for n, element in enumerate(kept) for token in (*([tokens[commas[0]]] if n else ()), *element.tokens)
        ]
        head, tail = self._span(tokens[: opening + 1]), self._span(tokens[closing:])
        written = f"{head}{', '.join(self._span(element.tokens) for element in kept)}{tail}"
        return Reduced([*tokens[: opening + 1], *inner, *tokens[closing:]], written, elements, frozenset(left_out))

    def _element(self, tokens: Sequence[Token]) -> _Element:
        if len(tokens) < 2 or tokens[0].token_type is not TokenType.IDENTIFIER or refused_name_reason(tokens[0].text):
            return _Element(tokens, None, None)
        tail, comment = tokens[1:], None
        if len(tail) > 2 and tail[-1].token_type is TokenType.STRING and tail[-2].text.upper() == "COMMENT":
            tail, comment = tail[:-2], tail[-1].text
        if any(token.token_type is TokenType.IDENTIFIER or token.comments for token in tokens[1:]):
            return _Element(tokens, None, None)
        return _Element(tokens, self._span(tail), comment)

    def _span(self, tokens: Sequence[Token]) -> str:
        return self.text[tokens[0].start : tokens[-1].end + 1]

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
                whole.append(_column(element, self._known[element.tail]))
                continue
            whole.append(parsed.pop(0))
            self._learn(element, whole[-1])
        schema.set("expressions", whole)
        return True

    def _learn(self, element: _Element, node: exp.Expr) -> None:
        tail = element.tail
        if tail is None or not isinstance(node, exp.ColumnDef) or node.kind is None:
            return
        if node.args.get("position") or node.args.get("exists") or node.name != element.tokens[0].text:
            return
        constraints = list(node.args.get("constraints") or ())
        if element.comment is not None:
            if not constraints or constraints.pop() != _comment(element.comment):
                return
        elif any(isinstance(item.kind, exp.CommentColumnConstraint) for item in constraints):
            return
        known = self._known.setdefault(tail, _Known(node.kind, tuple(constraints), {TAIL: tail}))
        node._meta = known.meta


def _brackets(tokens: Sequence[Token]) -> tuple[int, int, list[int]] | None:
    """Where the list of elements begins and ends, and its commas."""
    depth, opening = 0, -1
    commas: list[int] = []
    for index, token in enumerate(tokens):
        kind = token.token_type
        if kind is TokenType.L_PAREN:
            if depth == 0:
                opening = index
            depth += 1
        elif kind is TokenType.R_PAREN:
            depth -= 1
            if depth == 0:
                return opening, index, commas
        elif depth == 1 and kind is TokenType.COMMA:
            commas.append(index)
    return None


def _column(element: _Element, known: _Known) -> exp.ColumnDef:
    name = element.tokens[0]
    identifier = exp.Identifier(this=name.text, quoted=True)
    identifier._meta = {"line": name.line, "col": name.col, "start": name.start, "end": name.end}
    constraints = list(known.constraints)
    if element.comment is not None:
        constraints.append(_comment(element.comment))
    column = exp.ColumnDef(this=identifier, kind=known.kind, constraints=constraints)
    column._meta = known.meta
    return column


def _comment(text: str) -> exp.ColumnConstraint:
    return exp.ColumnConstraint(kind=exp.CommentColumnConstraint(this=exp.Literal.string(text)))
