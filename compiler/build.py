"""Spec, schema file and DDL files to plan: the passes in order. Pure and offline.

The compiler stops at the first pass that leaves an error, with everything found up to there and the lint rules' advice
on what could be resolved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version

from sqlglot import exp

from shardwright.compiler import sql_text as sql
from shardwright.compiler.binding import check_binding
from shardwright.compiler.catalogue import Column, SourceTable
from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.ddl.changes import read_changes
from shardwright.compiler.ddl.target_table import target_table
from shardwright.compiler.lint.context import LintContext, LintTable, by_source, lint_table
from shardwright.compiler.lint.run import lint
from shardwright.compiler.plain_names import PLACEHOLDER
from shardwright.compiler.plan import (
    DdlChange,
    Plan,
    Statement,
    Step,
    StepName,
    TablePlan,
)
from shardwright.compiler.plan_json import fingerprint
from shardwright.compiler.schema_file import read_schema
from shardwright.compiler.sharding.build import Grid, ShardFunction, database_and_table
from shardwright.compiler.sharding.vectors import Conformance, check_vectors
from shardwright.compiler.steps.bookkeeping import bookkeeping
from shardwright.compiler.steps.decode import Place, decode
from shardwright.compiler.steps.delete import delete
from shardwright.compiler.steps.filter import filter_changes, lookup
from shardwright.compiler.steps.merge import merge
from shardwright.compiler.steps.route import route
from shardwright.compiler.steps.snapshot import chunk_bound, chunk_read, snapshot_insert, snapshot_route
from shardwright.compiler.steps.upsert import upsert
from shardwright.compiler.steps.verify import verify_source, verify_target
from shardwright.compiler.table_plan import table_plan
from shardwright.compiler.tables import ResolvedTable, resolve_tables, shard_key_names
from shardwright.compiler.transport import typed_in_spark
from shardwright.compiler.triggers import read_triggers
from shardwright.specs.diagnostics import Diagnostic, Findings
from shardwright.specs.model import Sharded, ShardingRule, Spec


@dataclass(frozen=True, slots=True)
class Compiled:
    """`warnings` are findings that did not stop the compilation; `functions` place the rows of the sharded tables and
    `mappings` make the target's rows of the source's, both by logical name."""

    plan: Plan
    warnings: tuple[Diagnostic, ...]
    functions: Mapping[str, ShardFunction]
    mappings: Mapping[str, RowMapping]


@dataclass(frozen=True, slots=True)
class _Placed:
    """A resolved table with its plan and, when it is sharded, the function that places its rows."""

    resolved: ResolvedTable
    plan: TablePlan
    function: ShardFunction | None

    @property
    def mapping(self) -> RowMapping:
        return RowMapping(self.resolved.mapped, self.resolved.row_filter)


def build_plan(
    spec: Spec,
    *,
    schema: str,
    ddl: Mapping[str, str],
    files: Mapping[str, str] | None = None,
    others: Sequence[Spec] = (),
) -> Compiled:
    """`schema` is the text of the schema file; `ddl` maps DDL file names, and `files` the CSV files that sharding rules
    name, to their text; `others` are the specs that move other tables of the same schema file. Raises SpecError."""
    findings = Findings()
    catalogue = read_schema(schema, file=spec.source.schema, findings=findings)
    findings.raise_errors()
    _refuse_placeholders(spec, findings)
    resolved = resolve_tables(spec, catalogue, findings=findings, others=others)
    placed = tuple(item for table in resolved if (item := _placed(spec, table, files or {}, findings)) is not None)
    check_binding(spec, [(item.resolved, item.plan.shard_key) for item in placed], findings=findings)
    steps: list[Step] = []
    tables = {item.plan.logical: item.plan for item in placed}
    changes: tuple[DdlChange, ...] = ()
    if not findings.has_errors:
        for item in sorted(placed, key=lambda each: each.plan.logical):
            steps += _steps(spec, item, findings)
        changes = read_changes(ddl, tables=tables, findings=findings)
    by_name = {item.plan.logical: item for item in placed}
    advised = tuple(_advised(spec, table, by_name.get(table.logical)) for table in resolved)
    triggers = read_triggers(schema, file=spec.source.schema)
    findings.items += lint(
        LintContext(spec, schema, catalogue, triggers, advised, changes, tuple(others), by_source(advised))
    )
    findings.raise_errors()
    plan = Plan(
        migration=spec.migration,
        dialect=spec.source.dialect,
        tool_version=version("shardwright"),
        sqlglot_version=version("sqlglot"),
        databases=spec.target.databases,
        tables=tuple(tables[name] for name in sorted(tables)),
        steps=tuple(steps),
        ddl=changes,
        fingerprint="",
    )
    functions = {item.plan.logical: item.function for item in placed if item.function is not None}
    mappings = {item.plan.logical: item.mapping for item in placed}
    return Compiled(replace(plan, fingerprint=fingerprint(plan)), tuple(findings.items), functions, mappings)


def _refuse_placeholders(spec: Spec, findings: Findings) -> None:
    """An expression's texts stand in MySQL statements whose placeholders the runtime fills in."""
    for rule in spec.sharding.values():
        for part, expression in (("database", rule.database), ("table", rule.table)):
            if expression is not None and PLACEHOLDER in expression:
                message = f"the {part} expression of rule '{rule.name}' holds '{PLACEHOLDER}'"
                findings.error("SW2116", message, spec.span_of((*rule.path, part)))


