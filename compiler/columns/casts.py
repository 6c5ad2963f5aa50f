"""`cast`: another type on the target, by the table of rules."""

from __future__ import annotations

from dataclasses import replace

from shardwright.compiler.columns.cast_rules import Cast, cast
from shardwright.compiler.columns.mapping import FromColumn, MappedColumn
from shardwright.compiler.columns.written_type import WrittenType, read_type
from shardwright.compiler.plan.catalogue import Column, SourceTable
from shardwright.compiler.plan.plan import CopiedColumn
from shardwright.compiler.schema.file import text_defaults
from shardwright.compiler.schema.name_findings import column_note
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import CastColumn, Spec


def cast_column(
    spec: Spec, wanted: CastColumn, source: SourceTable, column: Column, copied: CopiedColumn, *, findings: Findings
) -> MappedColumn | None:
    """`copied` is the column as it would be copied. None after an error."""
    span = spec.span_of((*wanted.path, "type"))
    charset, collation = column.type.charset, column.type.collation
    if charset is None:
        charset, collation = text_defaults(source.statement)
    written = read_type(wanted.type, charset=charset, collation=collation, span=span, findings=findings)
    if written is None:
        return None
    found = cast(column.type, written.type)
    names = f"column '{column.name}': {wanted.type} for {_type_words(column)}"
    notes = (column_note(source, column.name),)
    if found.verdict == "impossible":
        hint = "leave the column as it is, or derive one"
        findings.error("SW2131", f"{names} is impossible: {found.why}", span, hint=hint, notes=notes)
        return None
    if found.verdict == "lossy" and not wanted.accepts_loss:
        hint = f"if that is meant: {{type: {wanted.type}, loss: accept, reason: …}}"
        findings.error("SW2130", f"{names} is lossy: {found.why}", span, hint=hint, notes=notes)
        return None
    if found.verdict == "lossless" and wanted.accepts_loss:
        message = f"{names} is lossless: there is no loss to accept"
        findings.warning("SW2133", message, spec.key_span_of((*wanted.path, "loss")))
    return _made(wanted, found, written, column, copied)


def _made(wanted: CastColumn, found: Cast, written: WrittenType, column: Column, copied: CopiedColumn) -> MappedColumn:
    why = f" ({found.why}; accepted: {wanted.reason})" if found.verdict == "lossy" else ""
    made = replace(
        copied,
        type=written.type,
        mapping=f"cast from {_type_words(column)}{why}",
        reversibility="lossy" if found.verdict == "lossy" else "lossless",
    )
    return MappedColumn(made, FromColumn(column.name, (found.transform,)), written.node)


def keeps_identity(source: Column, mapped: MappedColumn) -> bool:
    """Whether keys, shard keys and versions may go through the mapping: equal texts in equal order, one collation."""
    kind = mapped.column.type
    if isinstance(mapped.mapping, FromColumn) and not mapped.mapping.steps:
        return True
    if not mapped.column.mapping.startswith("cast") or not cast(source.type, kind).same_text:
        return False
    if source.type.is_text and kind.name != source.type.name:
        return False
    return (source.type.charset, source.type.collation) == (kind.charset, kind.collation)


def _type_words(column: Column) -> str:
    kind = column.type
    size = f"({kind.length})" if kind.length is not None else ""
    if kind.name == "decimal":
        size = f"({kind.precision},{kind.scale})"
    elif kind.precision:
        size = f"({kind.precision})"
    collation = f" {kind.collation}" if kind.collation else ""
    return f"{kind.name}{size}{' unsigned' if kind.unsigned else ''}{collation}"
