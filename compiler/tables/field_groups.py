"""Field groups of a table: columns that exist and are copied, by their names on the target."""

from __future__ import annotations

from collections.abc import Sequence

from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import CopiedColumn, EventGroup
from shardwright.compiler.schema.name_findings import check_names, indexed
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import Spec, TableSpec


def event_groups(
    spec: Spec, entry: TableSpec, source: SourceTable, columns: Sequence[CopiedColumn], *, findings: Findings
) -> tuple[EventGroup, ...]:
    """The groups whose changes make events. All are checked: a group of columns that are not there groups nothing."""
    renamed = {column.source: column.target for column in columns if column.source}
    found: list[EventGroup] = []
    for group in entry.groups:
        path = (*group.path, "columns")
        if not check_names(spec, source, indexed(path, group.columns), findings=findings):
            continue
        left_out = [(index, name) for index, name in enumerate(group.columns) if name not in renamed]
        for index, name in left_out:
            message = f"column '{name}' of group '{group.name}' is not copied to the target"
            findings.error("SW2029", message, spec.span_of((*path, index)))
        if group.on_change == "event" and not left_out:
            found.append(EventGroup(group.name, tuple(renamed[name] for name in group.columns)))
    return tuple(found)
