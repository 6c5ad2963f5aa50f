"""Everything that is made of one table: its steps, and what is to be said about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.ddl.target.keys import DeferredIndexes, defer_indexes
from shardwright.compiler.ddl.target.target_table import WantedTable, target_table
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.digests import aspects
from shardwright.compiler.plan.plan import BARE, INDEXES, Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.steps.bookkeeping import bookkeeping
from shardwright.compiler.steps.decode import decode, place_struct
from shardwright.compiler.steps.delete import delete
from shardwright.compiler.steps.groups import columns_that_trigger
from shardwright.compiler.steps.lookup import collapse, lookup
from shardwright.compiler.steps.merge import merge_marked
from shardwright.compiler.steps.pack import pack_changes
from shardwright.compiler.steps.route import route
from shardwright.compiler.steps.snapshot import chunk_bound, chunk_read, snapshot_insert, snapshot_route
from shardwright.compiler.steps.stage_columns import define_stage_columns
from shardwright.compiler.steps.upsert import upsert
from shardwright.compiler.steps.verify import verify_source, verify_target
from shardwright.compiler.tables.assigned_table import AssignedTable, column_kinds
from shardwright.specs.findings.diagnostics import Diagnostic, Findings


@dataclass(frozen=True, slots=True)
class TableSteps:
    """What is made of one table. `kinds` are the types of the target's columns, where lookup tables of a family need
    them; `columns` all columns of a physical table, in its order; `deferred` the names of the indexes that are built
    after the copy."""

    steps: tuple[Step, ...]
    aspects: Mapping[str, str]
    kinds: Mapping[str, exp.DataType]
    columns: tuple[Column, ...]
    findings: tuple[Diagnostic, ...]
    deferred: tuple[str, ...] = ()


def table_steps(
    item: AssignedTable,
    *,
    tables: Mapping[str, TablePlan],
    families: frozenset[str],
    counting: Mapping[str, str],
    shards: int,
) -> TableSteps:
    """`families` are the tables that are a parent or have one; `counting` has the target columns that stay
    AUTO_INCREMENT, by logical name."""
    findings = Findings()
    create = _create(item, counting.get(item.plan.logical), findings)
    kinds = column_kinds(create) if item.plan.logical in families else {}
    deferred = _indexes_to_defer(item, create)
    steps = _steps(item, tables, create=create, deferred=deferred, shards=shards)
    names = deferred.names if deferred else ()
    return TableSteps(
        tuple(steps), aspects(item.plan, steps), kinds, _columns(item, create), tuple(findings.items), names
    )


def _columns(item: AssignedTable, create: exp.Create) -> tuple[Column, ...]:
    """Those of `create`."""
    known = {column.target: Column(column.target, column.type, column.nullable) for column in item.plan.columns}
    known |= {column.name: column for column in item.resolved.target_generated_columns()}
    return tuple(known[part.name] for part in create.this.expressions if isinstance(part, exp.ColumnDef))


def _create(item: AssignedTable, counting: str | None, findings: Findings) -> exp.Create:
    return target_table(
        item.resolved.source,
        WantedTable(
            logical=item.plan.logical,
            columns=item.resolved.mapped,
            key=item.plan.identity.target_key,
            suffixes=item.plan.suffixes,
            generated=item.resolved.generated,
            counting=counting,
            keeps_partitions=item.resolved.entry.partitions == "keep",
            origin=item.resolved.origin_key,
            prefix_keys=frozenset(key.name for key in item.resolved.prefix_keys),
        ),
        findings=findings,
    )


def _indexes_to_defer(item: AssignedTable, create: exp.Create) -> DeferredIndexes | None:
    if not item.resolved.entry.defer_indexes:
        return None
    return defer_indexes(create, logical=item.plan.logical, via=[column.target for column in item.plan.via_columns])


def _create_step(table: TablePlan, create: exp.Create, deferred: DeferredIndexes | None) -> Step:
    comment = "One physical table; a table that is there already must match."
    statements = [Statement("create", comment, sql.to_sql(create, "mysql"))]
    if deferred is not None:
        comment = "Instead, while rows are copied: the indexes that follow are left out."
        statements.append(Statement(BARE, comment, sql.to_sql(deferred.bare, "mysql")))
        comment = "Once all rows are copied, while the stream continues."
        statements.append(Statement(INDEXES, comment, sql.to_sql(deferred.add, "mysql")))
    return Step(table.logical, StepName.CREATE_TABLE, tuple(statements))


def _steps(
    item: AssignedTable,
    tables: Mapping[str, TablePlan],
    *,
    create: exp.Create,
    deferred: DeferredIndexes | None,
    shards: int,
) -> list[Step]:
    table, mapping = item.plan, item.mapping
    if table.identity.counts_rows:
        from shardwright.compiler.tables.keyless import keyless_steps

        stage = bookkeeping(table, kinds=column_kinds(create))
        return keyless_steps(item, _create_step(table, create, deferred), stage, shards=shards)
    computed = {column.name: column.type for column in item.resolved.target_generated_columns()}
    common = [
        _create_step(table, create, deferred),
        bookkeeping(table, kinds=column_kinds(create), computed=define_stage_columns(table, create, types=computed)),
        chunk_bound(table),
        chunk_read(table, mapping, place=item.read_place()),
        snapshot_insert(table),
        *merge_marked(
            table, columns_that_trigger(mapping.columns, [group.columns for group in item.resolved.entry.groups])
        ),
        delete(table),
        upsert(table),
        verify_source(table, mapping, place=item.mysql_place("source")),
        *collapse(table),
    ]
    if table.placement.parent is not None:
        from shardwright.compiler.tables.families import child_steps

        placing = child_steps(item, tables[table.placement.parent.parent], shards=shards)
    else:
        placing = _route_steps(item, shards=shards)
    return sorted([*common, *placing], key=lambda step: step.name.value)


def _route_steps(item: AssignedTable, *, shards: int) -> list[Step]:
    """The steps that ask the row itself where it belongs."""
    table, mapping = item.plan, item.mapping
    together = pack_changes(table, item.function, mapping.row_filter, shards=shards)
    return [
        snapshot_route(table, mapping, place=item.spark_place("after"), shards=shards),
        decode(
            table,
            mapping.row_filter,
            before_place=place_struct(item.spark_place("before")),
            after_place=place_struct(item.spark_place("after")),
        ),
        route(table, mapping, shards=shards, more=together),
        lookup(table),
        verify_target(table, misplaced=item.elsewhere()),
    ]
