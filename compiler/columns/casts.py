"""`cast:` of a column: the target type as a spec writes it (`varchar(8)`, `decimal(20,2)`), and whether the table of
rules allows it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sqlglot import exp

from shardwright.compiler.columns.cast_rules import Cast, cast
from shardwright.compiler.columns.mapping import FromColumn, MappedColumn
from shardwright.compiler.plan.catalogue import Column, ColumnType, SourceTable
from shardwright.compiler.plan.plan import CopiedColumn
from shardwright.compiler.schema.file import read_schema, text_defaults
from shardwright.compiler.schema.names import column_note
from shardwright.specs.findings.diagnostics import Findings, Span
from shardwright.specs.spec.model import CastColumn, Spec

_LABELS = r"'(?:[^'\\]|'')*'(?: *, *'(?:[^'\\]|'')*')*"
_PLAIN_TYPE = re.compile(
    rf" *[a-z][a-z0-9_]*(?: *\( *(?:[0-9]+(?: *, *[0-9]+)?|{_LABELS}) *\))?"
    r"(?: +unsigned)?(?: +(?:character set|charset) +[a-z0-9_]+)?(?: +collate +[a-z0-9_]+)? *",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class WrittenType:
    """`node` is the type as sqlglot has it, for DDL."""

    type: ColumnType
    node: exp.DataType


def read_type(
    text: str, *, charset: str | None, collation: str | None, span: Span, findings: Findings
) -> WrittenType | None:
    """`charset` and `collation` hold where the text names none. None after an error (SW2132)."""
    if _PLAIN_TYPE.fullmatch(text) is None:
        hint = "a type, and for text CHARACTER SET and COLLATE: varchar(40) character set utf8mb4 collate utf8mb4_bin"
        findings.error("SW2132", f"'{text}' is no column type", span, hint=hint)
        return None
    own = Findings()
    tables = read_schema(f"CREATE TABLE t (c {text})", file="type", findings=own)
    table = tables.get("t")
    definition = table.statement.this.expressions[0] if table is not None else None
    if table is None or not isinstance(definition, exp.ColumnDef) or not isinstance(definition.kind, exp.DataType):
        reason = f": {own.items[0].message}" if own.items else ""
        findings.error("SW2132", f"'{text}' is no column type that can be written{reason}", span)
        return None
    kind = table.columns[0].type
    if kind.is_text or kind.name in ("enum", "set"):
        kind = _with_text_defaults(kind, charset, collation)
        if kind.collation is None:
            message = f"type '{text}': the collation is not written, and servers differ in what they take for it"
            findings.error("SW2132", message, span, hint=f"add COLLATE, such as {kind.charset or 'utf8mb4'}_bin")
            return None
    return WrittenType(kind, definition.kind)


def _with_text_defaults(kind: ColumnType, charset: str | None, collation: str | None) -> ColumnType:
    if kind.charset is None and kind.collation is None:
        return replace(kind, charset=charset, collation=collation)
    if kind.collation is None and kind.charset == charset:
        return replace(kind, collation=collation)
    return kind


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
    return _make_column(wanted, found, written, column, copied)


def _make_column(
    wanted: CastColumn, found: Cast, written: WrittenType, column: Column, copied: CopiedColumn
) -> MappedColumn:
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
