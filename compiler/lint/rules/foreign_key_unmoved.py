"""A foreign key to a table that the migration does not move."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.references import Distance, references
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    for reference in references(context):
        if reference.distance is not Distance.UNMOVED:
            continue
        foreign_key = reference.foreign_key
        message = (
            f"foreign key {foreign_key.title} of '{reference.child.logical}' refers to '{foreign_key.parent}', which is not "
            "moved: on the shards its rows point at nothing"
        )
        hint = f"add '{foreign_key.parent}' to the spec's tables, or go on reading it where it is"
        yield RULE.finding(message, context.reference_place(reference.foreign_key, reference.child), hint=hint)


RULE = Rule(
    "SW4304",
    "foreign-key-to-unmoved-table",
    Severity.WARNING,
    "a foreign key to a table that is not moved",
    check,
)
