"""One table of the forward plan turned round: the shards' physical tables are its sources, the source's own tables its
target. Pure; what is wrong with the spec is in findings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from shardwright.compiler.columns.generated_columns import computable
from shardwright.compiler.columns.mapping import FromColumn, MappedColumn
from shardwright.compiler.columns.way_back import definition_of
from shardwright.compiler.expressions.ladder import ValueChoice
from shardwright.compiler.expressions.leaves import TextColumn
from shardwright.compiler.plan.catalogue import Column, SourceTable
from shardwright.compiler.plan.plan import GeneratedColumn, OwnTables, TablePlan
from shardwright.compiler.plan.table_parts import (
    CopyEverywhere,
    Deletes,
    OneDatabase,
    Origin,
    Placement,
    SourceColumn,
    SourceTables,
    Writes,
)
from shardwright.compiler.sharding.build import Grid, RuleContext, ShardFunction, database_and_table
from shardwright.compiler.tables.assign_shards import read_columns
from shardwright.compiler.tables.assigned_table import AssignedTable
from shardwright.compiler.tables.choose import ResolvedTable, other_unique_keys, prefix_keys
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import ShardingRule, Spec


@dataclass(frozen=True, slots=True)
class TableReversal:
    """What is known of one table: as the forward plan has it, as it is on the shards, and what comes back."""

    forward: AssignedTable
    shard: tuple[Column, ...]
    mapped: tuple[MappedColumn, ...]


def reverse_table(
    spec: Spec, turning: TableReversal, *, databases: Sequence[str], files: Mapping[str, str], findings: Findings
) -> AssignedTable | None:
    """`databases` are those of the shards. None after an error."""
    forward, mapped = turning.forward, turning.mapped
    table, resolved = forward.plan, forward.resolved
    function = None
    if table.identity.origin is not None:
        function = _of_origin(turning, table.identity.origin)
    elif len(table.sources) > 1:
        rule = spec.source.sharding[resolved.entry.backward.rule or ""]
        function = _source_function(spec, rule, turning, files=files, findings=findings)
        if function is None:
            return None
    made = _reverse_plan(turning, _placement(spec, turning, function), databases)
    turned_table = replace(
        resolved,
        source_databases=made.source.databases,
        source_tables=made.source.tables,
        mapped=mapped,
        columns=made.columns,
        row_filter=None,
        key=made.key,
        unique_keys=made.identity.unique_keys,
        prefix_keys=made.identity.prefix_keys,
        event_groups=(),
    )
    return AssignedTable(turned_table, made, function)


def _placement(spec: Spec, turning: TableReversal, function: ShardFunction | None) -> Placement:
    """In which of the source's own tables a row belongs. How the shards' tables are divided is nothing to it."""
    table = turning.forward.plan
    _, suffixes = _names(table.source.tables)
    if function is not None:
        key = tuple(sorted(function.columns()))
        return Placement(suffixes=suffixes, shard_key=key, no_mysql=function.no_mysql())
    if table.placement.has_copies and turning.forward.resolved.entry.backward.every_copy:
        return CopyEverywhere(suffixes=suffixes)
    return OneDatabase(database=spec.source.databases.index(table.source.databases[0]), suffixes=suffixes)


def _reverse_plan(turning: TableReversal, placement: Placement, databases: Sequence[str]) -> TablePlan:
    table, resolved, shard = turning.forward.plan, turning.forward.resolved, turning.shard
    columns = tuple(item.column for item in turning.mapped)
    last = () if table.identity.origin is None else (table.identity.origin.column,)
    names = frozenset(column.target for column in columns if column.target not in last)
    at_source = {name: name for name in names | computable(resolved.source.columns, names)}
    key = tuple(column.source for column in table.source_key_columns)
    stem, _ = _names(table.source.tables)
    home = table.placement.count_once(table.placement.shards(len(databases)))  # of copies, the first one is
    return replace(
        table,
        source=SourceTables(
            databases=tuple(databases[shard] for shard in home),
            tables=tuple(table.logical + suffix for suffix in table.suffixes),
            columns=tuple(SourceColumn(c.name, c.type, c.nullable) for c in shard),
            reads=read_columns(shard, {column.source for column in columns}),
        ),
        columns=columns,
        identity=replace(
            table.identity,
            columns=(*key, *last),
            unique_keys=other_unique_keys(resolved.source, key, at_source),
            prefix_keys=prefix_keys(resolved.source, at_source),
        ),
        placement=placement,
        ours=replace(table.ours, owner=None, events=None, apart=False),
        writes=Writes(),
        deletes=Deletes(stop_above=table.deletes.stop_above),
        own=_own_tables(resolved, stem, names),
        generated=tuple(
            GeneratedColumn("", column.name, column.expression)
            for column in resolved.source.columns
            if column.generated
        ),
    )


def _names(tables: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """How all names begin, and how each goes on."""
    first, last = min(tables), max(tables)  # what these two share, all share
    same = next((index for index, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))
    stem = first[:same]
    return stem, tuple(name[len(stem) :] for name in tables)


def _own_tables(table: ResolvedTable, stem: str, columns: frozenset[str]) -> OwnTables:
    source = table.source
    written = [column for column in source.columns if not column.generated]
    return OwnTables(
        stem=stem,
        born=table.born,
        keep_on_update=tuple(c.name for c in written if c.name not in columns and _changes_on_update(source, c)),
        whole_row=tuple(column.name for column in written),
    )


def _changes_on_update(source: SourceTable, column: Column) -> bool:
    definition = definition_of(source, column.name)
    return definition is not None and definition.find(exp.OnUpdateColumnConstraint) is not None


def _of_origin(turning: TableReversal, origin: Origin) -> ShardFunction:
    """The table that the row's column names. The shards take no other value (`ddl.origin_keys`)."""
    table = turning.forward.plan
    kind = next(column.type for column in turning.shard if column.name == origin.column)
    named, numbers = TextColumn(origin.column, kind, nullable=False), {}
    for database, of_database in enumerate(table.source.databases):
        for number, name in enumerate(table.source.tables):
            numbers[origin.of(f"{of_database}.{name}")] = database, number
    return ShardFunction(
        ValueChoice(named, {value: database for value, (database, _) in numbers.items()}, 0),
        ValueChoice(named, {value: number for value, (_, number) in numbers.items()}, 0),
    )


