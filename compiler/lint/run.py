"""Compiler pass: every lint rule over one project."""

from __future__ import annotations

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.registry import RULES
from shardwright.specs.findings.diagnostics import Diagnostic


def lint(context: LintContext) -> tuple[Diagnostic, ...]:
    """Every finding of every rule, in the order of their places."""
    found = [finding for rule in RULES for finding in rule.check(context)]
    return tuple(sorted(found, key=lambda each: (each.span, each.code, each.message)))
