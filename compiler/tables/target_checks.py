"""What can be told about the tables of a spec that gets no plan, because something else in it has an error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shardwright.compiler.ddl.target_table import target_table
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.schema.unclear_tables import SchemaFile, UnclearTables
from shardwright.compiler.tables.choose import ResolvedTable
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import Spec
from shardwright.specs.spec.sound_parts import is_placeable, is_sound_entry, names_all_tables
from shardwright.specs.spec.table_references import suffixes_of_table


def check_targets(spec: Spec, resolved: Iterable[ResolvedTable], *, findings: Findings) -> None:
    """Report what is wrong with the target tables of those that are sound, as making their steps would."""
    for table in sorted(resolved, key=lambda table: table.logical):
        if table.is_sound:
            target_table(
                table.source,
                logical=table.logical,
                columns=table.mapped,
                key=table.key,
                findings=findings,
                suffixes=suffixes_of_table(spec, table.entry) if is_placeable(spec, table.entry) else ("",),
                excluded=table.entry.columns.exclude,
            )


def unclear_logical_tables(spec: Spec, tables: Mapping[str, TablePlan], *, schema: SchemaFile) -> UnclearTables:
    """The logical tables of the spec's entries that are not among `tables`: they have an error. An entry whose table does not
    exist may have meant any that does."""
    logical = [entry.to or entry.table for entry in spec.tables]
    by_name = {entry.table for entry in spec.tables if entry.to is None and not entry.is_pattern}
    meant = schema.tables if by_name - tables.keys() - schema.tables.keys() else ()
    names = frozenset([*logical, *meant]) - tables.keys()
    return UnclearTables(names, any_name=schema.unclear.any_name or not names_all_tables(spec))


def may_be_advised(spec: Spec, table: ResolvedTable) -> bool:
    """Whether no advice about the table would follow from an error. A rule with an error in its expressions leaves a table
    that advice can be given on; an entry that names no rule does not."""
    known = table.columns_are_known and table.key
    return bool(known) and is_sound_entry(spec, table.entry) and is_placeable(spec, table.entry)
