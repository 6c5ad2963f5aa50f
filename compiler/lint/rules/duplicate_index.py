"""An index that another one contains: every physical table pays for it at every write."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.facts import Index
from shardwright.compiler.lint.rule import Rule
from shardwright.compiler.lint.wording import counted
from shardwright.specs.findings.diagnostics import Diagnostic, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        indexes = table.facts[0].indexes
        for position, index in enumerate(indexes):
            wider = _wider(index, indexes, position)
            if wider is None:
                continue
            name = "the primary key" if wider.name == "PRIMARY" else f"'{wider.name}'"
            tables = counted(table.physical_count, "physical table")
            message = (
                f"index '{index.name}' of '{table.source.name}' is the beginning of {name} ({', '.join(wider.columns)}): "
                f"look-ups can use that one, and {tables} will keep both at every write"
            )
            hint = "drop it on the source before the move"
            yield RULE.finding(message, context.node_place(index.node, table.source.span), hint=hint)


def _wider(index: Index, indexes: tuple[Index, ...], position: int) -> Index | None:
    """The other index that begins with this one's columns; of two equal ones the first stays."""
    if index.unique:
        return None
    columns = tuple(name.lower() for name in index.columns)
    for place, other in enumerate(indexes):
        theirs = tuple(name.lower() for name in other.columns)
        if place == position or theirs[: len(columns)] != columns:
            continue
        if len(theirs) > len(columns) or other.unique or place < position:
            return other
    return None


RULE = Rule("SW4314", "duplicate-index", Severity.WARNING, "an index that is the beginning of another", check)
