"""Foreign keys whose rows stay together are left out of the target too (hazard G5); this says so, once a table."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.references import Distance, Reference, references
from shardwright.compiler.lint.rule import Rule
from shardwright.compiler.lint.wording import listed
from shardwright.specs.findings.diagnostics import Diagnostic, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    together: dict[str, list[Reference]] = {}
    for reference in references(context):
        if reference.distance is Distance.TOGETHER:
            together.setdefault(reference.child.logical, []).append(reference)
    for child, found in together.items():
        parents = listed(sorted({each.parent.logical for each in found if each.parent is not None}))
        keys = "a foreign key" if len(found) == 1 else f"{len(found)} foreign keys"
        message = f"'{child}' has {keys} to {parents}, left out of the target: there only the application enforces them"
        hint = (
            "let the application check them; after the migration has ended they can be added by hand on every shard, "
            "not by a DDL file (SW4209)"
        )
        yield RULE.finding(message, context.reference_place(found[0].foreign_key, found[0].child), hint=hint)


RULE = Rule(
    "SW4305",
    "foreign-key-left-out",
    Severity.WARNING,
    "foreign keys whose rows stay together: the target's tables have none all the same",
    check,
)
