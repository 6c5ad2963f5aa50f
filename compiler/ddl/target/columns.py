"""The column definitions of the target: those of the source that are copied or computed there, under their new names;
and those whose type is not the source's (cast, hashed and derived ones).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.columns.mapping import MappedColumn
from shardwright.compiler.ddl.shape.rewrite import keeps_names, rename_columns
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import GeneratedColumn
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.named_columns import columns_in
from shardwright.compiler.sql.printer import TAIL
from shardwright.specs.findings.diagnostics import Findings

_TEXT = (exp.CharacterSetColumnConstraint, exp.CollateColumnConstraint)
_NUMBERS_ONLY = (exp.ZeroFillColumnConstraint,)


def define_derived(item: MappedColumn) -> exp.ColumnDef:
    column = item.column
    null = exp.ColumnConstraint(kind=exp.NotNullColumnConstraint(allow_null=column.nullable))
    return exp.ColumnDef(
        this=sql.identifier(column.target), kind=item.node, constraints=[*_text_constraints(item), null]
    )


def constraints_for_type(constraints: Sequence[exp.ColumnConstraint], item: MappedColumn) -> list[exp.ColumnConstraint]:
    """The source column's constraints for the new type: its own character set and collation, and of a masked column no
    default, which would be a value that no mask has seen."""
    masked = item.column.mapping.startswith("masked")
    kept: list[exp.ColumnConstraint] = []
    for part in constraints:
        if isinstance(part.kind, (*_TEXT, *_NUMBERS_ONLY)) or (
            masked and isinstance(part.kind, exp.DefaultColumnConstraint)
        ):
            continue
        for now in part.find_all(exp.CurrentTimestamp):
            precision = item.column.type.precision
            now.set("this", sql.number(precision) if precision else None)
        kept.append(part)
    return [*_text_constraints(item), *kept]


def _text_constraints(item: MappedColumn) -> list[exp.ColumnConstraint]:
    kind = item.column.type
    made: list[exp.ColumnConstraint] = []
    if kind.charset:
        made.append(exp.ColumnConstraint(kind=exp.CharacterSetColumnConstraint(this=exp.Var(this=kind.charset))))
    if kind.collation:
        made.append(exp.ColumnConstraint(kind=exp.CollateColumnConstraint(this=sql.column(kind.collation))))
    return made


_SERIALS = (exp.DType.SERIAL, exp.DType.BIGSERIAL, exp.DType.SMALLSERIAL)


@dataclass(frozen=True, slots=True)
class Projection:
    """Which columns of the source the target has, and under which names (`names`: lower-case source name -> target);
    `retyped` by lower-case source name, and `derived`, which the source does not have. `counting` is the target column
    that stays AUTO_INCREMENT, if any."""

    source: SourceTable
    names: Mapping[str, str]
    retyped: Mapping[str, MappedColumn]
    derived: tuple[MappedColumn, ...]
    counting: str | None = None

    def constraints_of(self, definition: exp.ColumnDef) -> list[exp.ColumnConstraint]:
        """The constraints of a copied column, without AUTO_INCREMENT (keys come from the source) and REFERENCES. A
        column that counted at the source is visible on the target: MariaDB has no invisible column that needs a
        value."""
        parts = definition.args.get("constraints") or ()
        counts = any(isinstance(part.kind, exp.AutoIncrementColumnConstraint) for part in parts)
        dropped: tuple[type[exp.Expr], ...] = (exp.Reference,)
        if counts and self.name_of(definition.name) != self.counting:
            dropped = (exp.AutoIncrementColumnConstraint, exp.InvisibleColumnConstraint, exp.Reference)
        return [part for part in parts if not isinstance(part.kind, dropped)]

    def name_of(self, column: str) -> str:
        return self.names[column.lower()]

    def missing(self, identifiers: Iterable[exp.Identifier]) -> tuple[str, ...]:
        """The columns named that the target does not have, each once."""
        return tuple(dict.fromkeys(i.name for i in identifiers if i.name.lower() not in self.names))

    def rename(self, node: exp.Expr) -> None:
        rename_columns(node, self.name_of)

    def keeps_names(self, node: exp.Expr) -> bool:
        return keeps_names(node, self.name_of)

    def warn_dropped(self, findings: Findings, code: str, *, what: str, gone: tuple[str, ...]) -> None:
        """Say that `what` is left out of the target, at the place of the first column that is not there."""
        columns = ", ".join(f"'{name}'" for name in gone)
        spans = {name.lower(): span for name, span in self.source.column_spans.items()}
        span = spans.get(gone[0].lower(), self.source.span)
        message = (
            f"table '{self.source.name}': {what} is left out of the target: it uses {columns}, which is not copied"
        )
        findings.warning(code, message, span)


def projection(
    source: SourceTable,
    *,
    columns: tuple[MappedColumn, ...],
    generated: tuple[GeneratedColumn, ...] = (),
    counting: str | None = None,
) -> Projection:
    """The copied columns, and the generated ones that the target computes from them."""
    names = {item.column.source.lower(): item.column.target for item in columns if item.column.source}
    names |= {item.source.lower(): item.target for item in generated}
    retyped = {item.column.source.lower(): item for item in columns if item.column.source and item.node is not None}
    return Projection(source, names, retyped, tuple(item for item in columns if not item.column.source), counting)


def column_definitions(source: SourceTable) -> tuple[exp.ColumnDef, ...]:
    schema = source.statement.this
    assert isinstance(schema, exp.Schema)
    return tuple(e for e in schema.expressions if isinstance(e, exp.ColumnDef))


def target_columns(chosen: Projection, *, findings: Findings) -> tuple[exp.ColumnDef, ...]:
    """In the source's order."""
    copied = tuple(
        _plain_column(definition, chosen) or _column(definition.copy(), chosen, findings)
        for definition in column_definitions(chosen.source)
        if definition.name.lower() in chosen.names
    )
    return (*copied, *(define_derived(item) for item in chosen.derived))


