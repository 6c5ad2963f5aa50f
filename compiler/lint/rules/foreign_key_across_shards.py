"""A foreign key whose two rows may stand in different databases."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.references import Distance, Reference, references
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Severity
from shardwright.specs.spec.model import Broadcast, Sharded, Single


def check(context: LintContext) -> Iterator[Diagnostic]:
    for reference in references(context):
        parent = reference.parent
        if parent is None or reference.distance not in (Distance.APART, Distance.UNPROVED):
            continue
        child = reference.child.logical
        name = reference.foreign_key.title
        if reference.distance is Distance.UNPROVED:
            columns = ", ".join(reference.child.shard_key)
            message = (
                f"foreign key {name} of '{child}': both tables are placed by ({columns}), which the foreign key does not "
                f"compare: a row that differs in it from its row of '{parent.logical}' stands on another shard"
            )
            hint = f"make ({columns}) part of the foreign key on the source, or look for rows that differ"
        else:
            message = (
                f"foreign key {name} of '{child}': its row of '{parent.logical}' ({_placing(reference, of_parent=True)}) "
                f"may stand on another shard than its own ({_placing(reference, of_parent=False)}): nothing checks it there, "
                "and joins miss rows"
            )
            hint = f"place both by the same column, or make '{parent.logical}' broadcast"
        yield RULE.finding(message, context.reference_place(reference.foreign_key, reference.child), hint=hint)


def _placing(reference: Reference, *, of_parent: bool) -> str:
    table = reference.parent if of_parent else reference.child
    assert table is not None
    match table.entry.distribution:
        case Sharded():
            return f"placed by {', '.join(table.shard_key) or 'its shard key'}"
        case Broadcast():
            return "in every database"
        case Single(database=database):
            return f"in {database}"


RULE = Rule(
    "SW4303",
    "foreign-key-across-shards",
    Severity.WARNING,
    "a foreign key whose two rows may stand on different shards",
    check,
)
