"""The statements of a schema file: cut, and each CREATE TABLE parsed by sqlglot or, where it was read before,
copied."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from shardwright.compiler.schema.cut import Region, cut
from shardwright.compiler.schema.known_tables import KnownTables
from shardwright.compiler.schema.triggers import statement_tokens, without_triggers
from shardwright.compiler.sql.mysql_parser import parse_tokens
from shardwright.compiler.sql.sql_text import why_name_is_refused
from shardwright.compiler.sql.sql_tokens import (
    PARSER_FAULTS,
    end_of,
    find_executed_comments,
    find_lost_words,
    part_tokens,
    place,
    quiet_parser,
    split,
)
from shardwright.specs.findings.diagnostics import Findings, Span


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
    """Whether it has columns, and what follows their types is MySQL's: other dialects' clauses (IN, OUT) are nodes
    of another kind."""
    return isinstance(table, exp.Schema) and all(
        isinstance(item, exp.ColumnConstraint)
        for part in table.expressions
        if isinstance(part, exp.ColumnDef)
        for item in part.args.get("constraints") or ()
    )


def _is_honest(tree: exp.Create, tokens: Sequence[Token], text: str, *, file: str, findings: Findings) -> bool:
    lost = find_lost_words(tokens, tree.sql(dialect="mysql"))
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
        if reason := why_name_is_refused(node.name):
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


def cut_statements(text: str, *, file: str, findings: Findings) -> Iterator[exp.Create]:
    """Every CREATE TABLE that says what was written, nodes knowing their place in `text`. The others are in `findings`.
    Raises TokenError and Uncertain, perhaps late: then only `whole_statements` can tell, and nothing that was read
    counts."""
    known = KnownTables(text)
    for region in cut(text):
        if region.opening is not None and (create := _read_known(region, text, known)) is not None:
            yield create
            continue
        for part in split(statement_tokens(region, text)):
            if (create := read_statement(part, text, file=file, findings=findings)) is not None:
                yield create


def whole_statements(text: str, *, file: str, findings: Findings) -> Iterator[exp.Create]:
    """The same of any text."""
    try:
        tokens = part_tokens(text, [(0, len(text))])
    except TokenError:
        findings.error("SW4102", "a quote or a comment in this file is not closed", Span(file, 1, 1))
        return
    comments = list(find_executed_comments(text, tokens))
    between = set(comments)
    for part in split(without_triggers(tokens)):
        if inside := _within(part, comments, text):
            between.difference_update(inside)
            _refuse_comments(inside, text, file=file, findings=findings)
        elif (create := read_statement(part, text, file=file, findings=findings)) is not None:
            yield create
    # Dumps are full of those between statements (SET ...): one stands for all.
    _refuse_comments(sorted(between)[:1], text, file=file, findings=findings)


def _within(statement: Sequence[Token], comments: list[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Those of `comments` (offset and length, in order) that are a part of the statement."""
    if not comments:
        return []
    return comments[
        bisect_left(comments, (statement[0].start, 0)) : bisect_left(comments, (end_of(statement, text), 0))
    ]


def _refuse_comments(comments: Iterable[tuple[int, int]], text: str, *, file: str, findings: Findings) -> None:
    for start, length in comments:
        message = "version comments are not understood: write the clause plainly or leave it out"
        findings.error("SW4101", message, place(text, start, file=file, length=length))


def _read_known(table: Region, text: str, known: KnownTables) -> exp.Create | None:
    """The statement when nothing is wrong with it, without parsing what is known of it; None: read it whole."""
    parts = known.look_up(table)
    if parts is None:
        return None
    if (whole := known.whole(parts)) is not None:
        return whole
    tokens = known.rest(parts)
    if any(why_name_is_refused(token.text) for token in tokens if token.token_type is not TokenType.STRING):
        return None
    tree = parse_create(tokens, text, file="", findings=Findings())
    if tree is None or find_lost_words(tokens, tree.sql(dialect="mysql")) is not None:
        return None
    return tree if known.restore(parts, tree) else None
