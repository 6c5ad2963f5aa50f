"""Where the parts of a SQL expression stand in the YAML file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from shardwright.specs.findings.span import Span


@dataclass(frozen=True, slots=True)
class SqlSource:
    """The SQL text of a YAML scalar and the scalar's place.

    The span covers what stands between a scalar's quotes, or counts the quotes too. It knows the places of characters
    that do not simply follow one another. Where the two do not fit together the whole scalar is marked.
    `what` is how findings call the expression.
    """

    text: str
    span: Span
    what: str = "a sharding expression"

    def tokens(self) -> Sequence[Token]:
        """Raises sqlglot's TokenError for a quote or comment that is not closed."""
        return sqlglot.Dialect.get_or_raise("mysql").tokenize(self.text)

    def place(self, start: int, end: int) -> Span:
        """The place of the characters from `start` to before `end`."""
        if start < end and len(self.span.characters) == len(self.text):
            return self.span.part(start, end)
        quotes = self.span.length - len(self.text)
        if start >= end or "\n" in self.text or quotes not in (0, 2):
            return self.span
        return self.span.shifted(start + quotes // 2, end - start)

    def place_of(self, node: exp.Expr) -> Span:
        extent = self._extent(node)
        return self.span if extent is None else self.place(*extent)

    def excerpt(self, node: exp.Expr) -> str:
        """The node as the author wrote it."""
        extent = self._extent(node)
        return node.sql(dialect="mysql") if extent is None else self.text[slice(*extent)]

    def name_of(self, node: exp.Expr) -> str:
        """A function's name as the author wrote it."""
        extent = self._extent(node)
        if extent is None:
            return node.key
        return next(token.text for token in self.tokens() if token.start == extent[0])

    def _extent(self, node: exp.Expr) -> tuple[int, int] | None:
        """The offsets a node covers; None when no token of it kept its place (TRUE, NULL, *).

        sqlglot keeps the places of names and literals only, so signs, brackets and most function names are found in
        the tokens around them.
        """
        known = [part.meta for part in node.walk() if "start" in part.meta]
        tokens = self.tokens()
        if not known:
            return _by_name(tokens, node) if isinstance(node, exp.Func) else None
        last = max(meta["end"] for meta in known)
        final = next(i for i, token in enumerate(tokens) if token.end == last)
        first = _opening(tokens, node)
        if first is None:
            begin = min(meta["start"] for meta in known)
            first = next(i for i, token in enumerate(tokens) if token.start == begin)
        return tokens[first].start, tokens[_closing(tokens, first, final)].end + 1


def _opening(tokens: Sequence[Token], node: exp.Expr) -> int | None:
    """The index of the node's first token, found from its first operand; None when that kept no place."""
    if "start" in node.meta:
        return next(i for i, token in enumerate(tokens) if token.start == node.meta["start"])
    first = node.parts[0] if isinstance(node, exp.Column) else node.this
    operand = _opening(tokens, first) if isinstance(first, exp.Expr) else None
    if operand is None:
        return None
    if isinstance(node, exp.Unary):
        return max(0, operand - 1)
    if _is_call(node) and operand >= 2 and tokens[operand - 1].token_type is TokenType.L_PAREN:
        return operand - 2
    return operand


def _is_call(node: exp.Expr) -> bool:
    return isinstance(node, exp.Func) and not isinstance(node, exp.Binary)


def _by_name(tokens: Sequence[Token], node: exp.Func) -> tuple[int, int] | None:
    """Where a function without arguments and brackets stands: CURRENT_TIMESTAMP."""
    named = (token for token in tokens if token.text.upper() == node.sql_name())
    return next(((token.start, token.end + 1) for token in named), None)


def _closing(tokens: Sequence[Token], first: int, final: int) -> int:
    """The index of the token that closes the last bracket opened from `first` on; `final` when all are closed."""
    signs = [token.token_type for token in tokens]
    while final + 1 < len(tokens):
        inside = signs[first : final + 1]
        if inside.count(TokenType.L_PAREN) <= inside.count(TokenType.R_PAREN):
            break
        final += 1
    return final
