"""Triggers stay at the source: their effects arrive as row changes, they themselves do not."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    for trigger in context.triggers:
        if context.moved(trigger.table) is None:
            continue
        message = (
            f"trigger '{trigger.name}' ({trigger.event} on '{trigger.table}') stays at the source: what it writes arrives as "
            "row changes, but after the switch nothing does its work"
        )
        hint = "move its work into the application, or create it on every physical table at the switch, not before"
        yield RULE.finding(message, trigger.span, hint=hint)


RULE = Rule("SW4307", "trigger", Severity.WARNING, "a trigger on a moved table: it is not carried to the shards", check)
