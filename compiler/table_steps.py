"""Everything that is made of one table: its steps, and what is to be said about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler import sql_text as sql
from shardwright.compiler.aspects import aspects
from shardwright.compiler.ddl.target_table import target_table
from shardwright.compiler.families import child_steps
from shardwright.compiler.placed import Placed, column_kinds
from shardwright.compiler.plan import Statement, Step, StepName, TablePlan
from shardwright.compiler.steps.bookkeeping import bookkeeping
from shardwright.compiler.steps.changed import columns_behind
from shardwright.compiler.steps.decode import decode, place_struct
from shardwright.compiler.steps.delete import delete
from shardwright.compiler.steps.filter import filter_changes, lookup
from shardwright.compiler.steps.merge import merge
from shardwright.compiler.steps.route import route
from shardwright.compiler.steps.settle import settle
from shardwright.compiler.steps.snapshot import chunk_bound, chunk_read, snapshot_insert, snapshot_route
from shardwright.compiler.steps.upsert import upsert
from shardwright.compiler.steps.verify import verify_source, verify_target
from shardwright.specs.diagnostics import Diagnostic, Findings


@dataclass(frozen=True, slots=True)
class TableSteps:
    """What is made of one table. `kinds` are the types of the target's columns, where books of a family need them."""

    steps: tuple[Step, ...]
    aspects: Mapping[str, str]
    kinds: Mapping[str, exp.DataType]
    findings: tuple[Diagnostic, ...]


def table_steps(item: Placed, *, tables: Mapping[str, TablePlan], families: frozenset[str], shards: int) -> TableSteps:
    """`families` are the tables that are a parent or have one."""
    findings = Findings()
    create = _create(item, findings)
    kinds = column_kinds(create) if item.plan.logical in families else {}
    steps = _steps(item, tables, create=create, shards=shards)
    return TableSteps(tuple(steps), aspects(item.plan, steps), kinds, tuple(findings.items))


def _create(item: Placed, findings: Findings) -> exp.Create:
    return target_table(
        item.resolved.source,
        logical=item.plan.logical,
        columns=item.resolved.mapped,
        key=item.plan.key,
        findings=findings,
        suffixes=item.plan.suffixes,
        excluded=item.resolved.entry.columns.exclude,
    )


def _steps(item: Placed, tables: Mapping[str, TablePlan], *, create: exp.Create, shards: int) -> list[Step]:
    table, mapping = item.plan, item.mapping
    comment = "One physical table; a table that is there already must match."
    common = [
        Step(table.logical, StepName.CREATE_TABLE, (Statement("create", comment, sql.to_sql(create, "mysql")),)),
        bookkeeping(table, kinds=column_kinds(create)),
        chunk_bound(table),
        chunk_read(table, mapping),
        snapshot_insert(table),
        merge(table, columns_behind(mapping.columns, [group.columns for group in item.resolved.entry.groups])),
        filter_changes(table),
        delete(table),
        upsert(table),
        verify_source(table, mapping),
        *settle(table),
    ]
    if table.parent is not None:
        placing = child_steps(item, tables[table.parent.parent], shards=shards)
    else:
        placing = _placing_steps(item, shards=shards)
    return sorted([*common, *placing], key=lambda step: step.name.value)


def _placing_steps(item: Placed, *, shards: int) -> list[Step]:
    """The steps that ask the row itself where it belongs."""
    table, mapping = item.plan, item.mapping
    return [
        snapshot_route(table, mapping, place=item.spark_place("after"), shards=shards),
        decode(
            table,
            mapping.row_filter,
            before_place=place_struct(item.spark_place("before")),
            after_place=place_struct(item.spark_place("after")),
        ),
        route(table, mapping, shards=shards),
        lookup(table),
        verify_target(table, misplaced=item.elsewhere()),
    ]