def _advised(spec: Spec, table: ResolvedTable, placed: _Placed | None) -> LintTable:
    """`placed` is None when the table's sharding has an error."""
    if placed is None:
        return lint_table(spec, table, function=None, shard_key=())
    return lint_table(spec, table, function=placed.function, shard_key=placed.plan.shard_key)


def _placed(spec: Spec, table: ResolvedTable, files: Mapping[str, str], findings: Findings) -> _Placed | None:
    entry = table.entry
    distribution = entry.distribution
    shard_key: tuple[str, ...] = ()
    function: ShardFunction | None = None
    if isinstance(distribution, Sharded):
        names = shard_key_names(spec, table, distribution, findings=findings)
        if names is None:
            return None
        rule = spec.sharding[distribution.rule]
        function = database_and_table(
            rule,
            names,
            columns=_columns_by_rule_name(table.source, rule.shard_key, names),
            grid=Grid(spec.target.databases, spec.suffixes_of(rule)),
            files=files,
            span_of=spec.span_of,
            findings=findings,
        )
        shard_key = names
        if function is None:
            return None
        _check_vectors(spec, rule, table, names, function, files=files, findings=findings)
    no_mysql = None if function is None else function.no_mysql()
    return _Placed(table, replace(table_plan(spec, table, shard_key), no_mysql_place=no_mysql), function)


def _check_vectors(
    spec: Spec,
    rule: ShardingRule,
    table: ResolvedTable,
    names: tuple[str, ...],
    function: ShardFunction,
    *,
    files: Mapping[str, str],
    findings: Findings,
) -> None:
    """Once for each rule that names vectors: after a finding in the file the other tables of the rule are left alone."""
    if rule.vectors is None or any(item.span.file == rule.vectors for item in findings.items):
        return
    columns = _columns_by_rule_name(table.source, rule.shard_key, names)
    grid = Grid(spec.target.databases, spec.suffixes_of(rule))
    part = "algorithm" if rule.algorithm is not None else "database"
    conformance = Conformance(rule, table.logical, columns, function, grid, spec.span_of((*rule.path, part)))
    check_vectors(conformance, files.get(rule.vectors, ""), findings)


def _columns_by_rule_name(
    source: SourceTable, rule_names: tuple[str, ...], table_names: tuple[str, ...]
) -> Mapping[str, Column]:
    """A rule's expressions speak of the rule's column names; a table may call its own columns otherwise."""
    found = {}
    for rule_name, table_name in zip(rule_names, table_names, strict=False):
        column = source.column(table_name)
        if column is not None:
            found[rule_name] = column
    return found


def _steps(spec: Spec, item: _Placed, findings: Findings) -> list[Step]:
    table, shards = item.plan, len(spec.target.databases)
    create = target_table(
        item.resolved.source,
        logical=table.logical,
        columns=item.resolved.mapped,
        key=table.key,
        findings=findings,
        suffixes=table.suffixes,
        excluded=item.resolved.entry.columns.exclude,
    )
    comment = "One physical table; a table that is there already must match."
    mapping = item.mapping
    return [
        Step(table.logical, StepName.CREATE_TABLE, (Statement("create", comment, sql.to_sql(create, "mysql")),)),
        bookkeeping(table, kinds=_kinds(create)),
        chunk_bound(table),
        chunk_read(table, mapping),
        snapshot_route(table, mapping, place=_spark_place(item, "after"), shards=shards),
        snapshot_insert(table),
        decode(
            table,
            mapping.row_filter,
            before_place=_spark_place(item, "before"),
            after_place=_spark_place(item, "after"),
        ),
        merge(table),
        route(table, mapping, shards=shards),
        lookup(table),
        filter_changes(table),
        delete(table),
        upsert(table),
        verify_source(table, mapping),
        verify_target(table, place=_mysql_place(item)),
    ]


def _kinds(create: exp.Create) -> Mapping[str, exp.DataType]:
    """The types of the target's columns, as its CREATE TABLE has them."""
    return {
        definition.name: definition.kind
        for definition in create.this.expressions
        if isinstance(definition, exp.ColumnDef) and definition.kind is not None
    }


def _spark_place(item: _Placed, image: str) -> Place:
    """A broadcast row is placed by the route step; shard 0 stands for all of them here."""
    if item.function is None:
        return sql.number(item.plan.database or 0), sql.number(0)
    types = {column.name: column.type for column in item.plan.reads}

    def qualify(name: str) -> exp.Expr:
        return typed_in_spark(sql.column(name, image), types[name])

    return (
        exp.cast(item.function.database.spark(qualify), "INT"),
        exp.cast(item.function.table.spark(qualify), "INT"),
    )


def _mysql_place(item: _Placed) -> Place | None:
    if item.function is None or item.plan.no_mysql_place is not None:
        return None
    targets = {column.source: column.target for column in item.plan.columns if column.source}

    def qualify(name: str) -> exp.Expr:
        return sql.column(targets[name])

    return item.function.mysql(qualify)
