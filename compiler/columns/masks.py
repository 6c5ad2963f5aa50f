"""`mask`: values that do not reach the target as they are. One-way, and the same for the same value every time."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from shardwright.compiler.columns.mapping import FromColumn, MappedColumn
from shardwright.compiler.columns.transform import AS_TEXT, SHA256, Transform, last_kept, plain_text, redact
from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.compiler.plan.plan import CopiedColumn
from shardwright.specs.findings.diagnostics import Findings, Span
from shardwright.specs.spec.model import MaskedColumn

HASHED = ColumnType("char", length=64, charset="ascii", collation="ascii_bin")


def mask_column(
    mask: MaskedColumn, column: Column, copied: CopiedColumn, *, span: Span, findings: Findings
) -> MappedColumn | None:
    """`copied` is the column as it would be copied. None after an error: SW2136."""
    kind = column.type
    reason = _refusal(mask, column)
    if reason is not None:
        message, hint = reason
        findings.error("SW2136", f"column '{column.name}' ({kind.name.upper()}): {message}", span, hint=hint)
        return None
    made = replace(copied, mapping=_words(mask), reversibility="one-way")
    if mask.method == "hash":
        steps: tuple[Transform, ...] = (_text_of(kind), SHA256)
        node = exp.DataType.build("CHAR(64)", dialect="mysql")
        return MappedColumn(replace(made, type=HASHED), FromColumn(column.name, steps), node)
    if mask.method == "keep_last":
        return MappedColumn(made, FromColumn(column.name, (last_kept(mask.keep_last or 1),)))
    empty = None if column.nullable else "" if kind.is_text else "0"
    return MappedColumn(made, FromColumn(column.name, (redact(empty),)))


def _refusal(mask: MaskedColumn, column: Column) -> tuple[str, str | None] | None:
    kind = column.type
    if mask.method == "hash" and (kind.is_bytes or kind.name in ("float", "double", "json")):
        return "its values are not hashed here", "redact it, or derive a column: sha2(column, 256) takes binary"
    if mask.method == "keep_last" and not kind.is_text:
        return "keep_last is for text", "hash or redact it"
    if mask.method == "keep_last" and (kind.charset == "binary" or kind.name not in ("char", "varchar")):
        return "keep_last is for CHAR and VARCHAR", "hash or redact it"
    if mask.method == "redact" and not column.nullable and not (kind.is_text or kind.is_integer):
        return "it is NOT NULL, and its type has no neutral value", "exclude it, or hash it"
    return None


def _text_of(kind: ColumnType) -> Transform:
    return plain_text("UNSIGNED" if kind.unsigned else "SIGNED") if kind.is_integer else AS_TEXT


def _words(mask: MaskedColumn) -> str:
    return {"hash": "masked: sha256", "keep_last": f"masked: last {mask.keep_last} kept", "redact": "masked: redacted"}[
        mask.method
    ]
