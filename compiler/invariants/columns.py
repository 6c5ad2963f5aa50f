"""What the columns of an invariant's result are, and how each goes together from many answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.invariants.query import AGGREGATES, Query
from shardwright.compiler.plan.invariant import ColumnRole, InvariantColumn
from shardwright.specs.findings.diagnostics import Findings

_NUMBERS: dict[type[exp.Expr], ColumnRole] = {exp.Sum: "sum", exp.Count: "sum", exp.Min: "least", exp.Max: "most"}
_TIMES: dict[type[exp.Expr], ColumnRole] = {exp.Min: "earliest", exp.Max: "latest"}
_TIME_TYPES = frozenset({"date", "datetime", "timestamp"})
_INEXACT = frozenset({"float", "double"})


@dataclass(frozen=True, slots=True)
class Printed:
    """A column of the result: its value over the query's tables."""

    column: InvariantColumn
    value: exp.Expr


def read_columns(query: Query, *, must_be_empty: bool, findings: Findings) -> tuple[Printed, ...] | None:
    """None after an error, which is in `findings`."""
    before = len(findings.items)
    printed = [_printed(item, query, findings) for item in query.tree.expressions]
    names = [item.column.name.lower() for item in printed if item is not None]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            findings.error("SW3205", f"two columns of the result are called '{name}'", query.source.span)
    found = [item for item in printed if item is not None]
    if not must_be_empty and not findings.stopped_since(before):
        _check_groups(query, found, findings)
        if all(item.column.role == "group" for item in found):
            findings.error(
                "SW3205",
                "nothing is added up: an invariant under 'sql' has a SUM, COUNT, MIN or MAX",
                query.source.span,
            )
    return None if findings.stopped_since(before) else tuple(found)


def _printed(item: exp.Expr, query: Query, findings: Findings) -> Printed | None:
    value = item.unalias()
    name = item.alias_or_name if isinstance(item, (exp.Alias, exp.Column)) else ""
    if not name:
        findings.error("SW3205", f"'{query.source.excerpt(item)}' has no name: write AS", query.source.place_of(item))
        return None
    role = _role(value, query)
    if role == "group" and value.find(*AGGREGATES) is not None:
        message = f"'{query.source.excerpt(value)}' computes with what is added up: give SUM, COUNT, MIN and MAX a column each"
        findings.error("SW3205", message, query.source.place_of(item))
        return None
    return Printed(InvariantColumn(name, role), value) if _is_exact(value, role, query, findings) else None


def _role(value: exp.Expr, query: Query) -> ColumnRole:
    is_time = isinstance(value.this, exp.Column) and query.column(value.this).type.name in _TIME_TYPES
    roles = _TIMES if is_time and isinstance(value, (exp.Min, exp.Max)) else _NUMBERS
    return next((role for kind, role in roles.items() if isinstance(value, kind)), "group")


def _is_exact(value: exp.Expr, role: ColumnRole, query: Query, findings: Findings) -> bool:
    if isinstance(value, exp.Count):
        return True
    for node in value.find_all(exp.Column):
        if query.column(node).mapping.startswith("masked"):
            message = f"'{node.name}' is masked: its values are in no report. It may be counted"
            findings.error("SW3205", message, query.source.place_of(node))
            return False
        kind = query.column(node).type
        if kind.name in _INEXACT:
            findings.error("SW3206", f"'{node.name}' is {kind.name.upper()}", query.source.place_of(node))
            return False
    if role in ("least", "most"):
        of = query.column(value.this).type if isinstance(value.this, exp.Column) else None
        if of is None or not (of.is_integer or of.name in ("decimal", "year")):
            message = f"{value.key.upper()} is for a column that is a number, a date or a time of day with its date"
            findings.error("SW3206", message, query.source.place_of(value))
            return False
    return True


def _check_groups(query: Query, printed: Sequence[Printed], findings: Findings) -> None:
    """What is printed beside aggregates is exactly what the query groups by."""
    group = query.tree.args.get("group")
    asked: Sequence[exp.Expr] = group.expressions if group is not None else ()
    by_name = {item.column.name: item.value for item in printed}
    wanted = [
        by_name.get(node.name, node) if isinstance(node, exp.Column) and not node.table else node for node in asked
    ]
    shown = [item.value for item in printed if item.column.role == "group"]
    for value in shown:
        if value not in wanted:
            findings.error(
                "SW3205", f"the query does not group by '{query.source.excerpt(value)}'", query.source.place_of(value)
            )
    for value in wanted:
        if value not in shown:
            message = f"'{query.source.excerpt(value)}' is grouped by and not in the result: the answers could not be added up"
            findings.error("SW3205", message, query.source.place_of(value))
