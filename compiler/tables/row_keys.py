"""What a row goes by: its key, and the version that guards it."""

from __future__ import annotations

from shardwright.compiler.plan.catalogue import ColumnType, SourceTable
from shardwright.compiler.plan.plan import CopiedColumn
from shardwright.compiler.schema.name_findings import check_names, column_note, indexed, table_note
from shardwright.compiler.sql.transport import refused_key_reason
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import Spec, TableSpec

_VERSIONS = frozenset({"date", "datetime", "timestamp"})
"""Beside integers: the types whose canonical text is ordered as their values are."""


def is_comparable(kind: ColumnType) -> bool:
    """Whether values of this type can serve as versions."""
    return kind.is_integer or kind.name in _VERSIONS


def row_key(spec: Spec, entry: TableSpec, source: SourceTable, *, findings: Findings) -> tuple[str, ...]:
    if entry.key is None:
        if not source.primary_key:
            message = f"table '{entry.table}' has no primary key: name a unique NOT NULL key in the spec"
            findings.error("SW2106", message, spec.span_of((*entry.path, "table")), notes=(table_note(source),))
        return source.primary_key
    if not check_names(spec, source, indexed((*entry.path, "key"), entry.key), findings=findings):
        return ()
    candidates = [set(source.primary_key), *(set(unique.columns) for unique in source.unique_keys)]
    nullable = [column.name for column in source.columns if column.nullable and column.name in entry.key]
    if set(entry.key) not in candidates or nullable:
        message = f"key ({', '.join(entry.key)}) of '{entry.table}' is not a primary key or a unique key without NULL"
        findings.error("SW2111", message, spec.span_of((*entry.path, "key")), notes=(table_note(source),))
    return entry.key


def check_key_types(
    spec: Spec, entry: TableSpec, source: SourceTable, *, key: tuple[str, ...], findings: Findings
) -> None:
    for name in key:
        column = source.column(name)
        reason = refused_key_reason(column.type) if column else None
        if reason:
            where = spec.span_of((*entry.path, "key") if entry.key else (*entry.path, "table"))
            message = f"key column '{name}' of '{entry.table}': {reason}"
            findings.error("SW2112", message, where, notes=(column_note(source, name),))


def check_version_column(
    spec: Spec, entry: TableSpec, source: SourceTable, columns: tuple[CopiedColumn, ...], *, findings: Findings
) -> None:
    name, path = entry.version_column, (*entry.path, "version_column")
    if name is None or not check_names(spec, source, ((path, name),), findings=findings):
        return
    copied = next((column for column in columns if column.source == name), None)
    if copied is None:
        message = f"version column '{name}' of '{entry.table}' is not copied to the target"
        findings.error("SW2114", message, spec.span_of(path))
    elif not is_comparable(copied.type):
        message = (
            f"version column '{name}' of '{entry.table}': {copied.type.name.upper()} values cannot be compared here"
        )
        findings.error("SW2114", message, spec.span_of(path), notes=(column_note(source, name),))
