"""The spec's `invariants:` to those of the plan. A query may join only tables whose joined rows are in one database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import count

from sqlglot import exp

from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.expressions.read_sql import SqlSource
from shardwright.compiler.invariants.query import Query, read_columns, read_query
from shardwright.compiler.invariants.statements import invariant_of
from shardwright.compiler.plan.invariant import Invariant
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.tables.assigned_table import AssignedTable
from shardwright.compiler.tables.choose import ResolvedTable
from shardwright.specs.findings.diagnostics import Findings, Note
from shardwright.specs.spec.model import InvariantSpec, Sharded, Spec, TableSpec

_Column = tuple[str, str]


def check_joins(query: Query, entries: Mapping[str, TableSpec], findings: Findings) -> bool:
    """`entries` by logical name. Tables that every database has go with any; the others must be joined by what places
    them."""
    alone = {alias: table for alias, table in query.tables.items() if not table.placement.has_copies}
    first_read = query.tree.args["from_"].this.alias
    if alone and first_read not in alone:
        message = (
            f"'{first_read}' is in every database, and each would count its rows by itself: begin with "
            f"{' or '.join(alone)}"
        )
        findings.error("SW3207", message, query.source.span)
        return False
    if len(alone) < 2:
        return True
    (first, table), *rest = alone.items()
    waiting = dict(rest)
    apart = partial(_join_fault, entries=entries, equal=_equal_columns(query))
    near = [(first, table)]
    for here, known in near:  # grows while it is walked: a parent's parent is co-located with the parent
        near += [(alias, other) for alias, other in waiting.items() if apart(here, known, alias, other) is None]
        waiting = {alias: other for alias, other in waiting.items() if alias not in dict(near)}
    for alias, other in waiting.items():
        reason = apart(first, table, alias, other)
        findings.error("SW3207", f"'{first}' and '{alias}' are not co-located: {reason}", query.source.span)
        return False
    return True


def _join_fault(
    first: str,
    table: TablePlan,
    alias: str,
    other: TablePlan,
    *,
    entries: Mapping[str, TableSpec],
    equal: Mapping[_Column, int],
) -> str | None:
    if table.placement.only_database is not None or other.placement.only_database is not None:
        return (
            None
            if table.placement.only_database == other.placement.only_database
            else "one of them is in one database only"
        )
    if _rule(table, entries) != _rule(other, entries) or table.suffixes != other.suffixes:
        return "they are sharded by different rules"
    for left, right in ((table, other), (other, table)):
        if left.placement.parent and left.placement.parent.parent == right.logical:
            names = list(zip(left.placement.parent.via, right.key, strict=True))
            pairs = names if left is table else [(b, a) for a, b in names]
            return _find_missing_join(first, alias, pairs, equal)
    if table.placement.parent or other.placement.parent:
        return "a co-located child table is joined with its parent only"
    return _find_missing_join(
        first, alias, list(zip(_shard_key_on_target(table), _shard_key_on_target(other), strict=True)), equal
    )


def _find_missing_join(
    first: str, alias: str, pairs: list[tuple[str, str]], equal: Mapping[_Column, int]
) -> str | None:
    for left, right in pairs:
        here = equal.get((first, left))
        if here is None or here != equal.get((alias, right)):
            return f"the query does not ask for {first}.{left} = {alias}.{right}"
    return None


def _rule(table: TablePlan, entries: Mapping[str, TableSpec]) -> str:
    distribution = entries[table.logical].distribution
    assert isinstance(distribution, Sharded)
    return distribution.rule


def _shard_key_on_target(table: TablePlan) -> tuple[str, ...]:
    """The shard key's columns by their names on the target."""
    return tuple(
        next(column.target for column in table.columns if column.source == name) for name in table.placement.shard_key
    )


def _equal_columns(query: Query) -> dict[_Column, int]:
    """Column -> the number of its class: what the query asks to be equal, under no OR and no NOT."""
    classes: dict[_Column, int] = {}
    numbers = count()
    for left, right in _equalities(query.tree):
        one, other = (classes.setdefault(column, next(numbers)) for column in (left, right))
        for column, number in classes.items():
            if number == other:
                classes[column] = one
    return classes


def _equalities(tree: exp.Select) -> Iterator[tuple[_Column, _Column]]:
    for node in tree.find_all(exp.Where, exp.Join):
        condition = node.this if isinstance(node, exp.Where) else node.args.get("on")
        if condition is None:
            continue
        for part in condition.unnest().flatten() if isinstance(condition.unnest(), exp.And) else (condition,):
            equality = part.unnest()
            if not isinstance(equality, exp.EQ):
                continue
            left, right = equality.left, equality.right
            if isinstance(left, exp.Column) and isinstance(right, exp.Column):
                yield (left.table, left.name), (right.table, right.name)


def compile_invariants(
    spec: Spec, resolved: Sequence[ResolvedTable], placed: Sequence[AssignedTable], *, findings: Findings
) -> tuple[Invariant, ...]:
    """Those without an error, in the spec's order. Where tables have errors of their own nothing is said of the
    invariants."""
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
    placed: Mapping[str, AssignedTable],
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
    if printed is None or not check_joins(query, entries, findings):
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
