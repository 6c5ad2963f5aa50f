"""Derived columns: an expression, and a type that provably holds what it gives."""

from __future__ import annotations

from collections.abc import Mapping

from shardwright.compiler.columns.casts import read_type
from shardwright.compiler.columns.mapping import Computation, MappedColumn
from shardwright.compiler.columns.row_filter import check_readable
from shardwright.compiler.expressions import capacity
from shardwright.compiler.expressions.comparable import MomentExpression, any_column
from shardwright.compiler.expressions.expression import (
    BytesExpression,
    Expression,
    IntegerExpression,
    TextExpression,
)
from shardwright.compiler.expressions.families import family_name, text_sources
from shardwright.compiler.expressions.interval import integer_interval
from shardwright.compiler.expressions.parse import parse_expression
from shardwright.compiler.expressions.read_sql import SqlSource
from shardwright.compiler.plan.catalogue import ColumnType, SourceTable
from shardwright.compiler.plan.plan import CopiedColumn
from shardwright.compiler.schema.file import text_defaults
from shardwright.compiler.schema.names import table_note
from shardwright.compiler.sql.sql_text import PLACEHOLDER
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import DerivedColumn, Spec

WHAT = "a derived column"


def derive_column(spec: Spec, wanted: DerivedColumn, source: SourceTable, *, findings: Findings) -> MappedColumn | None:
    """None after an error."""
    span = spec.span_of((*wanted.path, "expr"))
    if PLACEHOLDER in wanted.expression:
        findings.error("SW2116", f"the expression of column '{wanted.name}' holds '{PLACEHOLDER}'", span)
        return None
    columns = {column.name: column for column in source.columns}
    text = SqlSource(wanted.expression, span, WHAT)
    made = parse_expression(text, columns=columns, findings=findings, leaf=any_column, columns_from=table_note(source))
    charset, collation = text_defaults(source.statement)
    type_span = spec.span_of((*wanted.path, "type"))
    kind = read_type(wanted.type, charset=charset, collation=collation, span=type_span, findings=findings)
    if made is None or kind is None:
        return None
    if not check_readable(spec, source, made.columns(), span=span, findings=findings):
        return None
    types = {name: columns[name].type for name in made.columns()}
    misfit = _misfit(made, kind.type, types)
    if misfit is not None:
        message, hint = misfit
        findings.error("SW2134", f"column '{wanted.name}': {message}", type_span, hint=hint)
        return None
    column = CopiedColumn(
        source="",
        target=wanted.name,
        type=kind.type,
        nullable=made.nullable,
        position=-1,
        mapping=f"derived: {wanted.expression}",
    )
    return MappedColumn(column, Computation(made, types, kind.type), kind.node)


Misfit = tuple[str, str | None]


def _misfit(value: Expression, kind: ColumnType, types: Mapping[str, ColumnType]) -> Misfit | None:
    """Why the type cannot hold every value of the expression, with a hint; None when it can."""
    name = kind.name.upper()
    if isinstance(value, IntegerExpression) and kind.is_integer:
        holds = integer_interval(kind)
        if value.interval.within(holds):
            return None
        return f"the expression gives {value.interval}, {name} holds {holds}", "take a wider type, or % to bound it"
    if isinstance(value, TextExpression) and kind.is_text:
        return _text_misfit(value, kind, types)
    if isinstance(value, BytesExpression) and kind.name in ("varbinary", "tinyblob", "blob", "mediumblob", "longblob"):
        most = max(capacity.most_bytes(each) for each in types.values() if each.is_bytes)
        if most <= capacity.most_bytes(kind):
            return None
        return f"the expression gives up to {most} bytes, {name} holds {capacity.most_bytes(kind)}", None
    if isinstance(value, MomentExpression) and value.fraction is None and kind.name == "date":
        return None
    return f"the expression gives {family_name(value)}, which is no {name}", _type_hint(value)


def _text_misfit(value: TextExpression, kind: ColumnType, types: Mapping[str, ColumnType]) -> Misfit | None:
    for column in text_sources(value):
        charset = types[column].charset
        if not capacity.charset_holds(charset, kind.charset):
            message = f"column '{column}' is in {charset}, and {kind.charset} lacks some of its characters"
            return message, "write the type with CHARACTER SET utf8mb4 and a collation"
    longest = value.longest
    if longest is None:
        if kind.name == "longtext":
            return None
        return "nothing is known about how long the text can be", "bound it: left(…, 100), or take LONGTEXT"
    if capacity.holds_text(kind, longest, longest * capacity.character_width(kind.charset)):
        return None
    size = kind.length if kind.length is not None else f"{capacity.text_limit(kind)} bytes"
    return f"the expression gives up to {longest} characters, {kind.name.upper()} holds {size}", "bound it: left(…, n)"


def _type_hint(value: Expression) -> str | None:
    if isinstance(value, IntegerExpression):
        return "integer types, or cast(… as char) for text"
    if isinstance(value, TextExpression):
        return "char, varchar or a TEXT type"
    return "derived columns are integers, texts, bytes and dates"
