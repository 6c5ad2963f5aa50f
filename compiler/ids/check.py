"""Is each column of `ids` one that numbers are counted for, and can its counters be used? Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from shardwright.compiler.backward.shard_table import UnknownShape, shard_table
from shardwright.compiler.lint.facts import table_facts
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import CopiedColumn, DdlChange, Step, StepName
from shardwright.compiler.tables.assigned_table import AssignedTable
from shardwright.specs.findings.diagnostics import Findings, Note, Path
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.model import IdsSpec, Segment, Spec


def check_ids(
    spec: Spec,
    placed: Sequence[AssignedTable],
    *,
    steps: Sequence[Step],
    changes: Sequence[DdlChange],
    findings: Findings,
) -> None:
    """`steps` and `changes` are those of the forward plan."""
    by_name = {item.plan.logical: item for item in placed if item.resolved.is_sound}
    creates = {step.table: step.statement("create") for step in steps if step.name is StepName.CREATE_TABLE}
    for entry in spec.ids:
        item = by_name.get(entry.table)
        if item is None:
            continue  # its table has an error
        path: Path = (*entry.path, "column")
        note = Note("its table is at", item.resolved.source.span)
        columns = {column.target: column for column in item.plan.columns}
        column = columns.get(entry.column)
        if column is None:
            message = f"'{entry.table}' has no column '{entry.column}' on the shards"
            hint = did_you_mean(entry.column, columns)
            findings.error("SW2072", message, spec.span_of(path), hint=hint, notes=(note,))
            continue
        if reason := _no_id(item, column):
            message = f"column '{entry.table}.{entry.column}' {reason}"
            findings.error("SW2072", message, spec.span_of(path), notes=(note,))
            continue
        _check_indexes(spec, entry, _Tables(item, column, creates[entry.table], changes), findings)
        _check_source(spec, entry, item, column, findings)
    for entry in spec.ids:
        _check_segments(spec, entry, by_name, findings)


def _no_id(item: AssignedTable, column: CopiedColumn) -> str | None:
    """Why the column is not one whose numbers are the same on both sides."""
    source = item.resolved.source.column(column.source) if column.source else None
    if source is None:
        return "is computed: numbers of new rows are not"
    if not (column.type.is_integer and source.type.is_integer):
        return "is no integer on both sides"
    if column.nullable or source.nullable:
        return "may be NULL: every row has a number"
    if column.reversibility != "lossless" or column.source in item.resolved.entry.backward.one_way:
        return "does not come back to the source as it is"
    return None


class _Tables(NamedTuple):
    """A table on both sides."""

    item: AssignedTable
    column: CopiedColumn
    create: str
    changes: Sequence[DdlChange]

    def sides(self) -> Iterator[tuple[str, SourceTable, str]]:
        """Each side's name, its table, and what the column is called there."""
        yield "at the source", self.item.resolved.source, self.column.source
        try:
            yield "on the shards", shard_table(self.item.plan, self.create, self.changes), self.column.target
        except UnknownShape:
            return  # the way back says so


def _check_indexes(spec: Spec, entry: IdsSpec, tables: _Tables, findings: Findings) -> None:
    """MAX reads the end of an index. Without one it would read the whole table while writers wait. AUTO_INCREMENT needs
    one that is there from the beginning: those that are not unique may be built after the copy."""
    counts = entry.shards == "auto_increment"
    for side, table, name in tables.sides():
        if name.lower() not in _first_columns(table, unique=counts):
            message = f"no {'unique ' if counts else ''}index of '{table.name}' begins with column '{name}' {side}"
            hint = f"add one: ALTER TABLE {table.name} ADD {'UNIQUE ' if counts else ''}INDEX ({name})"
            path: Path = (*entry.path, "column")
            findings.error(
                "SW2076", message, spec.span_of(path), hint=hint, notes=(Note("its table is at", table.span),)
            )
            return


def _first_columns(table: SourceTable, *, unique: bool) -> set[str]:
    """The columns that come first in an index, in lower case."""
    keys = [table.primary_key, *(key.columns for key in table.unique_keys)]
    keys += [index.columns for index in table_facts(table).indexes if index.unique or not unique]
    return {columns[0].lower() for columns in keys if columns}


def _check_source(spec: Spec, entry: IdsSpec, item: AssignedTable, column: CopiedColumn, findings: Findings) -> None:
    """Where a side counts by AUTO_INCREMENT, the source's column is AUTO_INCREMENT."""
    found = item.resolved.source.column(column.source)
    if found is None or found.auto_increment:
        return
    for key, counter in (("source", entry.source), ("shards", entry.shards)):
        path: Path = (*entry.path, key)
        if counter is None:
            message = f"where does '{entry.table}.{entry.column}' get its numbers at the source after a rollback?"
            hint = "name the segment table: source: {table: id_segment, database: DATABASE, name: NAME}"
            findings.error("SW2074", message, spec.span_of((*entry.path, "column")), hint=hint)
        elif counter == "auto_increment":
            message = f"column '{column.source}' of '{item.resolved.source.name}' is not AUTO_INCREMENT"
            notes = (Note("its table is at", item.resolved.source.span),)
            findings.error("SW2074", message, spec.span_of(path), notes=notes)


def _check_segments(spec: Spec, entry: IdsSpec, tables: Mapping[str, AssignedTable], findings: Findings) -> None:
    """A segment table is not moved: each side has its own."""
    moved = {
        "shards": {table.plan.logical + suffix for table in tables.values() for suffix in table.plan.suffixes},
        "source": {name for table in tables.values() for name in table.plan.source.tables},
    }
    for side, counter in (("shards", entry.shards), ("source", entry.source)):
        if isinstance(counter, Segment) and counter.table in moved[side]:
            path: Path = (*counter.path, "table")
            message = f"segment table '{counter.table}' is a table of this migration"
            hint = f"leave it out of `tables` (ignore_tables: [{counter.table}]): each side has one of its own"
            findings.error("SW2077", message, spec.span_of(path), hint=hint)
