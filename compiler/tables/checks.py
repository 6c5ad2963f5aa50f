"""Compiler passes that check tables against each other and against their settings: one meaning of equal shard keys
under one rule, rows that exist in the target when the migration begins, rows that a target refuses, and target
tables of a spec that gets no plan.

Tables under one rule keep rows with equal shard keys in one shard, so that joins stay local. That holds when "equal"
means the same for every one of their shard keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shardwright.compiler.ddl.target.target_table import WantedTable, target_table
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.plan import ExistingRows, TablePlan
from shardwright.compiler.schema.names import SchemaFile, UnclearTables, column_note
from shardwright.compiler.steps.lookup import is_collapsed_by_server
from shardwright.compiler.tables.assigned_table import AssignedTable
from shardwright.compiler.tables.choose import ResolvedTable
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import Sharded, Spec
from shardwright.specs.spec.sound_parts import is_placeable, is_sound_entry, names_all_tables
from shardwright.specs.spec.table_references import suffixes_of_table


def check_binding(spec: Spec, tables: Iterable[tuple[ResolvedTable, tuple[str, ...]]], *, findings: Findings) -> None:
    """`tables` come with their shard key columns, in the order of their rule's. Each is compared with its rule's
    first."""
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
                f"{_words(column)} and {other_name} is {_words(other_column)}: rows with equal values may be on "
                "different shards"
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


def _words(column: Column) -> str:
    kind = column.type
    return f"{kind.name.upper()} {kind.collation}" if kind.is_text and kind.collation else kind.name.upper()


def check_existing_rows(
    spec: Spec, placed: Sequence[AssignedTable], *, findings: Findings
) -> Mapping[str, ExistingRows]:
    """Logical table -> its policy, where that is not to refuse."""
    parents = {item.plan.placement.parent.parent for item in placed if item.plan.placement.parent}
    found: dict[str, ExistingRows] = {}
    for item in placed:
        entry, logical = item.resolved.entry, item.plan.logical
        why = _reason_against_keeping(item.plan, parents) if entry.existing_rows == "keep" else None
        if why is not None:
            message = f"rows that are in '{logical}' already cannot be kept: {why}"
            findings.error("SW1952", message, spec.span_of((*entry.path, "existing_rows")))
        elif entry.existing_rows != "refuse":
            found[logical] = entry.existing_rows
    return found


def _reason_against_keeping(table: TablePlan, parents: set[str]) -> str | None:
    if table.placement.parent is not None or table.logical in parents:
        return "the places of co-located rows are recorded from their source"
    if len(table.sources) > 1:
        return "it comes from several source tables, and it is not known which of them such a row is from"
    return None


def check_quarantine(spec: Spec, placed: Sequence[AssignedTable], *, findings: Findings) -> Mapping[str, int]:
    """Logical table -> how many of its rows may be held."""
    found: dict[str, int] = {}
    for item in placed:
        entry = item.resolved.entry
        if entry.errors.policy != "quarantine":
            continue
        why = _reason_against(item.plan)
        if why is None:
            found[item.plan.logical] = entry.errors.at_most
        else:
            message = f"rows of '{item.plan.logical}' cannot be quarantined one by one: {why}"
            findings.error("SW1951", message, spec.span_of((*entry.path, "errors")))
    return found


def _reason_against(table: TablePlan) -> str | None:
    if table.placement.has_copies:
        return "every shard has a copy"
    if is_collapsed_by_server(table):
        return "its key may be spelt in several ways"
    if table.placement.partitions == "keep":
        return "which row a partitioned table refuses is not found (`partitions: keep`)"
    return None


def check_targets(spec: Spec, resolved: Iterable[ResolvedTable], *, findings: Findings) -> None:
    """Report what is wrong with the target tables of those that are sound, as making their steps would."""
    for table in sorted(resolved, key=lambda table: table.logical):
        if table.is_sound:
            target_table(
                table.source,
                WantedTable(
                    logical=table.logical,
                    columns=table.mapped,
                    key=() if table.entry.by_all_columns else table.key,
                    suffixes=suffixes_of_table(spec, table.entry) if is_placeable(spec, table.entry) else ("",),
                    generated=table.generated,
                    keeps_partitions=table.entry.partitions == "keep",
                    origin=table.origin_key,
                    prefix_keys=frozenset(key.name for key in table.prefix_keys),
                ),
                findings=findings,
            )


def unclear_logical_tables(spec: Spec, tables: Mapping[str, TablePlan], *, schema: SchemaFile) -> UnclearTables:
    """The logical tables of the spec's entries that are not among `tables`: they have an error. An entry whose table
    does not
    exist may have meant any that does."""
    logical = [entry.to or entry.table for entry in spec.tables]
    by_name = {entry.table for entry in spec.tables if entry.to is None and not entry.is_pattern}
    meant = schema.tables if by_name - tables.keys() - schema.tables.keys() else ()
    names = frozenset([*logical, *meant]) - tables.keys()
    return UnclearTables(names, any_name=schema.unclear.any_name or not names_all_tables(spec))


def may_be_advised(spec: Spec, table: ResolvedTable) -> bool:
    """Whether no advice about the table would follow from an error. A rule with an error in its expressions leaves a
    table
    that advice can be given on; an entry that names no rule does not."""
    known = table.columns_are_known and table.key
    return bool(known) and is_sound_entry(spec, table.entry) and is_placeable(spec, table.entry)
