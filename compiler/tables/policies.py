"""Compiler passes: what becomes of rows that exist in the target tables when the migration begins, and of rows that a target refuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shardwright.compiler.plan.plan import ExistingRows, TablePlan
from shardwright.compiler.steps.settle import is_settled_by_server
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


def check_quarantine(spec: Spec, placed: Sequence[Placed], *, findings: Findings) -> Mapping[str, int]:
    """Logical table -> how many of its rows may be held."""
    parents = {item.plan.parent.parent for item in placed if item.plan.parent}
    found: dict[str, int] = {}
    for item in placed:
        entry = item.resolved.entry
        if entry.errors.policy != "quarantine":
            continue
        why = _reason_against(item.plan, parents)
        if why is None:
            found[item.plan.logical] = entry.errors.at_most
        else:
            message = f"rows of '{item.plan.logical}' cannot be held one by one: {why}"
            findings.error("SW1951", message, spec.span_of((*entry.path, "errors")))
    return found


def _reason_against(table: TablePlan, parents: set[str]) -> str | None:
    if table.distribution == "broadcast":
        return "every shard has a copy"
    if table.parent is not None or table.logical in parents:
        return "a parent and its children move together"
    if len(table.sources) > 1:
        return "it comes from several source tables"
    if is_settled_by_server(table):
        return "its key may be spelt in several ways"
    return None
