"""One CREATE TABLE of a schema file. What sqlglot would silently change is refused: a statement that it does not know becomes
an opaque command, REGEXP a function that one of the servers lacks."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token

from shardwright.compiler.sql.mysql_parser import parse_tokens
from shardwright.compiler.sql.plain_names import refused_name_reason
from shardwright.compiler.sql.sql_tokens import PARSER_FAULTS, place, quiet_parser
from shardwright.compiler.sql.words import lost_words
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.span import Span


def read_statement(tokens: Sequence[Token], text: str, *, file: str, findings: Findings) -> exp.Create | None:
    """None when it is no CREATE TABLE, or does not say what was written: see `findings`."""
    tree = parse_create(tokens, text, file=file, findings=findings)
    if tree is None or not _is_honest(tree, tokens, text, file=file, findings=findings):
        return None
    return tree if _has_plain_names(tree, text, file=file, findings=findings) else None


def parse_create(tokens: Sequence[Token], text: str, *, file: str, findings: Findings) -> exp.Create | None:
    """`tokens` know their places in `text`."""
    start, end = tokens[0].start, tokens[-1].end + 1
    try:
        with quiet_parser():
            (tree,) = parse_tokens(tokens, text)
    except ParseError as error:
        item = error.errors[0]
        message = str(item.get("description")).split(" but got <Token")[0].rstrip(".")
        span = _error_place(item, tokens, text, file=file)
        findings.error("SW4102", f"cannot read this SQL: {message}", span)
        return None
    except PARSER_FAULTS:
        tree = None
    if isinstance(tree, exp.Create) and tree.kind == "TABLE" and _has_plain_constraints(tree.this):
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


def _has_plain_constraints(table: exp.Expr) -> bool:
    """Whether it has columns, and what stands after their types is MySQL's: other dialects' clauses (IN, OUT) are nodes of
    another kind."""
    return isinstance(table, exp.Schema) and all(
        isinstance(item, exp.ColumnConstraint)
        for part in table.expressions
        if isinstance(part, exp.ColumnDef)
        for item in part.args.get("constraints") or ()
    )


def _is_honest(tree: exp.Create, tokens: Sequence[Token], text: str, *, file: str, findings: Findings) -> bool:
    lost = lost_words(tokens, tree.sql(dialect="mysql"))
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


def _error_place(item: dict[str, object], tokens: Sequence[Token], text: str, *, file: str) -> Span:
    """sqlglot tells the line and the column where the token ends, both as counted by the tokenizer."""
    where = item.get("line"), item.get("col")
    found = next((token for token in tokens if (token.line, token.col) == where), None)
    length = max(1, len(str(item.get("highlight") or "")))
    if found is None:
        return Span(file, 1, 1, length)
    end = place(text, found.end, file=file, length=length)
    return Span(file, end.line, max(1, end.column - length + 1), length)
