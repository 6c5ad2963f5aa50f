"""`default`: the literal that the target gets where the source has NULL, as canonical text of the column's type."""

from __future__ import annotations

from decimal import Decimal

from shardwright.compiler.columns import capacity
from shardwright.compiler.columns.transform import Default
from shardwright.compiler.expressions.comparable import DecimalLiteral, MomentLiteral, any_column
from shardwright.compiler.expressions.expression import Expression
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.expressions.leaves import IntegerLiteral, TextLiteral
from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.expressions.make_conditions import moment_literal
from shardwright.compiler.expressions.parse import parse_expression
from shardwright.compiler.plan.catalogue import Column
from shardwright.specs.findings.diagnostics import Findings, Span

WHAT = "a default"


def literal_default(text: str, column: Column, *, span: Span, findings: Findings) -> Default | None:
    """None after an error: no literal, or one that the column cannot hold."""
    value = parse_expression(text, columns={}, span=span, findings=findings, what=WHAT, leaf=any_column)
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
    return Default(canonical, number=column.type.is_integer or column.type.name == "decimal")


def canonical_literal(value: Expression, column: Column) -> str | None:
    """The literal as canonical text of the column's type; None when the column cannot hold it. Raises Refusal."""
    kind = column.type
    if isinstance(value, MomentLiteral):
        value = TextLiteral(value.text)
    if kind.is_integer and isinstance(value, IntegerLiteral):
        fits = Interval(value.value, value.value).within(capacity.integer_interval(kind))
        return str(value.value) if fits else None
    if kind.name == "decimal" and isinstance(value, IntegerLiteral | DecimalLiteral):
        number = Decimal(value.value)
        scale = kind.scale or 0
        own = DecimalLiteral(number)
        fits = own.scale <= scale and own.whole <= max(1, (kind.precision or 10) - scale)
        return f"{number:.{scale}f}" if fits and not (kind.unsigned and number < 0) else None
    if not isinstance(value, TextLiteral):
        return None
    if kind.is_text:
        fits = capacity.holds_text(kind, len(value.value), len(value.value))
        return value.value if fits and (kind.name != "char" or not value.value.endswith(" ")) else None
    if kind.name == "enum":
        return value.value if value.value in kind.labels else None
    if kind.name in ("date", "datetime", "timestamp"):
        return _moment(value.value, kind.precision if kind.name != "date" else None)
    return None


def _moment(text: str, fraction: int | None) -> str | None:
    literal = moment_literal(text)
    if fraction is None or literal.fraction is None:
        if fraction is None:
            return text if literal.fraction is None else None
        return text + " 00:00:00" + ("." + "0" * fraction if fraction else "")
    if literal.fraction > fraction:
        return None
    point = "." if literal.fraction == 0 and fraction else ""
    return text + point + "0" * (fraction - literal.fraction)
