"""A hand-written SQL file, cut into its statements; what a server would run but sqlglot would not see is refused."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from shardwright.specs.diagnostics import Findings
from shardwright.specs.span import Span

_COMMENT = re.compile(r"--[^\n]*|#[^\n]*|/\*.*?\*/", re.DOTALL)
_EXECUTED = ("/*!", "/*M!")


_ROUTED = ("ALTER", "CREATE", "DROP")


@dataclass(frozen=True, slots=True)
class FileStatement:
    """One statement of a file: its text without the semicolon, its place, and its tree (None: findings say why)."""

    text: str
    span: Span
    tree: exp.Expr | None


def read_statements(text: str, *, file: str, findings: Findings) -> tuple[FileStatement, ...]:
    """The statements in order. A statement stands under its first word's place."""
    try:
        tokens = sqlglot.tokenize(text, dialect="mysql")
    except TokenError:
        findings.error("SW4203", "a quote or a comment in this file is not closed", Span(file, 1, 1))
        return ()
    if _refused_comment(text, tokens, file=file, findings=findings):
        return ()
    return tuple(_statement(part, text, file=file, findings=findings) for part in _split(tokens))


def _refused_comment(text: str, tokens: list[Token], *, file: str, findings: Findings) -> bool:
    """Only the space between tokens is searched: `/*!` within a string is text, and within a line comment too."""
    ends = [0, *(token.end + 1 for token in tokens)]
    starts = [*(token.start for token in tokens), len(text)]
    for end, start in zip(ends, starts, strict=True):
        for comment in _COMMENT.finditer(text, end, start):
            if comment.group().startswith(_EXECUTED):
                message = "servers execute version comments: write the clause plainly or leave it out"
                findings.error("SW4206", message, place(text, comment.start(), file=file, length=len(comment.group())))
                return True
    return False


def _split(tokens: list[Token]) -> Iterator[list[Token]]:
    part: list[Token] = []
    for token in tokens:
        if token.token_type is not TokenType.SEMICOLON:
            part.append(token)
        elif part:
            yield part
            part = []
    if part:
        yield part


def _statement(tokens: list[Token], text: str, *, file: str, findings: Findings) -> FileStatement:
    start, end = tokens[0].start, tokens[-1].end + 1
    span = place(text, start, file=file, length=tokens[0].end + 1 - start)
    body = text[start:end]
    tree = _tree(body, span, offset=start, text=text, findings=findings)
    return FileStatement(body, span, tree)


def _tree(body: str, span: Span, *, offset: int, text: str, findings: Findings) -> exp.Expr | None:
    first = body.split(maxsplit=1)[0].upper()
    if first == "DELIMITER":
        findings.error("SW4204", "DELIMITER is a word of the command-line client, not of SQL", span)
        return None
    try:
        with _quiet_parser():
            tree = sqlglot.parse_one(body, dialect="mysql", error_level=ErrorLevel.RAISE)
    except ParseError as error:
        item = error.errors[0]
        description = str(item.get("description")).split(" but got <Token")[0].rstrip(".")
        message = f"cannot read this SQL: {description}"
        findings.error("SW4203", message, _error_place(item, span, offset=offset, text=text))
        return None
    if isinstance(tree, exp.Command) and first in _ROUTED:
        findings.error("SW4205", f"cannot tell for certain what this means: {first_words(body)}", span)
        return None
    return tree


@contextmanager
def _quiet_parser() -> Iterator[None]:
    """sqlglot logs each statement that it does not know; the finding says it better."""
    logger = logging.getLogger("sqlglot")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def first_words(body: str) -> str:
    words = " ".join(body.split())
    return f"'{words}'" if len(words) <= 60 else f"'{words[:57].rstrip()}…'"


def _error_place(item: dict[str, object], span: Span, *, offset: int, text: str) -> Span:
    """sqlglot counts lines from the statement's start, and names the column where the token ends."""
    line, column = item.get("line"), item.get("col")
    if not isinstance(line, int) or not isinstance(column, int):
        return span
    length = max(1, len(str(item.get("highlight") or "")))
    begin = offset
    for _ in range(line - 1):
        begin = text.index("\n", begin) + 1
    return place(text, begin + max(0, column - length), file=span.file, length=length)


def place(text: str, offset: int, *, file: str, length: int) -> Span:
    line_start = text.rfind("\n", 0, offset) + 1
    return Span(file, text.count("\n", 0, offset) + 1, offset - line_start + 1, length)