def _source_function(
    spec: Spec, rule: ShardingRule, turning: TableReversal, *, files: Mapping[str, str], findings: Findings
) -> ShardFunction | None:
    """The source's own rule, over the shards' columns. None after an error."""
    table = turning.forward.plan
    by_name = {item.column.target: item for item in turning.mapped}
    columns: dict[str, Column] = {}
    for index, name in enumerate(rule.shard_key):
        item, there = by_name.get(name), None
        if item is not None and _is_plain(item):
            there = next(column for column in turning.shard if column.name == item.column.source)
        if there is None:
            message = f"the shards do not give back column '{name}' of '{table.logical}' as it is"
            hint = f"rule '{rule.name}' reads it to find a row's own table: copy it without a cast"
            findings.error("SW2032", message, spec.span_of((*rule.path, "shard_key", index)), hint=hint)
        else:
            columns[name] = there
    if len(columns) < len(rule.shard_key):
        return None
    grid = Grid(table.source.databases, _names_in_rule(table.source.tables, spec.source.tables_suffix))
    return database_and_table(
        rule,
        tuple(columns[name].name for name in rule.shard_key),
        columns=columns,
        context=RuleContext(grid, files, spec.span_of, findings),
    )


def _names_in_rule(tables: tuple[str, ...], suffixes: tuple[str, ...]) -> tuple[str, ...]:
    """How a rule of the source calls its tables: by the source's suffixes where they are the parts of a split one."""
    stem = tables[0].removesuffix(suffixes[0]) if suffixes else ""
    return suffixes if tables == tuple(stem + suffix for suffix in suffixes) else tables


def _is_plain(item: MappedColumn) -> bool:
    return isinstance(item.mapping, FromColumn) and not item.mapping.steps
