"""The schema file cut into its CREATE TABLE statements; triggers are left to `triggers`.

A file whose structure is known for certain is read statement by statement, and of a table only what is new: the kinds of
columns and keys that others have are known. Any other is read through the tokenizer as a whole: the findings are the same."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from sqlglot import exp
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from shardwright.compiler.schema.cut import Region, cut
from shardwright.compiler.schema.known_tables import KnownTables
from shardwright.compiler.schema.statement import parse_create, read_statement
from shardwright.compiler.schema.triggers import statement_tokens, without_triggers
from shardwright.compiler.sql.plain_names import refused_name_reason
from shardwright.compiler.sql.sql_tokens import end_of, executed_comments, part_tokens, place, split
from shardwright.compiler.sql.words import lost_words
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.span import Span


def cut_statements(text: str, *, file: str, findings: Findings) -> Iterator[exp.Create]:
    """Every CREATE TABLE that says what was written, nodes knowing their place in `text`. The others are in `findings`.
    Raises TokenError and Uncertain, perhaps late: then only `whole_statements` can tell, and nothing that was read counts."""
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
    comments = list(executed_comments(text, tokens))
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
    if any(refused_name_reason(token.text) for token in tokens if token.token_type is not TokenType.STRING):
        return None
    tree = parse_create(tokens, text, file="", findings=Findings())
    if tree is None or lost_words(tokens, tree.sql(dialect="mysql")) is not None:
        return None
    return tree if known.restore(parts, tree) else None
