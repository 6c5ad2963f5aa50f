"""The spec's `invariants:` to those of the plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.expressions.source import SqlSource
from shardwright.compiler.invariants.columns import read_columns
from shardwright.compiler.invariants.query import read_query
from shardwright.compiler.invariants.standing_together import check_together
from shardwright.compiler.invariants.statements import invariant_of
from shardwright.compiler.plan.invariant import Invariant
from shardwright.compiler.tables.choose import ResolvedTable
from shardwright.compiler.tables.placed import Placed
from shardwright.specs.findings.diagnostics import Findings, Note
from shardwright.specs.spec.model import InvariantSpec, Spec


def compile_invariants(
    spec: Spec, resolved: Sequence[ResolvedTable], placed: Sequence[Placed], *, findings: Findings
) -> tuple[Invariant, ...]:
    """Those without an error, in the spec's order. Where tables have errors of their own nothing is said of the invariants."""
    if spec.faults or len(placed) < len(resolved) or any(not table.is_sound for table in resolved):
        return ()
    _check_names(spec, findings)
    by_name = {item.plan.logical: item for item in placed}
    mappings = {name: item.mapping for name, item in by_name.items()}
    found = [_invariant(spec, entry, by_name, mappings, findings) for entry in spec.invariants]
    return tuple(item for item in found if item is not None)


def _invariant(
    spec: Spec,
    entry: InvariantSpec,
    placed: Mapping[str, Placed],
    mappings: Mapping[str, RowMapping],
    findings: Findings,
) -> Invariant | None:
    source = SqlSource(entry.query, spec.span_of(entry.query_path), "an invariant")
    tables = {name: item.plan for name, item in placed.items()}
    query = read_query(source, tables, must_be_empty=entry.must_be_empty, findings=findings)
    if query is None:
        return None
    printed = read_columns(query, must_be_empty=entry.must_be_empty, findings=findings)
    entries = {name: item.resolved.entry for name, item in placed.items()}
    if printed is None or not check_together(query, entries, findings):
        return None
    return invariant_of(entry.name, query, printed, mappings, must_be_empty=entry.must_be_empty)


def _check_names(spec: Spec, findings: Findings) -> None:
    first: dict[str, InvariantSpec] = {}
    for entry in spec.invariants:
        if entry.name in first:
            note = Note("the other one", spec.span_of((*first[entry.name].path, "name")))
            message = f"two invariants are called '{entry.name}'"
            findings.error("SW3208", message, spec.span_of((*entry.path, "name")), notes=(note,))
        first.setdefault(entry.name, entry)
