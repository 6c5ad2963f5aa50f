"""The schema file cut into its CREATE TABLE statements; triggers are left to `triggers`. What sqlglot would silently change is refused: a version comment
(`/*!80023 INVISIBLE */`) becomes a plain comment, a statement it does not know an opaque command, REGEXP a function that
one of the servers lacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, TokenError
from sqlglot.tokenizer_core import Token

from shardwright.compiler.ddl.words import lost_words
from shardwright.compiler.known_columns import KnownColumns
from shardwright.compiler.plain_names import refused_name_reason
from shardwright.compiler.sql_tokens import executed_comment, place, quiet_parser, split
from shardwright.compiler.triggers import without_triggers
from shardwright.specs.diagnostics import Findings
from shardwright.specs.span import Span

_MYSQL = sqlglot.Dialect.get_or_raise("mysql")


def read_statements(text: str, *, file: str, findings: Findings) -> Iterator[exp.Create]:
    """Every CREATE TABLE that says what was written, nodes knowing their place in `text`. The others are in `findings`."""
    try:
        tokens = _MYSQL.tokenize(text)
    except TokenError:
        findings.error("SW4102", "a quote or a comment in this file is not closed", Span(file, 1, 1))
        return
    if comment := executed_comment(text, tokens, file=file):
        message = "version comments are not understood: write the clause plainly or leave it out"
        findings.error("SW4101", message, comment)
        return
    known = KnownColumns(text)
    remaining = list(without_triggers(tokens, text))
    del tokens
    for part in split(_let_go(remaining)):
        if (create := _read_reduced(part, text, known)) is not None:
            yield create
            continue
        tree = _parsed(part, text, file=file, findings=findings)
        if tree is None or not _is_honest(tree, part, text, file=file, findings=findings):
            continue
        if _has_plain_names(tree, text, file=file, findings=findings):
            yield tree


def _let_go(tokens: list[Token]) -> Iterator[Token]:
    """All of them, leaving none: a large file's tokens take more memory than its trees."""
    tokens.reverse()
    while tokens:
        yield tokens.pop()


def _read_reduced(tokens: Sequence[Token], text: str, known: KnownColumns) -> exp.Create | None:
    """The statement when nothing is wrong with it, without parsing the columns that are known; None: read it whole."""
    reduced = known.reduced(tokens)
    if reduced is None:
        return None
    findings = Findings()
    tree = _parsed(reduced.tokens, text, file="", findings=findings)
    if tree is None or lost_words(reduced.written, tree.sql(dialect="mysql")) is not None:
        return None
    if not _has_plain_names(tree, text, file="", findings=findings) or not known.restore(tree.this, reduced):
        return None
    return tree


def _parsed(tokens: Sequence[Token], text: str, *, file: str, findings: Findings) -> exp.Create | None:
    start, end = tokens[0].start, tokens[-1].end + 1
    try:
        with quiet_parser():
            (tree,) = _MYSQL.parser(error_level=ErrorLevel.RAISE).parse(list(tokens), text)
    except ParseError as error:
        item = error.errors[0]
        message = str(item.get("description")).split(" but got <Token")[0].rstrip(".")
        findings.error("SW4102", f"cannot read this SQL: {message}", _error_place(item, file))
        return None
    if isinstance(tree, exp.Create) and tree.kind == "TABLE" and isinstance(tree.this, exp.Schema):
        return tree
    span = place(text, start, file=file, length=len(tokens[0].text))
    words = " ".join(text[start:end].split("(")[0].split())[:60]
    if [token.text.upper() for token in tokens[:2]] == ["CREATE", "TABLE"]:
        findings.error("SW4102", f"cannot read this SQL: '{words}' holds a clause or a type that is not known", span)
    else:
        findings.error(
            "SW4103", f"a schema file holds CREATE TABLE statements (and triggers) only, not '{words}'", span
        )
    return None


def _is_honest(tree: exp.Create, tokens: Sequence[Token], text: str, *, file: str, findings: Findings) -> bool:
    written = text[tokens[0].start : tokens[-1].end + 1]
    lost = lost_words(written, tree.sql(dialect="mysql"))
    if lost is None:
        return True
    word = next((token for token in tokens if token.text.upper() in lost.written.split()), tokens[0])
    printed = " ".join(part for part in lost.printed.split() if any(map(str.isalnum, part)))
    if printed:
        message = f"'{lost.written}' would become '{printed}': write it in that form, if it is what you mean"
    else:
        message = f"'{lost.written}' is not understood here"
    findings.error("SW4107", message, place(text, word.start, file=file, length=word.end + 1 - word.start))
    return False


def _has_plain_names(tree: exp.Create, text: str, *, file: str, findings: Findings) -> bool:
    plain = True
    for node in tree.find_all(exp.Identifier):
        if reason := refused_name_reason(node.name):
            start = node.meta.get("start")
            span = place(text, start, file=file, length=len(node.name)) if isinstance(start, int) else Span(file, 1, 1)
            findings.error("SW2116", f"name {node.name!r} {reason}", span)
            plain = False
    return plain


def _error_place(item: dict[str, object], file: str) -> Span:
    """sqlglot reports the column where the token ends."""
    length = max(1, len(str(item.get("highlight") or "")))
    column = max(1, int(str(item.get("col") or 1)) - length + 1)
    return Span(file, int(str(item.get("line") or 1)), column, length)
