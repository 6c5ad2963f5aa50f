"""What a row goes by must arrive as it is: keys, shard keys and versions; and what is unique must stay unique."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shardwright.compiler.columns.mapping import MappedColumn
from shardwright.compiler.plan.catalogue import Column, ColumnType, SourceTable
from shardwright.compiler.schema.names import column_note
from shardwright.compiler.sql.transport import pads_spaces
from shardwright.specs.findings.diagnostics import Findings, Span
from shardwright.specs.spec.model import Spec, TableSpec


def check_identity(
    spec: Spec,
    entry: TableSpec,
    source: SourceTable,
    mapped: Sequence[MappedColumn],
    *,
    names: Mapping[str, str],
    findings: Findings,
) -> None:
    """`names`: source column -> what it is for ("key", "shard key", "version")."""
    by_name = {item.column.source: item for item in mapped if item.column.source}
    for name, use in names.items():
        column, item = source.column(name), by_name.get(name)
        if column is None or item is None or item.column.mapping == "copied":
            continue
        from shardwright.compiler.columns.casts import keeps_identity  # the table of casts, which most specs do without

        if keeps_identity(column, item):
            continue
        message = f"{use} column '{name}' of '{entry.table}' cannot be {item.column.mapping}: {_WHY[use]}"
        hint = "a wider integer, VARCHAR or VARBINARY of the same collation is fine"
        span = _mapping_span(spec, entry, name)
        findings.error("SW2141", message, span, hint=hint, notes=(column_note(source, name),))


_WHY = {
    "key": "rows are found by it, in one order on both sides",
    "shard key": "it places the row",
    "version": "versions are compared as they are",
}


def check_unique_keys(
    spec: Spec, entry: TableSpec, source: SourceTable, mapped: Sequence[MappedColumn], *, findings: Findings
) -> None:
    """Two rows that the source tells apart must not collide on the target (hazards D3, D12)."""
    by_name = {item.column.source: item for item in mapped if item.column.source}
    unique = [source.primary_key, *(key.columns for key in source.unique_keys)]
    seen: set[str] = set()
    for names in unique:
        for name in names:
            column, item = source.column(name), by_name.get(name)
            if column is None or item is None or name in seen:
                continue
            seen.add(name)
            reason = _collides(column, item)
            if reason is not None:
                message = f"column '{name}' of '{entry.table}' is unique and {item.column.mapping}: {reason}"
                span = _mapping_span(spec, entry, name)
                findings.error("SW2142", message, span, notes=(column_note(source, name),))


def _collides(column: Column, item: MappedColumn) -> str | None:
    words = item.column.mapping
    if words == "copied" or words == "masked: sha256":
        return None
    if words.startswith("masked"):
        return "different values become one"
    if "NULL becomes" in words:
        return "several NULLs are allowed, several defaults are not"
    from shardwright.compiler.columns.cast_rules import cast  # the table of casts, which most specs do without

    if cast(column.type, item.column.type).verdict != "lossless":
        return "different values may become one"
    if (column.type.is_text or column.type.name in ("enum", "set")) and not _distinguishes(
        column.type, item.column.type
    ):
        return f"collation {item.column.type.collation} may take different values for equal"
    return None


def _distinguishes(source: ColumnType, target: ColumnType) -> bool:
    """Whether values that differ under the source's collation differ under the target's."""
    if source.collation == target.collation:
        return True
    return (target.collation or "").endswith("_bin") and (pads_spaces(source) or not pads_spaces(target))


def _mapping_span(spec: Spec, entry: TableSpec, name: str) -> Span:
    for kind in ("mask", "cast", "default"):
        path = (*entry.path, "columns", kind, name)
        if path in spec.spans:
            return spec.key_span_of(path)
    return spec.span_of((*entry.path, "columns"))
