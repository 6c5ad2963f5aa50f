"""Compiler pass: which generated columns of the source does the target have? Its own servers compute them: nothing
carries their values. Pure; what is left out, and what the target computes from other values than the source has, is in
findings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from shardwright.compiler.columns.mapping import MappedColumn
from shardwright.compiler.plan.catalogue import Column, SourceTable
from shardwright.compiler.plan.plan import GeneratedColumn
from shardwright.compiler.schema.names import column_note
from shardwright.specs.findings.diagnostics import Findings, Path
from shardwright.specs.spec.model import Spec, TableSpec


def choose_generated_columns(
    spec: Spec,
    entry: TableSpec,
    source: SourceTable,
    wanted: Sequence[Column],
    mapped: Sequence[MappedColumn],
    *,
    findings: Findings,
) -> tuple[GeneratedColumn, ...]:
    """Those of `wanted` that the target can compute from the columns it has, in the source's order."""
    copied = {item.column.source: item for item in mapped if item.column.source}
    there = computable(wanted, copied)
    for column in wanted:
        if column.name in there:
            _check_inputs(spec, entry, source, column, copied=copied, findings=findings)
        elif not column.unreadable:  # else the warning about the clauses of its table names it
            known = {name.lower() for name in (*copied, *there)}
            gone = [name for name in column.reads if name.lower() not in known]
            listed = ", ".join(f"'{name}'" for name in gone)
            message = (
                f"table '{source.name}': generated column '{column.name}' is left out of the target: it uses {listed}, "
                "which is not copied"
            )
            spans = {name.lower(): span for name, span in source.column_spans.items()}
            findings.warning("SW4004", message, spans.get(gone[0].lower(), source.span))
    rename = entry.columns.rename
    return tuple(GeneratedColumn(c.name, rename.get(c.name, c.name), c.expression) for c in wanted if c.name in there)


def computable(wanted: Iterable[Column], names: Collection[str]) -> frozenset[str]:
    """Those generated columns whose expressions read nothing but the columns `names` and one another."""
    known = {name.lower() for name in names}
    waiting = [column for column in wanted if column.generated and not column.unreadable]
    found: set[str] = set()
    while ready := [c for c in waiting if c.name not in found and all(name.lower() in known for name in c.reads)]:
        found.update(column.name for column in ready)
        known.update(column.name.lower() for column in ready)
    return frozenset(found)


def inputs(source: SourceTable, name: str) -> Iterator[str]:
    """The columns that are not generated from which this one is computed, also by way of others; the column itself
    where it is none."""
    column = source.column(name)
    if column is None or not column.generated:
        yield name if column is None else column.name
        return
    for read in column.reads:
        yield from inputs(source, read)


def _check_inputs(
    spec: Spec,
    entry: TableSpec,
    source: SourceTable,
    column: Column,
    *,
    copied: Mapping[str, MappedColumn],
    findings: Findings,
) -> None:
    for name in dict.fromkeys(inputs(source, column.name)):
        item = copied[name]
        if column.stored and item.column.type.name == "timestamp":
            message = (
                f"stored generated column '{column.name}' of '{entry.table}' is computed from '{name}', a TIMESTAMP: "
                "where its value depends on the time zone, the target's is that of UTC, whatever the application had"
            )
            hint = f"make it VIRTUAL, or leave it out: columns: {{exclude: [{column.name}]}}"
            note = column_note(source, column.name)
            findings.warning("SW2119", message, spec.span_of((*entry.path, "table")), hint=hint, notes=(note,))
        if item.column.mapping == "copied":
            continue
        what = f"generated column '{column.name}' of '{entry.table}' is computed from '{name}', which is "
        what += item.column.mapping
        kinds = (kind for kind in ("mask", "cast", "default") if (*entry.path, "columns", kind, name) in spec.spans)
        span = spec.key_span_of((*entry.path, "columns", next(kinds), name))
        hint = f"to leave it out: columns: {{exclude: [{column.name}]}}"
        notes = (column_note(source, column.name),)
        if any(column.name in key for key in (source.primary_key, *(key.columns for key in source.unique_keys))):
            message = f"{what}, and it is unique: different values may become one"
            findings.error("SW2142", message, span, hint=hint, notes=notes)
        else:
            message = f"{what}: the target computes it from the target's value"
            findings.warning("SW2117", message, span, hint=hint, notes=notes)


_INSTEAD = {
    "key": "key: [COLUMN, ...] names another unique key without NULL",
    "shard key": "shard by the columns that it is computed from: a rule's `database` and `table` are expressions, too",
    "version": "name a column that the application writes",
    "parent's key": "name a column that the application writes",
}


def refuse_generated(
    spec: Spec, entry: TableSpec, source: SourceTable, name: str, *, use: str, path: Path, findings: Findings
) -> bool:
    """Whether the column is generated, which is a finding: what finds and places rows must come with them."""
    column = source.column(name)
    if column is None or not column.generated:
        return False
    message = f"{use} column '{name}' of '{entry.table}' is generated: only the servers compute it, no row brings it"
    findings.error("SW2118", message, spec.span_of(path), hint=_INSTEAD[use], notes=(column_note(source, name),))
    return True
