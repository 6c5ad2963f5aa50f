"""A text shard key stored in a character set whose bytes are not UTF-8 (contract C9)."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Severity

_SAME_BYTES = frozenset({"utf8mb4", "utf8mb3", "utf8", "ascii"})


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        for name in table.shard_key:
            column = table.source.column(name)
            if column is None or not column.type.is_text or column.type.charset in (None, *_SAME_BYTES):
                continue
            message = (
                f"shard key '{name}' of '{table.source.name}' is stored as {column.type.charset}, but its shard is computed "
                "from the text's UTF-8 bytes: a router that hashes the stored bytes sends é elsewhere"
            )
            hint = "let the application's router encode the text as UTF-8, and compare both over real keys"
            yield RULE.finding(message, table.place_of(name), hint=hint)


RULE = Rule(
    "SW5103",
    "shard-key-charset",
    Severity.WARNING,
    "a text shard key in a character set such as latin1",
    check,
)
