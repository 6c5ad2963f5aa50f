"""The committed schema file: the source's CREATE TABLE statements, read into the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sqlglot import exp
from sqlglot.errors import TokenError

from shardwright.compiler.plan.catalogue import Column, ColumnType, PrefixKey, SourceTable, UniqueKey
from shardwright.compiler.schema.column_type import column_type
from shardwright.compiler.schema.cut import Uncertain
from shardwright.compiler.schema.server_clauses import PlainSchema, TableClauses, plain_schema
from shardwright.compiler.schema.statements import cut_statements, whole_statements
from shardwright.compiler.sql.key_expressions import functional_key
from shardwright.compiler.sql.named_columns import columns_in, key_parts
from shardwright.compiler.sql.printer import TAIL
from shardwright.compiler.sql.sql_tokens import place
from shardwright.compiler.sql.table_keys import TableKey, read_key
from shardwright.specs.findings.diagnostics import Findings, Span

_TYPE_WORD = re.compile(r"[`\s]*([A-Za-z_0-9]+)")
_GENERATED = (
    exp.ComputedColumnConstraint,
    exp.GeneratedAsIdentityColumnConstraint,
    exp.GeneratedAsRowColumnConstraint,
)


def read_schema(text: str, *, file: str, findings: Findings) -> Mapping[str, SourceTable]:
    """The tables of a schema file by name. Problems go to `findings`; a table with one is left out."""
    plain = plain_schema(text)
    tables, found = _tables_of(plain, file=file)
    if any(item.code in ("SW4102", "SW4107") for item in found.items):
        again = plain_schema(text, is_readable)
        if again.text != plain.text:
            tables, found = _tables_of(again, file=file)
    findings.items += found.items
    return tables


def _tables_of(plain: PlainSchema, *, file: str) -> tuple[Mapping[str, SourceTable], Findings]:
    found = Findings()
    try:
        statements = cut_statements(plain.text, file=file, findings=found)
        return catalogue_of(statements, plain, file=file, findings=found), found
    except (TokenError, Uncertain):
        found = Findings()
        whole = whole_statements(plain.text, file=file, findings=found)
        return catalogue_of(whole, plain, file=file, findings=found), found


def is_readable(element: str) -> bool:
    """Whether a CREATE TABLE with this element says what was written."""
    return not _tables_of(PlainSchema(f"CREATE TABLE `t` ({element})"), file="")[1].items


def catalogue_of(
    statements: Iterable[exp.Create], plain: PlainSchema, *, file: str, findings: Findings
) -> Mapping[str, SourceTable]:
    """The tables that were read from the schema's text; of two with one name, the first."""
    tables: dict[str, SourceTable] = {}
    alike: dict[_Alike, _Definition] = {}
    for statement in statements:
        before = len(findings.items)
        table = _table(statement, plain, file=file, findings=findings, alike=alike)
        if table.name in tables:
            findings.error("SW4104", f"table '{table.name}' is created twice", table.span)
        if not findings.has_stop_since(before):
            tables[table.name] = table
    return tables


_Alike = tuple[object, str | None, str | None]
"""What columns that differ in nothing but their names have in common: the definition, and the table's defaults for
text."""


@dataclass(frozen=True, slots=True)
class _Definition:
    """What a ColumnDef says."""

    column: Column
    primary: bool
    unique: bool


def _table(
    statement: exp.Create, plain: PlainSchema, *, file: str, findings: Findings, alike: dict[_Alike, _Definition]
) -> SourceTable:
    text = plain.text
    schema: exp.Schema = statement.this
    table_name: str = schema.this.name
    span = _node_span(schema.this.this, text, file=file)
    clauses = plain.of_table(schema.this.this.meta.get("start"))
    charset, collation = text_defaults(statement)
    columns: list[Column] = []
    spans: dict[str, Span] = {}
    primary: tuple[str, ...] = ()
    unique: list[UniqueKey] = []
    left_out = list(clauses.left_out)
    for part in schema.expressions:
        if isinstance(part, exp.ColumnDef) and not isinstance(part.this, exp.Identifier):
            word = part.this.sql("mysql").lower()
            message = f"cannot read this SQL: a column of table '{table_name}' is called {word}: write `{word}`"
            findings.error("SW4102", message, span)
        elif isinstance(part, exp.ColumnDef):
            name: str = part.this.this
            spans[name] = _node_span(part.this, text, file=file)
            like = (part._meta[TAIL], charset, collation) if part._meta and TAIL in part._meta else None
            read = alike.get(like) if like else None
            if read is None:
                read = _definition(part, text, charset=charset, collation=collation)
                if like is not None:
                    alike[like] = read
            columns.append(_own_column(read.column, name, part.this.meta.get("start"), clauses))
            if read.primary:
                primary = (name,)
            if read.unique:
                unique.append(UniqueKey(name, (name,)))
        elif (key := read_key(part)) is not None and key.kind == "primary key":
            primary = _primary(key, table=table_name, span=span, findings=findings) or primary
        elif key is not None and key.kind == "unique key":
            _add_unique(key, unique, left_out)
    named = tuple(replace(c, nullable=False) if c.nullable and c.name in primary else c for c in columns)
    return SourceTable(
        table_name,
        named,
        primary,
        tuple(key for key in unique if not isinstance(key, PrefixKey)),
        statement,
        span,
        spans,
        left_out=tuple(left_out),
        refused=tuple(clauses.refused),
        partitions=clauses.partitions,
        prefix_keys=tuple(key for key in unique if isinstance(key, PrefixKey)),
    )


