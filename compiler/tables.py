"""Compiler pass: each entry of the spec's `tables` with the source tables it means and the columns it copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.catalogue import SourceTable, UniqueKey
from shardwright.compiler.name_findings import check_names, column_note, indexed
from shardwright.compiler.plain_names import refused_name_reason
from shardwright.compiler.plan import CopiedColumn
from shardwright.compiler.row_keys import check_key_types, check_version_column, row_key
from shardwright.compiler.source_tables import (
    Matched,
    check_forgotten,
    check_overlaps,
    match_entry,
    source_databases,
    source_families,
)
from shardwright.specs.diagnostics import Findings
from shardwright.specs.model import Sharded, Spec, TableSpec
from shardwright.specs.span import Path

RESERVED_PREFIXES = ("sw_", "_sw_", "_shardwright")


@dataclass(frozen=True, slots=True)
class ResolvedTable:
    """`source` is the first of `sources`, whose columns all the others share; `source_tables` are the tables in each of
    `source_databases`. Key and unique keys by target names."""

    entry: TableSpec
    logical: str
    sources: tuple[SourceTable, ...]
    source_databases: tuple[str, ...]
    source_tables: tuple[str, ...]
    columns: tuple[CopiedColumn, ...]
    key: tuple[str, ...]
    unique_keys: tuple[UniqueKey, ...]

    @property
    def source(self) -> SourceTable:
        return self.sources[0]


def resolve_tables(
    spec: Spec, catalogue: Mapping[str, SourceTable], *, findings: Findings, others: Sequence[Spec] = ()
) -> tuple[ResolvedTable, ...]:
    """Every entry that could be resolved; what could not be is in `findings`. `others` are the specs of the project that
    move tables of the same schema file."""
    families = source_families(catalogue, spec.source.tables_suffix)
    matched = [
        (entry, found)
        for entry in spec.tables
        if (found := match_entry(spec, entry, families, catalogue=catalogue, findings=findings)) is not None
    ]
    check_overlaps(spec, matched, findings=findings)
    if len(matched) == len(spec.tables):
        check_forgotten(spec, families, [found for _, found in matched], others=others, findings=findings)
    resolved: list[ResolvedTable] = []
    for entry, found in matched:
        table = _resolve(spec, entry, found, findings=findings)
        if table is None:
            continue
        if any(other.logical == table.logical for other in resolved):
            message = f"two entries make the logical table '{table.logical}'"
            findings.error("SW2109", message, spec.span_of((*entry.path, "table")))
            continue
        resolved.append(table)
    return tuple(resolved)


def _resolve(spec: Spec, entry: TableSpec, matched: Matched, *, findings: Findings) -> ResolvedTable | None:
    sources = matched.described
    columns = _columns(spec, entry, sources[0], findings=findings)
    logical = entry.to or entry.table
    where = spec.span_of((*entry.path, "to" if entry.to else "table"))
    if reason := refused_name_reason(logical):
        findings.error("SW2116", f"table name {logical!r} {reason}", where)
    if logical.startswith(RESERVED_PREFIXES):
        findings.error("SW2107", f"table name '{logical}': the prefix is reserved", where)
    check_version_column(spec, entry, sources[0], columns, findings=findings)
    renamed = {column.source: column.target for column in columns}
    key = row_key(spec, entry, sources[0], findings=findings)
    if not key or not all(name in renamed for name in key):
        for name in key:
            if name not in renamed:
                message = f"key column '{name}' of table '{entry.table}' is not copied"
                findings.error("SW2105", message, spec.span_of((*entry.path, "columns")))
        return None
    check_key_types(spec, entry, sources[0], key=key, findings=findings)
    candidates = [UniqueKey("PRIMARY", sources[0].primary_key), *sources[0].unique_keys]
    unique = tuple(
        UniqueKey(item.name, tuple(renamed[name] for name in item.columns))
        for item in candidates
        if item.columns and set(item.columns) != set(key) and all(name in renamed for name in item.columns)
    )
    return ResolvedTable(
        entry=entry,
        logical=logical,
        sources=sources,
        source_databases=source_databases(spec, entry),
        source_tables=matched.names,
        columns=columns,
        key=tuple(renamed[name] for name in key),
        unique_keys=unique,
    )


def _columns(spec: Spec, entry: TableSpec, source: SourceTable, *, findings: Findings) -> tuple[CopiedColumn, ...]:
    choices = entry.columns
    known = {column.name: column for column in source.columns}
    path = (*entry.path, "columns")
    check_names(spec, source, indexed((*path, "include"), choices.include or ()), findings=findings)
    check_names(spec, source, indexed((*path, "exclude"), choices.exclude), findings=findings)
    check_names(spec, source, (((*path, "rename", name), name) for name in choices.rename), findings=findings)
    copied: list[CopiedColumn] = []
    for position, column in enumerate(source.columns):
        if column.name in choices.exclude or (choices.include is not None and column.name not in choices.include):
            continue
        target = choices.rename.get(column.name, column.name)
        where = spec.span_of((*path, "rename", column.name))
        entry_name = spec.span_of((*entry.path, "table"))
        if reason := refused_name_reason(target):
            findings.error("SW2116", f"column name {target!r} {reason}", where)
        if target.startswith(RESERVED_PREFIXES):
            findings.error("SW2107", f"column name '{target}': the prefix is reserved", where)
        if any(other.target.lower() == target.lower() for other in copied):
            findings.error("SW2108", f"two columns of '{entry.table}' are called '{target}' on the target", where)
        if known[column.name].generated:
            message = f"column '{column.name}' of '{entry.table}' is generated: not supported yet, exclude it"
            findings.error("SW2110", message, entry_name, notes=(column_note(source, column.name),))
        elif column.type.name == "json" and spec.source.dialect == "mysql":
            message = f"column '{column.name}' of '{entry.table}': MySQL's JSON is not supported yet, exclude it"
            findings.error("SW2115", message, entry_name, notes=(column_note(source, column.name),))
        copied.append(CopiedColumn(column.name, target, column.type, column.nullable, position))
    return tuple(copied)


def shard_key_names(
    spec: Spec, table: ResolvedTable, distribution: Sharded, *, findings: Findings
) -> tuple[str, ...] | None:
    """The source columns that place the table's rows; None when one is unknown or not copied."""
    rule = spec.sharding[distribution.rule]
    names = distribution.shard_key or rule.shard_key
    own = distribution.shard_key is not None
    path: Path = (*table.entry.path, "sharding", "shard_key") if own else (*rule.path, "shard_key")
    if not check_names(spec, table.source, indexed(path, names), findings=findings, table=table.entry.table):
        return None
    copied = {column.source for column in table.columns}
    for name in names:
        if name not in copied:
            message = f"shard key column '{name}' of table '{table.entry.table}' is not copied to the target"
            findings.error("SW2113", message, spec.span_of((*table.entry.path, "columns")))
            return None
    return names
