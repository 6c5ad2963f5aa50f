"""A target type as a spec writes it: `varchar(8)`, `decimal(20,2)`, `varchar(40) character set utf8mb4 collate utf8mb4_bin`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sqlglot import exp

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.schema.file import read_schema
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.span import Span

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
