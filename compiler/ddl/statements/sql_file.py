"""A hand-written SQL file, cut into its statements; what a server would run but sqlglot would not see is refused.

CREATE INDEX is read as ALTER TABLE ADD INDEX, DROP INDEX as ALTER TABLE DROP INDEX: both servers take them for the
same, whatever kind the index is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from shardwright.compiler.ddl.statements.unread import clause_not_routed
from shardwright.compiler.sql.mysql_parser import parse_tokens
from shardwright.compiler.sql.sql_tokens import PARSER_FAULTS, find_executed_comments, place, quiet_parser, split
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
    if _refuse_comments(text, tokens, file=file, findings=findings):
        return ()
    return tuple(_statement(part, text, file=file, findings=findings) for part in split(tokens))


def _refuse_comments(text: str, tokens: list[Token], *, file: str, findings: Findings) -> bool:
    found = list(find_executed_comments(text, tokens))
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


_KINDS = ("UNIQUE", "FULLTEXT", "SPATIAL")
_WAYS = ("ALGORITHM", "LOCK")


def as_alter(tokens: Sequence[Token]) -> list[Token]:
    """The tokens of a statement; of a CREATE INDEX or DROP INDEX those of the ALTER TABLE, each in its place of the
    text. sqlglot reads few of the former: of key parts, it takes `note(10)` for the call of a function."""
    words = ["" if token.token_type is TokenType.IDENTIFIER else token.text.upper() for token in tokens]
    at = 2 if len(words) > 2 and words[1] in _KINDS else 1
    if words[:1] not in (["CREATE"], ["DROP"]) or words[at : at + 1] != ["INDEX"] or "ON" not in words:
        return [*tokens]
    on, creates = words.index("ON"), words[0] == "CREATE"
    ends = on + (4 if words[on + 2 : on + 3] == ["."] else 2)
    table, behind = tokens[on + 1 : ends], words[ends : ends + 1]
    if not (behind == ["("] if creates else table and (not behind or behind[0] in _WAYS)):
        return [*tokens]  # MariaDB has WAIT behind the table
    kind = tokens[1:2] if at == 2 else ()
    index = () if words[1] == "UNIQUE" else tokens[at : at + 1]
    name, rest = tokens[at + 1 : on], _with_commas(tokens[ends:], words[ends:])
    first = tokens[0]
    verb = _as(first, TokenType.VAR, "ADD") if creates else first
    return [
        *(_as(first, TokenType.ALTER, "ALTER"), _as(first, TokenType.TABLE, "TABLE"), *table, verb),
        *(*kind, *index, *name, *rest),
    ]


def _with_commas(tokens: Sequence[Token], words: Sequence[str]) -> list[Token]:
    """Before ALGORITHM and LOCK, which are clauses of their own in an ALTER TABLE."""
    made: list[Token] = []
    depth = 0
    for token, word in zip(tokens, words, strict=True):
        depth += (word == "(") - (word == ")")
        if word in _WAYS and not depth:
            made.append(_as(token, TokenType.COMMA, ","))
        made.append(token)
    return made


def _as(token: Token, kind: TokenType, text: str) -> Token:
    return Token(kind, text, token.line, token.col, token.start, token.end, [])
