"""`default`: the literal that the target gets where the source has NULL, as canonical text of the column's type."""

from __future__ import annotations

from shardwright.compiler.expressions.canonical import NotAValue, canonical
from shardwright.compiler.expressions.comparable import DecimalLiteral, MomentLiteral, any_column
from shardwright.compiler.expressions.expression import Expression
from shardwright.compiler.expressions.leaves import DATES, IntegerLiteral, TextLiteral
from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.expressions.make_conditions import moment_literal
from shardwright.compiler.expressions.parse import parse_expression
from shardwright.compiler.expressions.read_sql import SqlSource
from shardwright.compiler.plan.catalogue import Column
from shardwright.specs.findings.diagnostics import Findings, Span

WHAT = "a default"


def literal_default(text: str, column: Column, *, span: Span, findings: Findings) -> str | None:
    """None after an error: no literal, or one that the column cannot hold."""
    value = parse_expression(SqlSource(text, span, WHAT), columns={}, findings=findings, leaf=any_column)
    if value is None:
        return None
    try:
        canonical = canonical_literal(value, column)
    except Refusal as refusal:
        findings.error(refusal.code, refusal.message, span, hint=refusal.hint)
        return None
    if canonical is None:
        kind = column.type.name.upper()
        hint = "write text and dates in quotes inside the YAML text: \"'XX'\""
        findings.error("SW2135", f"{text} is no default that column '{column.name}' ({kind}) can hold", span, hint=hint)
        return None
    return canonical


def canonical_literal(value: Expression, column: Column) -> str | None:
    """The literal as canonical text of the column's type; None when the column cannot hold it as it is written. Raises
    Refusal for what is no date."""
    kind = column.type
    if isinstance(value, IntegerLiteral | DecimalLiteral):
        written, takes = str(value.value), kind.is_integer or kind.name == "decimal"
    elif isinstance(value, TextLiteral | MomentLiteral):
        written = value.value if isinstance(value, TextLiteral) else value.text
        takes = kind.is_text or kind.name == "enum" or kind.name in DATES
    else:
        return None
    if takes and kind.name in DATES:
        moment_literal(written)
    try:
        made = canonical(written, kind) if takes else None
    except NotAValue:
        return None
    return None if kind.is_text and made != written else made