def _own_column(column: Column, name: str, place: object, clauses: TableClauses) -> Column:
    """What was read of the definition, under the column's own name. `place` is that of the name."""
    if isinstance(place, int) and (opaque := clauses.opaque.get(place)) is not None:
        return _unreadable(name, opaque)
    if place in clauses.unclear:
        return replace(column, name=name, unreadable="its expression is not understood")
    return column if column.name == name else replace(column, name=name)


def _unreadable(name: str, word: str, *, nullable: bool = True) -> Column:
    return Column(name, ColumnType(word.lower()), nullable, unreadable=f"type {word.upper()} is not supported yet")


def _primary(key: TableKey, *, table: str, span: Span, findings: Findings) -> tuple[str, ...]:
    if not key.whole_columns:
        message = f"table '{table}': a primary key over a prefix or an expression is not supported yet"
        hint = "make a primary key over whole columns at the source, or leave the table where it is: ignore_tables"
        findings.error("SW4105", message, span, hint=hint)
    return key.whole_columns


def _add_unique(key: TableKey, unique: list[UniqueKey], left_out: list[str]) -> None:
    if not key.parts:  # they are behind the `--` of a comment
        left_out.append(f"UNIQUE KEY '{key.inner.name or key.name}' without columns")
    elif (parts := key_parts(key.parts)) is None:
        if (functional := functional_key(key.name, key.parts)) is not None:
            unique.append(functional)
        else:
            left_out.append(f"UNIQUE KEY '{key.name}' over an expression")
    else:
        names, lengths = tuple(column for column, _ in parts), tuple(length for _, length in parts)
        name = key.name or names[0]
        unique.append(PrefixKey(name, names, lengths) if any(lengths) else UniqueKey(name, names))


def _definition(node: exp.ColumnDef, text: str, *, charset: str | None, collation: str | None) -> _Definition:
    kinds = [item.kind for item in node.constraints]
    primary = any(isinstance(kind, exp.PrimaryKeyColumnConstraint) for kind in kinds)
    unique = any(isinstance(kind, exp.UniqueColumnConstraint) for kind in kinds)
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
        return _Definition(_unreadable(node.name, _type_word(node, text)), primary, unique)
    computed = next((item for item in kinds if isinstance(item, exp.ComputedColumnConstraint)), None)
    column = Column(
        name=node.name,
        type=kind,
        nullable=not any(_forbids_null(item) for item in kinds),
        generated=any(isinstance(item, _GENERATED) for item in kinds),
        stored=computed is not None and bool(computed.args.get("persisted")),
        expression="" if computed is None else expression_text(computed),
        reads=() if computed is None else tuple(dict.fromkeys(item.name for item in columns_in(computed))),
        auto_increment=any(isinstance(item, exp.AutoIncrementColumnConstraint) for item in kinds),
    )
    return _Definition(column, primary, unique)


def expression_text(computed: exp.ComputedColumnConstraint) -> str:
    """How a generated column is computed, in one spelling."""
    return str(computed.this.unnest().sql("mysql", identify=True))


def column_of(node: exp.ColumnDef, text: str, *, like: exp.Create) -> Column | None:
    """The column that `node`, parsed from `text`, adds to a table with the text defaults of `like`; None when its type
    is not supported."""
    charset, collation = text_defaults(like)
    column = _definition(node, text, charset=charset, collation=collation).column
    return None if column.unreadable else column


def _forbids_null(constraint: exp.Expr) -> bool:
    if isinstance(constraint, exp.NotNullColumnConstraint):
        return not constraint.args.get("allow_null")
    return isinstance(constraint, exp.PrimaryKeyColumnConstraint)


def _type_word(node: exp.ColumnDef, text: str) -> str:
    """The type as it was written: sqlglot's own names lose differences (REAL, BOOL)."""
    end = node.this.meta.get("end")
    match = _TYPE_WORD.match(text, end + 1) if isinstance(end, int) else None
    return match.group(1).lower() if match else ""


def text_defaults(statement: exp.Create) -> tuple[str | None, str | None]:
    """The character set and the collation of the table's text columns, as far as its CREATE TABLE says them."""
    properties = statement.args.get("properties")
    charset = collation = None
    for item in properties.expressions if properties else ():
        if isinstance(item, exp.CharacterSetProperty):
            charset = charset or item.name.lower()
        elif isinstance(item, exp.CollateProperty):
            collation = collation or item.name.lower()
    return charset or (collation.split("_")[0] if collation else None), collation


def _node_span(node: exp.Expr, text: str, *, file: str) -> Span:
    start = node.meta.get("start")
    return place(text, start, file=file, length=len(node.name)) if isinstance(start, int) else Span(file, 1, 1)
