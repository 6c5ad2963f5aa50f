"""The backward plan of a forward plan: all its tables turned round, with the steps that the way back needs. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from sqlglot import exp

from shardwright.compiler.backward.reverse_table import TableReversal, reverse_table
from shardwright.compiler.backward.shard_table import UnknownShape, columns_back, shard_columns
from shardwright.compiler.columns.generated_columns import computable
from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.digests import aspects
from shardwright.compiler.plan.each import Each
from shardwright.compiler.plan.json_form import fingerprint
from shardwright.compiler.plan.plan import ORPHANS, Plan, Step, StepName, TablePlan, WayBack
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.batch import batch
from shardwright.compiler.steps.bookkeeping import bookkeeping
from shardwright.compiler.steps.decide import decide_changes_back
from shardwright.compiler.steps.decode import decode, place_struct
from shardwright.compiler.steps.delete import delete
from shardwright.compiler.steps.lookup import collapse, home_of, lookup
from shardwright.compiler.steps.merge import merge_changes
from shardwright.compiler.steps.pack import pack_changes
from shardwright.compiler.steps.route import route
from shardwright.compiler.steps.snapshot import read_by_keys
from shardwright.compiler.steps.stage_columns import define_stage_columns
from shardwright.compiler.steps.upsert import upsert
from shardwright.compiler.steps.verify import verify_source, verify_target
from shardwright.compiler.tables.assigned_table import AssignedTable, column_kinds
from shardwright.specs.direction import Direction
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import Spec

if TYPE_CHECKING:
    from shardwright.compiler.columns.row_filter import RowFilter

_HOME_OF_PARENT = "COALESCE((SELECT hole_home FROM hole_parent AS {alias} WHERE hole_same), hole_orphans)"


def turnings(
    plan: Plan, placed: Sequence[AssignedTable], columns: Mapping[str, tuple[Column, ...]]
) -> tuple[Mapping[str, TableReversal], Mapping[str, WayBack]]:
    """By logical name: what is known of each table of the shards, and where that is not known. `columns` are those of
    the shards' tables before the plan's DDL."""
    found: dict[str, TableReversal] = {}
    lost: dict[str, WayBack] = {}
    for item in placed:
        name = item.plan.logical
        create = plan.step(name, StepName.CREATE_TABLE).statement("create")
        try:
            shard = shard_columns(item.plan, columns[name], create, plan.ddl)
        except UnknownShape as clause:
            lost[name] = WayBack("", "lost", f"it is not known what DDL makes of the shards' tables: {clause}")
            continue
        found[name] = TableReversal(item, shard, columns_back(item.resolved, shard))
    return found, lost


@dataclass(frozen=True, slots=True)
class Backward:
    """The plan, and the Python forms of its rules and rows by logical name: which table of the source a row of the
    shards goes to, and as what."""

    plan: Plan
    functions: Mapping[str, ShardFunction]
    mappings: Mapping[str, RowMapping]


def backward_plan(
    spec: Spec,
    forward: Plan,
    found: Mapping[str, TableReversal],
    *,
    files: Mapping[str, str],
    each: Each,
    findings: Findings,
) -> Backward | None:
    """`forward` is a plan of which everything comes back. None after an error."""
    placed = [
        reverse_table(spec, found[table.logical], databases=forward.databases, files=files, findings=findings)
        for table in forward.tables
    ]
    items = [
        _Item(item, forward=found[item.plan.logical].forward, home=_home(item.plan, found))
        for item in placed
        if item is not None
    ]
    if len(items) < len(placed):
        return None
    steps = each(partial(_steps, shards=len(spec.source.databases)), items)
    plan = replace(
        forward,
        databases=spec.source.databases,
        tables=tuple(item.placed.plan for item in items),
        steps=(*(step for some in steps for step in some), *_common_steps(items)),
        ddl=(),
        fingerprint="",
        lookup_tables=(),
        aspects={
            item.placed.plan.logical: aspects(item.placed.plan, some) for item, some in zip(items, steps, strict=True)
        },
        existing_rows={},
        deferred_indexes={},
        invariants=(),
        stays=(),
        stream_ddl=replace(forward.stream_ddl, meant=()),
        ignore_marks=(),
        ignore_marks_in=(),
        ledgers=(),
        shard_ledgers=dict(zip(forward.databases, forward.ledgers, strict=False)),
        direction=Direction.BACKWARD,
        turns_round=forward.fingerprint,
    )
    functions = {item.placed.plan.logical: item.placed.function for item in items if item.placed.function is not None}
    mappings = {item.placed.plan.logical: item.placed.mapping for item in items}
    return Backward(replace(plan, fingerprint=fingerprint(plan)), functions, mappings)


@dataclass(frozen=True, slots=True)
class _Item:
    """`forward` is the table as the forward plan has it. `home`: MySQL over the source's columns, the shard's table
    where a row belongs; None for a table that is not spread over shards."""

    placed: AssignedTable
    forward: AssignedTable
    home: exp.Expr | None


def _home(table: TablePlan, found: Mapping[str, TableReversal]) -> exp.Expr | None:
    """A row whose place MySQL cannot compute (NULL) is read again."""
    forward = found[table.logical].forward
    if not forward.plan.placement.can_differ_by_shard or len(table.sources) == 1:
        return None
    if forward.plan.placement.parent is not None:
        return _home_by_parent(table, forward.plan, found) or exp.Null()
    place = forward.mysql_place("source")
    return exp.Null() if place is None else home_of(table, place)


def _home_by_parent(
    table: TablePlan, child: TablePlan, found: Mapping[str, TableReversal], *, row: str = "t"
) -> exp.Expr | None:
    """Where the parent of `row`, a row of `child`, says that rows of `table` belong. None where MySQL cannot compute
    that."""
    assert child.placement.parent is not None
    parent = found[child.placement.parent.parent].forward
    alias = "p" if row == "t" else f"{row}p"
    if len(parent.plan.sources) > 1:
        return None
    home: exp.Expr | None
    if parent.plan.placement.parent is not None:
        home = _home_by_parent(table, parent.plan, found, row=alias)
    else:
        place = parent.mysql_place("source")
        home = None if place is None else home_of(table, place)
    if home is None:
        return None
    pairs = zip(parent.plan.key_columns, child.via_columns, strict=True)
    return fill(
        _HOME_OF_PARENT.format(alias=alias),
        "mysql",
        home=home,
        parent=sql.table(parent.plan.source.tables[0], database="${database}"),
        same=sql.all_of([sql.column(key.source, alias).eq(sql.column(via.source, row)) for key, via in pairs]),
        orphans=home_of(table, (sql.number(ORPHANS[0]), sql.number(ORPHANS[1]))),
    )


def _common_steps(items: Sequence[_Item]) -> tuple[Step, ...]:
    with_home = {item.placed.plan.logical for item in items if item.home is not None}
    decide = decide_changes_back([item.placed.plan for item in items], with_home=with_home)
    return (merge_changes(), decide, batch(backward=True))


def _steps(item: _Item, *, shards: int) -> tuple[Step, ...]:
    """In the order of their files. Rows are read by key only: nothing is copied."""
    placed = item.placed
    table, mapping = placed.plan, placed.mapping
    compared = _comparison_filters(item)
    source = item.forward.resolved.source
    computed = {column.name: column.type for column in source.columns if column.generated}
    staged = define_stage_columns(table, source.statement, types=computed)
    kinds = {**column_kinds(source.statement), **_kind_of_origin(item)}
    together = pack_changes(table, placed.function, mapping.row_filter, shards=shards)
    made = (
        bookkeeping(table, kinds=kinds, computed=staged),
        read_by_keys(table),
        decode(
            table,
            before_place=place_struct(placed.spark_place("before")),
            after_place=place_struct(placed.spark_place("after")),
        ),
        route(table, mapping, shards=shards, more=together),
        lookup(table, item.home),
        *collapse(table),
        delete(table),
        upsert(table),
        verify_source(table, replace(mapping, row_filter=compared.on_shards)),
        verify_target(table, misplaced=placed.elsewhere(), of=RowMapping((), compared.at_source)),
    )
    return tuple(sorted(made, key=lambda step: step.name.value))


def _kind_of_origin(item: _Item) -> Mapping[str, exp.DataType]:
    """That of the column of the key that the source's own tables lack."""
    lacks = item.placed.plan.target_lacks
    mapped = item.forward.resolved.mapped
    return {one.column.target: one.node for one in mapped if one.node and lacks and one.column.target == lacks.column}


@dataclass(frozen=True, slots=True)
class _ComparisonFilters:
    """Which rows are compared, of the shards and of the source: those that the forward plan's filter lets through. Rows
    that stayed behind match on neither side. None: all rows. Where the shards do not have what the filter reads, all of
    theirs came through it."""

    on_shards: RowFilter | None
    at_source: RowFilter | None


def _comparison_filters(item: _Item) -> _ComparisonFilters:
    stays = item.forward.resolved.row_filter
    if stays is None:
        return _ComparisonFilters(None, None)
    there = {column.target: column.source for column in item.placed.plan.columns if column.mapping == "copied"}
    forward = item.forward.resolved
    computed = computable((column for column in forward.source.columns if column.generated), there)
    there |= {column.source: column.target for column in forward.generated if column.source in computed}
    return _ComparisonFilters(replace(stays, names=there) if stays.reads() <= there.keys() else None, stays)
