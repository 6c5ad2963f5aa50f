"""Compiler pass: each entry of the spec's `tables` with the source tables it means and the columns it copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.catalogue import SourceTable, UniqueKey
from shardwright.compiler.columns.choose import RESERVED_PREFIXES, chosen_columns
from shardwright.compiler.columns.identity import check_identity, check_unique_keys
from shardwright.compiler.columns.mapping import MappedColumn
from shardwright.compiler.columns.row_filter import RowFilter, read_filter
from shardwright.compiler.field_groups import event_groups
from shardwright.compiler.name_findings import check_names, indexed
from shardwright.compiler.plain_names import refused_name_reason
from shardwright.compiler.plan import CopiedColumn, EventGroup
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


@dataclass(frozen=True, slots=True)
class ResolvedTable:
    """`source` is the first of `sources`, whose columns all the others share; `source_tables` are the tables in each of
    `source_databases`. Key and unique keys by target names."""

    entry: TableSpec
    logical: str
    sources: tuple[SourceTable, ...]
    source_databases: tuple[str, ...]
    source_tables: tuple[str, ...]
    mapped: tuple[MappedColumn, ...]
    row_filter: RowFilter | None
    key: tuple[str, ...]
    unique_keys: tuple[UniqueKey, ...]
    event_groups: tuple[EventGroup, ...]

    @property
    def columns(self) -> tuple[CopiedColumn, ...]:
        return tuple(item.column for item in self.mapped)

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
    mapped = chosen_columns(spec, entry, sources[0], findings=findings)
    columns = tuple(item.column for item in mapped)
    row_filter = _row_filter(spec, entry, sources[0], findings=findings)
    logical = entry.to or entry.table
    where = spec.span_of((*entry.path, "to" if entry.to else "table"))
    if reason := refused_name_reason(logical):
        findings.error("SW2116", f"table name {logical!r} {reason}", where)
    if logical.startswith(RESERVED_PREFIXES):
        findings.error("SW2107", f"table name '{logical}': the prefix is reserved", where)
    check_version_column(spec, entry, sources[0], columns, findings=findings)
    renamed = {column.source: column.target for column in columns if column.source}
    key = row_key(spec, entry, sources[0], findings=findings)
    if not key or not all(name in renamed for name in key):
        for name in key:
            if name not in renamed:
                message = f"key column '{name}' of table '{entry.table}' is not copied"
                findings.error("SW2105", message, spec.span_of((*entry.path, "columns")))
        return None
    check_key_types(spec, entry, sources[0], key=key, findings=findings)
    uses = dict.fromkeys(key, "key") | ({entry.version_column: "version"} if entry.version_column else {})
    check_identity(spec, entry, sources[0], mapped, names=uses, findings=findings)
    check_unique_keys(spec, entry, sources[0], mapped, findings=findings)
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
        mapped=mapped,
        row_filter=row_filter,
        key=tuple(renamed[name] for name in key),
        unique_keys=unique,
        event_groups=event_groups(spec, entry, sources[0], columns, findings=findings),
    )


def _row_filter(spec: Spec, entry: TableSpec, source: SourceTable, *, findings: Findings) -> RowFilter | None:
    if entry.where is None:
        return None
    return read_filter(spec, entry.where, source, span=spec.span_of((*entry.path, "where")), findings=findings)


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
    uses = dict.fromkeys(names, "shard key")
    check_identity(spec, table.entry, table.source, table.mapped, names=uses, findings=findings)
    return names
