"""Weights that show readers a parent before its details, though the spec means to order them (contract C8)."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.references import references
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    if len({table.entry.weight for table in context.tables}) < 2:
        return
    for reference in references(context):
        child, parent = reference.child, reference.parent
        if parent is None or parent is child or not reference.is_identifying:
            continue
        if parent.entry.weight > child.entry.weight:
            continue
        message = (
            f"'{child.logical}' (weight {child.entry.weight}) is a detail of '{parent.logical}' (weight "
            f"{parent.entry.weight}), which must be heavier: readers may see a row of '{parent.logical}' without its details"
        )
        hint = f"weights rise from detail to parent: give '{parent.logical}' more than {child.entry.weight}"
        note = Note(
            f"the foreign key {reference.foreign_key.title} stands at",
            context.reference_place(reference.foreign_key, reference.child),
        )
        yield RULE.finding(message, context.span_of(parent, "weight"), hint=hint, notes=(note,))


RULE = Rule(
    "SW5105",
    "weight-order",
    Severity.WARNING,
    "a detail that is not lighter than its parent (its primary key begins with a foreign key to it)",
    check,
)
