"""The committed schema file: the source's CREATE TABLE statements, read into the catalogue.

sqlglot parses; what it would silently change is refused: a version comment (`/*!80023 INVISIBLE */`) becomes a plain
comment, a statement it does not know becomes an opaque command, and REAL becomes FLOAT.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, TokenError

from shardwright.compiler.catalogue import Column, SourceTable, UniqueKey
from shardwright.compiler.column_type import column_type
from shardwright.specs.diagnostics import Findings
from shardwright.specs.span import Span

_GENERATED = (
    exp.ComputedColumnConstraint,
    exp.GeneratedAsIdentityColumnConstraint,
    exp.GeneratedAsRowColumnConstraint,
)
_VERSION_COMMENT = re.compile(r"/\*(?:!|M!)")


def read_schema(text: str, *, file: str, findings: Findings) -> Mapping[str, SourceTable]:
    """The tables of a schema file by name. Problems go to `findings`; a table with one is left out."""
    if comment := _VERSION_COMMENT.search(text):
        message = "version comments are not understood: write the clause plainly or leave it out"
        findings.error("SW4101", message, _span(file, text, comment.start(), length=3))
        return {}
    tables: dict[str, SourceTable] = {}
    for statement in _statements(text, file=file, findings=findings):
        table = _table(statement, text, file=file, findings=findings)
        if table is None:
            continue
        if table.name in tables:
            findings.error("SW4104", f"table '{table.name}' is created twice", table.span)
        tables[table.name] = table
    return tables


def _statements(text: str, *, file: str, findings: Findings) -> Iterator[exp.Create]:
    try:
        parsed = sqlglot.parse(text, dialect="mysql", error_level=ErrorLevel.RAISE)
    except ParseError as error:
        for item in error.errors:
            span = _line_span(file, item.get("line"), item.get("col"), str(item.get("highlight") or ""))
            findings.error("SW4102", f"cannot read this SQL: {item.get('description')}", span)
        return
    except TokenError as error:
        findings.error("SW4102", f"cannot read this SQL: {error}", Span(file, 1, 1))
        return
    for statement in parsed:
        if statement is None:
            continue
        if isinstance(statement, exp.Create) and statement.kind == "TABLE" and isinstance(statement.this, exp.Schema):
            yield statement
        else:
            words = statement.sql(dialect="mysql").split("(")[0][:60].strip()
            findings.error(
                "SW4103", f"a schema file holds CREATE TABLE statements only, not '{words}'", Span(file, 1, 1)
            )


def _table(statement: exp.Create, text: str, *, file: str, findings: Findings) -> SourceTable | None:
    schema: exp.Schema = statement.this
    table_name: str = schema.this.name
    span = _node_span(schema.this.this, text, file=file)
    charset, collation = _table_text_defaults(statement)
    columns: list[Column] = []
    spans: dict[str, Span] = {}
    primary: tuple[str, ...] = ()
    unique: list[UniqueKey] = []
    for part in schema.expressions:
        if isinstance(part, exp.ColumnDef):
            where = _node_span(part.this, text, file=file)
            column = _column(part, text, charset=charset, collation=collation, span=where, findings=findings)
            spans[part.name] = where
            if column is not None:
                columns.append(column)
            if part.find(exp.PrimaryKeyColumnConstraint):
                primary = (part.name,)
            if any(isinstance(item.kind, exp.UniqueColumnConstraint) for item in part.constraints):
                unique.append(UniqueKey(part.name, (part.name,)))
        elif isinstance(part, exp.Constraint):
            for inner in part.expressions:
                primary, unique = _key(
                    inner, part.name, primary, unique, table=table_name, span=span, findings=findings
                )
        else:
            primary, unique = _key(part, "", primary, unique, table=table_name, span=span, findings=findings)
    named = tuple(replace(column, nullable=column.nullable and column.name not in primary) for column in columns)
    return SourceTable(table_name, named, primary, tuple(unique), statement, span, spans)


def _key(
    part: exp.Expr,
    constraint: str,
    primary: tuple[str, ...],
    unique: list[UniqueKey],
    *,
    table: str,
    span: Span,
    findings: Findings,
) -> tuple[tuple[str, ...], list[UniqueKey]]:
    if not isinstance(part, exp.PrimaryKey | exp.UniqueColumnConstraint):
        return primary, unique
    schema = part if isinstance(part, exp.PrimaryKey) else part.this
    names: list[str] = []
    for item in schema.expressions:
        if item.find(exp.ColumnPrefix) or not item.name:
            kind = "primary key" if isinstance(part, exp.PrimaryKey) else "unique key"
            findings.error(
                "SW4105", f"table '{table}': a {kind} over a prefix or an expression is not supported yet", span
            )
            return primary, unique
        names.append(item.name)
    if isinstance(part, exp.PrimaryKey):
        return tuple(names), unique
    name = schema.this.name if schema.this is not None else constraint
    return primary, [*unique, UniqueKey(name or names[0], tuple(names))]


def _column(
    node: exp.ColumnDef, text: str, *, charset: str | None, collation: str | None, span: Span, findings: Findings
) -> Column | None:
    kinds = [item.kind for item in node.constraints]
    own_charset = next((kind.name for kind in kinds if isinstance(kind, exp.CharacterSetColumnConstraint)), None)
    own_collation = next((kind.this.name for kind in kinds if isinstance(kind, exp.CollateColumnConstraint)), None)
    if own_charset and not own_collation:
        collation = None
    if own_collation and not own_charset:
        own_charset = own_collation.split("_")[0]
    kind = column_type(
        node,
        word=_type_word(node, text),
        charset=own_charset or charset,
        collation=own_collation or collation,
    )
    if kind is None:
        findings.error(
            "SW4106", f"column '{node.name}': type {_type_word(node, text).upper()} is not supported yet", span
        )
        return None
    return Column(
        name=node.name,
        type=kind,
        nullable=not any(_forbids_null(item) for item in kinds),
        generated=any(isinstance(item, _GENERATED) for item in kinds),
        auto_increment=any(isinstance(item, exp.AutoIncrementColumnConstraint) for item in kinds),
    )


def _forbids_null(constraint: exp.Expr) -> bool:
    if isinstance(constraint, exp.NotNullColumnConstraint):
        return not constraint.args.get("allow_null")
    return isinstance(constraint, exp.PrimaryKeyColumnConstraint)


def _type_word(node: exp.ColumnDef, text: str) -> str:
    """The type as it was written: sqlglot's own names lose differences (REAL, BOOL)."""
    end = node.this.meta.get("end")
    match = re.compile(r"[`\s]*([A-Za-z_0-9]+)").match(text, end + 1) if isinstance(end, int) else None
    return match.group(1).lower() if match else ""


def _table_text_defaults(statement: exp.Create) -> tuple[str | None, str | None]:
    charset = statement.find(exp.CharacterSetProperty)
    collation = statement.find(exp.CollateProperty)
    collation_name = collation.name.lower() if collation else None
    charset_name = charset.name.lower() if charset else (collation_name.split("_")[0] if collation_name else None)
    return charset_name, collation_name


def _node_span(node: exp.Expr, text: str, *, file: str) -> Span:
    start = node.meta.get("start")
    return _span(file, text, start, length=len(node.name)) if isinstance(start, int) else Span(file, 1, 1)


def _span(file: str, text: str, offset: int, *, length: int) -> Span:
    line_start = text.rfind("\n", 0, offset) + 1
    return Span(file, text.count("\n", 0, offset) + 1, offset - line_start + 1, length)


def _line_span(file: str, line: object, column: object, highlight: str) -> Span:
    """sqlglot reports the column where the token ends."""
    length = max(1, len(highlight))
    at = max(1, int(str(column or 1)) - length + 1)
    return Span(file, int(str(line or 1)), at, length)
