"""The schema file cut into its CREATE TABLE statements; triggers are left to `triggers`.

A file whose structure is known for certain is read statement by statement, and of a table's columns only those whose kind is
new. Any other is read through the tokenizer as a whole: the findings are the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp
from sqlglot.errors import TokenError

from shardwright.compiler.ddl.words import lost_words
from shardwright.compiler.known_columns import KnownColumns
from shardwright.compiler.plain_names import refused_name_reason
from shardwright.compiler.schema_cut import Region, cut
from shardwright.compiler.schema_statement import parse_create, read_statement
from shardwright.compiler.sql_tokens import executed_comment, part_tokens, split
from shardwright.compiler.triggers import UnclearTriggers, statement_tokens, without_triggers
from shardwright.specs.diagnostics import Findings
from shardwright.specs.span import Span


def read_statements(text: str, *, file: str, findings: Findings) -> Sequence[exp.Create]:
    """Every CREATE TABLE that says what was written, nodes knowing their place in `text`. The others are in `findings`."""
    regions = cut(text)
    if regions is not None:
        own = Findings()
        try:
            statements = tuple(_region_statements(regions, text, file=file, findings=own))
        except (TokenError, UnclearTriggers):
            pass
        else:
            findings.items += own.items
            return statements
    return tuple(whole_statements(text, file=file, findings=findings))


def whole_statements(text: str, *, file: str, findings: Findings) -> Iterator[exp.Create]:
    """As `read_statements`, for any text."""
    try:
        tokens = part_tokens(text, [(0, len(text))])
    except TokenError:
        findings.error("SW4102", "a quote or a comment in this file is not closed", Span(file, 1, 1))
        return
    if comment := executed_comment(text, tokens, file=file):
        message = "version comments are not understood: write the clause plainly or leave it out"
        findings.error("SW4101", message, comment)
        return
    for part in split(without_triggers(tokens)):
        if (create := read_statement(part, text, file=file, findings=findings)) is not None:
            yield create


def _region_statements(regions: Sequence[Region], text: str, *, file: str, findings: Findings) -> Iterator[exp.Create]:
    """Raises TokenError, and UnclearTriggers."""
    known = KnownColumns(text)
    for region in regions:
        if region.opening is not None and (create := _read_reduced(region, text, known)) is not None:
            yield create
            continue
        for part in split(statement_tokens(region, text)):
            if (create := read_statement(part, text, file=file, findings=findings)) is not None:
                yield create


def _read_reduced(table: Region, text: str, known: KnownColumns) -> exp.Create | None:
    """The statement when nothing is wrong with it, without parsing the columns that are known; None: read it whole."""
    reduced = known.reduced(table)
    if reduced is None or any(refused_name_reason(token.text) for token in reduced.tokens):
        return None
    tree = parse_create(reduced.tokens, text, file="", findings=Findings())
    if tree is None or lost_words(reduced.tokens, tree.sql(dialect="mysql")) is not None:
        return None
    return tree if known.restore(tree.this, reduced) else None
