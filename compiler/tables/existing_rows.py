"""Compiler pass: what becomes of rows that stand in the target tables when the migration begins. A kept row has a key and nothing
else that we know of: where more must be known of every row, none can be kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shardwright.compiler.plan.plan import ExistingRows, TablePlan
from shardwright.compiler.tables.placed import Placed
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import Spec


def check_existing_rows(spec: Spec, placed: Sequence[Placed], *, findings: Findings) -> Mapping[str, ExistingRows]:
    """Logical table -> its policy, where that is not to refuse."""
    parents = {item.plan.parent.parent for item in placed if item.plan.parent}
    found: dict[str, ExistingRows] = {}
    for item in placed:
        entry, logical = item.resolved.entry, item.plan.logical
        why = _reason_against_keeping(item.plan, parents) if entry.existing_rows == "keep" else None
        if why is not None:
            message = f"rows that stand in '{logical}' already cannot be kept: {why}"
            findings.error("SW1952", message, spec.span_of((*entry.path, "existing_rows")))
        elif entry.existing_rows != "refuse":
            found[logical] = entry.existing_rows
    return found


def _reason_against_keeping(table: TablePlan, parents: set[str]) -> str | None:
    if table.parent is not None or table.logical in parents:
        return "where a family's rows stand is remembered from its source"
    if len(table.sources) > 1:
        return "it comes from several source tables, and nobody knows which of them such a row is of"
    return None
