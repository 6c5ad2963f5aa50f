"""A hand-written SQL file, cut into its statements; what a server would run but sqlglot would not see is refused."""

from __future__ import annotations

from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token

from shardwright.compiler.ddl.statements.create_index import as_alter
from shardwright.compiler.ddl.statements.unread import clause_not_routed
from shardwright.compiler.sql.mysql_parser import parse_tokens
from shardwright.compiler.sql.sql_tokens import PARSER_FAULTS, executed_comments, place, quiet_parser, split
from shardwright.specs.findings.diagnostics import Findings, Span

_ROUTED = ("ALTER", "CREATE", "DROP")


@dataclass(frozen=True, slots=True)
class FileStatement:
    """One statement of a file: its text without the semicolon, its place, and its tree (None: findings say why), with
    the tokens that the tree was read from. A CREATE INDEX is read as ALTER TABLE.

    `offset` is where the statement begins in `file_text`."""

    text: str
    span: Span
    tree: exp.Expr | None
    tokens: tuple[Token, ...] = ()
    offset: int = 0
    file_text: str = ""

    def place_of(self, node: exp.Expr) -> Span:
        """The place of the first name in a part of the tree; of the statement's first word when it has none."""
        for name in node.find_all(exp.Identifier):
            start, end = name.meta.get("start"), name.meta.get("end")
            if isinstance(start, int) and isinstance(end, int):
                return place(self.file_text, self.offset + start, file=self.span.file, length=end + 1 - start)
        return self.span


def read_statements(text: str, *, file: str, findings: Findings) -> tuple[FileStatement, ...]:
    """The statements in order. A statement stands under its first word's place."""
    try:
        tokens = sqlglot.tokenize(text, dialect="mysql")
    except TokenError:
        findings.error("SW4203", "a quote or a comment in this file is not closed", Span(file, 1, 1))
        return ()
    if _refused_comment(text, tokens, file=file, findings=findings):
        return ()
    return tuple(_statement(part, text, file=file, findings=findings) for part in split(tokens))


def _refused_comment(text: str, tokens: list[Token], *, file: str, findings: Findings) -> bool:
    found = list(executed_comments(text, tokens))
    for start, length in found:
        comment = first_words(text[start : start + length])
        message = f"servers execute version comments: write {comment} plainly or leave it out"
        findings.error("SW4206", message, place(text, start, file=file, length=length))
    return bool(found)


def _statement(tokens: list[Token], text: str, *, file: str, findings: Findings) -> FileStatement:
    start, end = tokens[0].start, tokens[-1].end + 1
    span = place(text, start, file=file, length=tokens[0].end + 1 - start)
    body = text[start:end]
    read = as_alter(sqlglot.tokenize(body, dialect="mysql"))
    tree = _tree(read, body, span, offset=start, text=text, findings=findings)
    return FileStatement(body, span, tree, tuple(read), start, text)


def _tree(tokens: list[Token], body: str, span: Span, *, offset: int, text: str, findings: Findings) -> exp.Expr | None:
    first = body.split(maxsplit=1)[0].upper()
    if first == "DELIMITER":
        findings.error("SW4204", "DELIMITER is a word of the command-line client, not of SQL", span)
        return None
    if first.startswith("--"):
        findings.error("SW4203", "servers take -- for a comment only where a space follows: write one", span)
        return None
    try:
        with quiet_parser():
            (tree,) = parse_tokens(tokens, body)
    except ParseError as error:
        if why := clause_not_routed(body):
            findings.error("SW4205", f"{why}: {first_words(body)}", span)
            return None
        item = error.errors[0]
        description = str(item.get("description")).split(" but got <Token")[0].rstrip(".")
        message = f"cannot read this SQL: {description}"
        findings.error("SW4203", message, _error_place(item, span, offset=offset, text=text))
        return None
    except PARSER_FAULTS:
        tree = None
    if tree is None or (isinstance(tree, exp.Command) and first in _ROUTED):
        why = clause_not_routed(body) or "the meaning of this is not certain"
        findings.error("SW4205", f"{why}: {first_words(body)}", span)
        return None
    return tree


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
