"""Families: parents with the tables that are placed through them, and the lookup tables that both need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlglot import exp

from shardwright.compiler.columns.mapping import Computation, FromColumn, MappedColumn
from shardwright.compiler.columns.origin import FromSource, origin_column, origin_kind
from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.columns.transform import AS_COMPARED
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.plan import FROM, CopiedColumn, Step, TablePlan
from shardwright.compiler.sql.transport import drops_spaces
from shardwright.compiler.steps.child import (
    child_elsewhere,
    child_lookup,
    child_route,
    child_snapshot_route,
    via_of_image,
)
from shardwright.compiler.steps.decode import decode
from shardwright.compiler.steps.delete import delete
from shardwright.compiler.steps.lookup import collapse
from shardwright.compiler.steps.lookup_tables import (
    create_lookup_table,
    fill_places,
    lookup_of_excluded,
    places_lookup,
    places_route,
    route_of_excluded,
)
from shardwright.compiler.steps.parent_chains import chain_route
from shardwright.compiler.steps.upsert import upsert
from shardwright.compiler.steps.verify import verify_source, verify_target
from shardwright.compiler.tables.assigned_table import AssignedTable
from shardwright.compiler.tables.parents import above_names, placement_table, source_to_record, table_of_excluded_keys
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import Spec


def child_steps(item: AssignedTable, parent: TablePlan, *, shards: int) -> list[Step]:
    """What takes the place of the steps that ask the row itself where it belongs."""
    table, mapping = item.plan, item.mapping
    return [
        child_snapshot_route(table, parent, mapping, recorded=source_to_record(table)),
        decode(
            table,
            mapping.row_filter,
            before_place=via_of_image(table, parent, "before"),
            after_place=via_of_image(table, parent, "after"),
        ),
        child_route(table, mapping, shards=shards),
        child_lookup(table),
        verify_target(table, misplaced=child_elsewhere(table, parent)),
    ]


def check_places_are_read(spec: Spec, placed: Sequence[AssignedTable], *, findings: Findings) -> None:
    """Where parents stand at the start is computed by the source itself."""
    parents, _ = _families(placed)
    for item in parents:
        if item.plan.placement.no_mysql is not None:
            lacking = item.plan.placement.no_mysql
            message = f"'{item.plan.logical}' is a parent, and MySQL cannot compute its places: {lacking}"
            findings.error("SW2062", message, spec.span_of((*item.resolved.entry.path, "sharding")))


def lookup_tables_of(placed: Sequence[AssignedTable]) -> tuple[TablePlan, ...]:
    """Every lookup table once, by name."""
    parents, children = _families(placed)
    lookup_tables = [placement_table(item.plan) for item in parents] + [
        table_of_excluded_keys(item.plan) for item in children
    ]
    return tuple(sorted(lookup_tables, key=lambda lookup_table: lookup_table.logical))


def lookup_table_steps(
    placed: Sequence[AssignedTable], kinds: Mapping[str, Mapping[str, exp.DataType]]
) -> Iterator[Step]:
    """All steps of all lookup tables. `kinds` are the types of the target's columns, by logical table, at least for
    families."""
    parents, children = _families(placed)
    tables = {item.plan.logical: item.plan for item in parents}
    for item in parents:
        yield from _places_steps(item, tables, kinds[item.plan.logical])
    for item in children:
        yield from _steps_for_excluded(item, kinds[item.plan.logical])


def _families(placed: Sequence[AssignedTable]) -> tuple[list[AssignedTable], list[AssignedTable]]:
    children = [item for item in placed if item.plan.placement.parent is not None]
    names = {item.plan.placement.parent.parent for item in children if item.plan.placement.parent is not None}
    by_name = sorted(placed, key=lambda item: item.plan.logical)
    return [item for item in by_name if item.plan.logical in names], [item for item in by_name if item in children]


def _places_steps(
    parent: AssignedTable, tables: Mapping[str, TablePlan], kinds: Mapping[str, exp.DataType]
) -> Iterator[Step]:
    """`tables` are all parents."""
    plan, lookup_table = parent.plan, placement_table(parent.plan)
    kinds = _with_source(plan, kinds)
    kinds = {**kinds, **{n: kinds[c.target] for n, c in zip(above_names(plan), plan.via_columns, strict=True)}}
    above = [*_above(plan, tables)]
    mapping = _places_mapping(lookup_table, parent, above[0] if above else None)
    yield create_lookup_table(lookup_table, kinds=kinds)
    yield fill_places(lookup_table, plan, mapping, place=parent.mysql_place("source"))
    yield chain_route(lookup_table, plan, above[0]) if above else places_route(lookup_table, plan)
    yield places_lookup(lookup_table, [placement_table(each) for each in above], kinds=kinds)
    yield from collapse(lookup_table)
    yield delete(lookup_table)
    yield upsert(lookup_table)
    yield verify_source(lookup_table, mapping)
    yield verify_target(lookup_table, misplaced=None)


def _with_source(table: TablePlan, kinds: Mapping[str, exp.DataType]) -> Mapping[str, exp.DataType]:
    recorded = source_to_record(table)
    return kinds if recorded is None else {**kinds, FROM: origin_kind(recorded)}


def _places_mapping(lookup_table: TablePlan, parent: AssignedTable, above: TablePlan | None) -> RowMapping:
    """How a row of the lookup table follows from the parent's row at the source. `above` is the parent's parent. A row
    that has none is not in the lookup table."""
    keys = [item for item in parent.mapping.columns if item.column.target in lookup_table.key]
    if (recorded := source_to_record(parent.plan)) is not None:
        keys.append(origin_column(recorded))
    if above is not None:
        from shardwright.compiler.columns.row_filter import with_values

        pairs = zip(lookup_table.via_columns, above.key_columns, strict=True)
        vias = [MappedColumn(column, _via(parent.plan, column, key)) for column, key in pairs]
        named = [Column(item.column.source, item.column.type, True) for item in vias if item.column.source]
        return RowMapping((*keys, *vias), with_values(parent.mapping.row_filter, named))
    assert parent.function is not None
    types = {column.name: column.type for column in parent.plan.source.reads}
    numbers = [
        MappedColumn(column, Computation(expression, types, column.type))
        for column, expression in zip(
            lookup_table.columns[-2:], (parent.function.database, parent.function.table), strict=True
        )
    ]
    return RowMapping((*keys, *numbers), parent.mapping.row_filter)


def _via(parent: TablePlan, column: CopiedColumn, key: CopiedColumn) -> FromColumn | FromSource:
    """A value of the key that is above, as its collation compares it. A column without a source says which source table
    the row is from."""
    if not column.source and parent.identity.origin is not None:
        return FromSource(parent.identity.origin)
    return FromColumn(column.source, (AS_COMPARED,) if drops_spaces(key.type) else ())


def _above(table: TablePlan, tables: Mapping[str, TablePlan]) -> Iterator[TablePlan]:
    """Its parent, the parent of that, and so on."""
    while table.placement.parent is not None:
        table = tables[table.placement.parent.parent]
        yield table


def _steps_for_excluded(child: AssignedTable, kinds: Mapping[str, exp.DataType]) -> Iterator[Step]:
    lookup_table, kinds = table_of_excluded_keys(child.plan), _with_source(child.plan, kinds)
    yield create_lookup_table(lookup_table, kinds=kinds)
    yield route_of_excluded(lookup_table, source_to_record(child.plan))
    yield lookup_of_excluded(lookup_table, kinds=kinds)
    yield from collapse(lookup_table)
    yield upsert(lookup_table)
