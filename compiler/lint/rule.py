"""What a lint rule is: advice about a project that compiles, or would."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from shardwright.compiler.lint.context import LintContext
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity
from shardwright.specs.findings.span import Span

Check = Callable[[LintContext], Iterable[Diagnostic]]


@dataclass(frozen=True, slots=True)
class Rule:
    """`name` is kebab-case; `description` one line for docs/lint.md: what the rule finds. `severity` is `error` only where
    running would certainly go wrong."""

    code: str
    name: str
    severity: Severity
    description: str
    check: Check

    def finding(self, message: str, span: Span, *, hint: str | None = None, notes: tuple[Note, ...] = ()) -> Diagnostic:
        """`message` says what will happen, `hint` what to do."""
        return Diagnostic(self.code, message, span, self.severity, hint, notes)