def _plain_column(definition: exp.ColumnDef, chosen: Projection) -> exp.ColumnDef | None:
    """The column when it names no other: its type and constraints are taken over as they stand."""
    kind = definition.kind
    if definition.name.lower() in chosen.retyped:
        return None
    if TAIL not in (definition._meta or ()) or (isinstance(kind, exp.DataType) and kind.this in _SERIALS):
        return None
    kept = chosen.constraints_of(definition)
    if len(kept) == len(definition.args.get("constraints") or ()) and chosen.keeps_names(definition.this):
        return definition
    name = exp.Identifier(this=chosen.name_of(definition.name), quoted=True)
    column = exp.ColumnDef(this=name, kind=kind, constraints=kept)
    column._meta = definition._meta
    return column


def _column(definition: exp.ColumnDef, chosen: Projection, findings: Findings) -> exp.ColumnDef:
    name = definition.name
    if isinstance(definition.kind, exp.DataType) and definition.kind.this in _SERIALS:
        span = chosen.source.column_spans.get(name, chosen.source.span)
        findings.error("SW4011", f"column '{name}': SERIAL hides a key; write the type and the key apart", span)
    kept = [part for part in chosen.constraints_of(definition) if _usable(part, name, chosen, findings)]
    if item := chosen.retyped.get(name.lower()):
        kept = constraints_for_type(kept, item)
        definition.set("kind", item.node)
        definition._meta = None  # what it held is the text of the old type
    for part in kept:
        chosen.rename(part)
    definition.set("constraints", kept)
    definition.set("this", exp.to_identifier(chosen.name_of(name), quoted=True))
    return definition


def _usable(part: exp.ColumnConstraint, name: str, chosen: Projection, findings: Findings) -> bool:
    """False, and said so, for a check or default that reads a column which the target does not have."""
    gone = chosen.missing(columns_in(part))
    if not gone:
        return True
    span = chosen.source.column_spans.get(name, chosen.source.span)
    if isinstance(part.kind, exp.CheckColumnConstraint):
        chosen.warn_dropped(findings, "SW4003", what=f"check of column '{name}'", gone=gone)
    else:
        findings.error("SW4012", f"column '{name}' needs column '{gone[0]}', which is not copied", span)
    return False
