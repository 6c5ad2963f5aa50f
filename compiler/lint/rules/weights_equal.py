"""No weights at all, though tables are details of one another (contract C8)."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.references import references
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    if len(context.tables) < 2 or len(context.tables) < len(context.spec.tables):
        return  # of a table with an error the weight may be another
    if len({table.entry.weight for table in context.tables}) > 1:
        return
    details = [each for each in references(context) if each.is_identifying and each.parent not in (None, each.child)]
    if not details:
        return
    first = details[0]
    assert first.parent is not None
    others = "" if len(details) == 1 else f" (and so are {len(details) - 1} more)"
    message = (
        f"all tables have weight {first.child.entry.weight}, but '{first.child.logical}' is a detail of "
        f"'{first.parent.logical}'{others}: readers may see a parent before its details"
    )
    hint = f"give '{first.parent.logical}' a higher weight than '{first.child.logical}'"
    note = Note(
        f"the foreign key {first.foreign_key.title} stands at", context.reference_place(first.foreign_key, first.child)
    )
    yield RULE.finding(message, context.span_of(first.parent, "table"), hint=hint, notes=(note,))


RULE = Rule(
    "SW5106",
    "weights-equal",
    Severity.WARNING,
    "all weights are equal although some tables are details of others",
    check,
)
