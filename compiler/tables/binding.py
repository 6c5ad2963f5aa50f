"""Tables under one rule stand together: rows with equal shard keys in one shard, so that joins stay local.

That holds when "equal" means the same for every one of their shard keys.
"""

from __future__ import annotations

from collections.abc import Iterable

from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.schema.name_findings import column_note
from shardwright.compiler.tables.choose import ResolvedTable
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import Sharded, Spec


def check_binding(spec: Spec, tables: Iterable[tuple[ResolvedTable, tuple[str, ...]]], *, findings: Findings) -> None:
    """`tables` come with their shard key columns, in the order of their rule's. Each is compared with its rule's first."""
    first: dict[str, tuple[ResolvedTable, tuple[str, ...]]] = {}
    for table, shard_key in tables:
        distribution = table.entry.distribution
        if not isinstance(distribution, Sharded):
            continue
        other, other_key = first.setdefault(distribution.rule, (table, shard_key))
        for name, other_name in zip(shard_key, other_key, strict=False):
            column, other_column = table.source.column(name), other.source.column(other_name)
            if column is None or other_column is None or _meaning(column) == _meaning(other_column):
                continue
            message = (
                f"'{table.logical}' and '{other.logical}' share rule '{distribution.rule}', but {name} is "
                f"{_shown(column)} and {other_name} is {_shown(other_column)}: equal values need not stand together"
            )
            notes = (column_note(table.source, name), column_note(other.source, other_name))
            where = spec.span_of((*table.entry.path, "sharding"))
            findings.warning(
                "SW2025", message, where, hint="give them one type and collation, or a rule each", notes=notes
            )


def _meaning(column: Column) -> object:
    """Whole numbers of any width compare alike; text by its collation, in whatever character set: it is hashed over its
    UTF-8 bytes. Everything else compares by its whole type."""
    kind = column.type
    if kind.is_integer:
        return "whole number"
    return (kind.collation or "").partition("_")[2] if kind.is_text else kind


def _shown(column: Column) -> str:
    kind = column.type
    return f"{kind.name.upper()} {kind.collation}" if kind.is_text and kind.collation else kind.name.upper()
