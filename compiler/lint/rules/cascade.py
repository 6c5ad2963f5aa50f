"""What a foreign key changes by itself is not in the binlog (hazard E22)."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.facts import ForeignKey
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        for facts in table.facts:
            following = [each for each in facts.foreign_keys if each.following]
            if not following:
                continue
            first = following[0]
            message = (
                f"the storage engine changes rows of '{facts.source.name}' by {_said(first)}: servers before MySQL 9.6 do not "
                "log that, so the shards keep the old rows"
            )
            notes = tuple(
                Note(f"and by {_said(each)}", context.node_place(each.node, facts.source.span))
                for each in following[1:]
            )
            hint = "change such rows by statements of the application while the migration runs; `verify` finds those missed"
            yield RULE.finding(message, context.node_place(first.node, facts.source.span), hint=hint, notes=notes)
            break


def _said(foreign_key: ForeignKey) -> str:
    return f"{' and '.join(foreign_key.following)} of foreign key {foreign_key.title}"


RULE = Rule(
    "SW4306",
    "cascade",
    Severity.WARNING,
    "ON UPDATE or ON DELETE with CASCADE, SET NULL or SET DEFAULT: changes that no log shows",
    check,
)
