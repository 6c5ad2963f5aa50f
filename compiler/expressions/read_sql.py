"""SQL text to a sqlglot tree: one expression, no comments, nothing but plain tokens."""

from __future__ import annotations

from collections.abc import Sequence

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from shardwright.compiler.expressions.source import SqlSource
from shardwright.specs.findings.diagnostics import Findings

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
    """The tree of the text. None after an error that leaves no tree; a tree beside errors is for finding more of them."""
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
            findings.error("SW3002", f"a comment may not stand in {source.what}", place)
        if token.token_type is TokenType.SEMICOLON:
            findings.error("SW3002", f"{source.what} is one expression: ';' may not stand in it", place)
        elif token.token_type in _REFUSED_TOKENS:
            what = _REFUSED_TOKENS[token.token_type]
            findings.error("SW3003", f"{what} may not stand in {source.what}", place)


def _report_syntax(error: ParseError, source: SqlSource, findings: Findings) -> None:
    for item in error.errors:
        place = source.span
        highlight, column, line = item.get("highlight"), item.get("col"), item.get("line")
        if highlight and column and line:
            before = sum(len(earlier) + 1 for earlier in source.text.split("\n")[: line - 1])
            place = source.place(before + column - len(highlight), before + column)
        marked = f" at {highlight!r}" if highlight else ""
        findings.error("SW3001", f"the expression is not SQL of the MySQL dialect{marked}", place)
