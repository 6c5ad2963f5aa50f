"""What becomes of each source column when rows go back from the shards to the source: a verdict. Pure.

`lossless` columns get what the shards have: copied and renamed ones, and casts that are lossless on the way there; a
value that the source's type does not hold is refused by name. Excluded columns are `kept`; derived ones are no source
columns. A mask, a default for NULL and a lossy cast make a column `lost`, until `one_way` says that the source's row
may keep what it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from shardwright.compiler.columns.mapping import FromColumn, MappedColumn
from shardwright.compiler.plan.catalogue import Column, SourceTable
from shardwright.compiler.plan.plan import WayBack
from shardwright.compiler.schema.names import check_names, column_note, locate
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import Spec, TableSpec

if TYPE_CHECKING:
    from shardwright.compiler.columns.transform import Transform


def ways_back(entry: TableSpec, source: SourceTable, mapped: Sequence[MappedColumn]) -> Iterator[WayBack]:
    """The verdicts that are not `lossless`, in the source's order, then those about whole rows."""
    by_name = {item.column.source: item for item in mapped if item.column.source}
    for column in source.columns:
        if column.generated:
            continue
        item = by_name.get(column.name)
        one_way = column.name in entry.backward.one_way
        if item is None or one_way:
            yield _describe_kept(
                entry, source, column, f"one way ({entry.backward.because})" if one_way else "not copied"
            )
        elif steps_back(item, column) is None:
            yield WayBack(column.name, "lost", f"{item.column.mapping}: the source would get another value than it had")
    if entry.where is not None:
        why = f"rows that do not match stay, unless the shards insert one with the same key: {entry.where}"
        yield WayBack("", "kept", why)
    if entry.deletes.policy == "ignore":
        yield WayBack("", "kept", "a row that was deleted at the source comes back when it changes on the shards")


def _describe_kept(entry: TableSpec, source: SourceTable, column: Column, why: str) -> WayBack:
    value = next((value for value in entry.backward.values if value.name == column.name), None)
    if value is not None:
        return WayBack(column.name, "kept", f"{why}; a row that is inserted on the shards gets {value.literal}")
    if column.nullable or column.auto_increment or _has_default(source, column):
        return WayBack(column.name, "kept", f"{why}; a row that is inserted on the shards gets its default")
    return WayBack(column.name, "needs a value", f"{why}, NOT NULL and without a default")


def _has_default(source: SourceTable, column: Column) -> bool:
    definition = definition_of(source, column.name)
    return definition is not None and definition.find(exp.DefaultColumnConstraint) is not None


def definition_of(source: SourceTable, name: str) -> exp.ColumnDef | None:
    """The column's definition in the table's CREATE TABLE."""
    parts = source.statement.this.expressions
    return next((part for part in parts if isinstance(part, exp.ColumnDef) and part.name == name), None)


def steps_back(item: MappedColumn, column: Column) -> tuple[Transform, ...] | None:
    """The steps that bring a target column's value back to source column `column`; None when it is lost."""
    if item.column.reversibility != "lossless" or not isinstance(item.mapping, FromColumn):
        return None
    if not item.mapping.steps:
        return ()
    from shardwright.compiler.columns.inverse import invert

    return invert(item.mapping.steps, column.type)


def values_of_new_rows(
    spec: Spec, entry: TableSpec, source: SourceTable, mapped: Sequence[MappedColumn], *, findings: Findings
) -> Mapping[str, str]:
    """Source column -> canonical text, for rows that are inserted on the shards. Reports columns that are not there,
    values for columns that come back or that they do not fit, and a key that does not come back."""
    way, columns = entry.backward, {column.name: column for column in source.columns}
    path = (*way.path, "one_way", "columns")
    check_names(source, locate(spec, path, way.one_way), findings=findings)
    for index, name in enumerate(way.one_way):
        if name in (entry.key or source.row_key):
            message = f"key column '{name}' of '{entry.table}' is one way: no row would find its own at the source"
            span = spec.span_of((*path, index))
            findings.error("SW2031", message, span, notes=(column_note(source, name),))
    computed = {column.name for column in source.columns if column.generated}
    back = {item.column.source for item in mapped} - set(way.one_way)
    if not way.values:
        return {}
    from shardwright.compiler.columns.literal_default import literal_default

    found: dict[str, str] = {}
    for value in way.values:
        if not check_names(source, ((spec.key_span_of(value.path), value.name),), findings=findings):
            continue
        if value.name in computed:
            message = f"column '{value.name}' of '{entry.table}' is generated: the source's server gives it its value"
            note = column_note(source, value.name)
            findings.error("SW2031", message, spec.key_span_of(value.path), notes=(note,))
            continue
        if value.name in back:
            message = f"column '{value.name}' of '{entry.table}' comes back from the shards: its value is never used"
            note = column_note(source, value.name)
            findings.error("SW2031", message, spec.key_span_of(value.path), notes=(note,))
        span = spec.span_of(value.path)
        made = literal_default(value.literal, columns[value.name], span=span, findings=findings)
        if made is not None:
            found[value.name] = made
    return found
