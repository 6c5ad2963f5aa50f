"""SQL text to a sqlglot tree (one expression, no comments, plain tokens only), with the place of each part in the YAML
file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from shardwright.specs.findings.diagnostics import Findings, Span


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
        return self.span.shift(start + quotes // 2, end - start)

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
        first = _first_token(tokens, node)
        if first is None:
            begin = min(meta["start"] for meta in known)
            first = next(i for i, token in enumerate(tokens) if token.start == begin)
        return tokens[first].start, tokens[_last_token(tokens, first, final)].end + 1


def _first_token(tokens: Sequence[Token], node: exp.Expr) -> int | None:
    """The index of the node's first token, found from its first operand; None when that kept no place."""
    if "start" in node.meta:
        return next(i for i, token in enumerate(tokens) if token.start == node.meta["start"])
    first = node.parts[0] if isinstance(node, exp.Column) else node.this
    operand = _first_token(tokens, first) if isinstance(first, exp.Expr) else None
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


def _last_token(tokens: Sequence[Token], first: int, final: int) -> int:
    """The index of the token that closes the last bracket opened from `first` on; `final` when all are closed."""
    signs = [token.token_type for token in tokens]
    while final + 1 < len(tokens):
        inside = signs[first : final + 1]
        if inside.count(TokenType.L_PAREN) <= inside.count(TokenType.R_PAREN):
            break
        final += 1
    return final


_REFUSED_TOKENS = {
    TokenType.PARAMETER: "a user variable",
    TokenType.SESSION_PARAMETER: "a system variable",
    TokenType.PLACEHOLDER: "a placeholder",
    TokenType.HEX_STRING: "a hexadecimal literal",
    TokenType.BIT_STRING: "a bit literal",
    TokenType.NATIONAL_STRING: "a national text literal",
    TokenType.INTRODUCER: "a character set introducer",
    TokenType.DCOLON: "a cast written '::'",
    TokenType.SELECT: "a subquery",
}
REFUSED_BY_TOKEN = (
    exp.Query,
    exp.Parameter,
    exp.SessionParameter,
    exp.Placeholder,
    exp.HexString,
    exp.BitString,
    exp.National,
    exp.Introducer,
)
"""What such tokens become: the finding at the token is enough."""

MOST_TOKENS = 200
MOST_DEPTH = 12
MOST_BRACKETS = 30
"""All keep the generated SQL, which has more brackets and casts, within what its parser can recurse into."""


def read_sql(source: SqlSource, findings: Findings) -> exp.Expr | None:
    """The tree of the text. None after an error that leaves no tree; a tree beside errors is for finding more of
    them."""
    if not source.text.strip():
        findings.error("SW3001", "the expression is empty", source.span)
        return None
    try:
        tokens = source.tokens()
    except TokenError:
        findings.error("SW3001", "the expression cannot be read: a quote or comment is not closed", source.span)
        return None
    _check_tokens(tokens, source, findings)
    if len(tokens) > MOST_TOKENS:
        findings.error("SW3001", f"the expression is too long: {len(tokens)} words and signs", source.span)
        return None
    if _brackets(tokens) > MOST_BRACKETS:
        findings.error("SW3001", f"the expression is nested too deeply: at most {MOST_BRACKETS} brackets", source.span)
        return None
    try:
        dialect = sqlglot.Dialect.get_or_raise("mysql")
        statements = dialect.parser(error_level=ErrorLevel.RAISE).parse(list(tokens), source.text)
    except ParseError as error:
        _report_syntax(error, source, findings)
        return None
    except RecursionError:
        findings.error("SW3001", "the expression is nested too deeply", source.span)
        return None
    tree = statements[0] if statements else None
    if tree is not None and _depth(tree) > MOST_DEPTH:
        findings.error("SW3001", f"the expression is nested too deeply: at most {MOST_DEPTH} levels", source.span)
        return None
    return tree


def _brackets(tokens: Sequence[Token]) -> int:
    """How many brackets stand inside one another at most."""
    level = deepest = 0
    for token in tokens:
        level += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        deepest = max(deepest, level)
    return deepest


def _depth(tree: exp.Expr) -> int:
    """How many operations stand inside one another at most; brackets do not count."""
    deepest = 0
    pending = [(tree, 1)]
    while pending:
        node, level = pending.pop()
        deepest = max(deepest, level)
        below = level + (not isinstance(node, exp.Paren))
        for child in node.iter_expressions():
            chained = isinstance(node, exp.Connector) and type(child) is type(node)  # a AND b AND c: one level
            pending.append((child, level if chained else below))
    return deepest


def _check_tokens(tokens: Sequence[Token], source: SqlSource, findings: Findings) -> None:
    for token in tokens:
        place = source.place(token.start, token.end + 1)
        if token.comments:
            findings.error("SW3002", f"a comment is not allowed in {source.what}", place)
        if token.token_type is TokenType.SEMICOLON:
            findings.error("SW3002", f"{source.what} is one expression: ';' is not allowed in it", place)
        elif token.token_type in _REFUSED_TOKENS:
            what = _REFUSED_TOKENS[token.token_type]
            findings.error("SW3003", f"{what} is not allowed in {source.what}", place)


def _report_syntax(error: ParseError, source: SqlSource, findings: Findings) -> None:
    for item in error.errors:
        place = source.span
        highlight, column, line = item.get("highlight"), item.get("col"), item.get("line")
        if highlight and column and line:
            before = sum(len(earlier) + 1 for earlier in source.text.split("\n")[: line - 1])
            place = source.place(before + column - len(highlight), before + column)
        marked = f" at {highlight!r}" if highlight else ""
        findings.error("SW3001", f"the expression is not SQL of the MySQL dialect{marked}", place)
