"""Compiler pass: each table with its sharding function, its shards and physical tables, and everything else that its
plan says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from shardwright.compiler.columns.way_back import ways_back
from shardwright.compiler.plan.catalogue import Column, SourceTable, UniqueKey
from shardwright.compiler.plan.plan import TablePlan, WayBack, bookkeeping_name
from shardwright.compiler.plan.table_parts import (
    AllColumns,
    CopyEverywhere,
    Deletes,
    LedgerTables,
    OneDatabase,
    ParentLink,
    Placement,
    ReadColumn,
    RowKey,
    SourceColumn,
    SourceTables,
    Writes,
)
from shardwright.compiler.schema.names import column_note, table_note
from shardwright.compiler.schema.triggers import Trigger
from shardwright.compiler.sharding.build import Grid, KnownFunctions, ShardFunction, check_expressions
from shardwright.compiler.tables.assigned_table import AssignedTable, source_computes_places
from shardwright.compiler.tables.choose import ResolvedTable, shard_key_names
from shardwright.specs.findings.diagnostics import Diagnostic, Findings
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.model import Broadcast, Sharded, ShardingRule, Single, Spec
from shardwright.specs.spec.sound_parts import is_placeable


def table_plan(
    spec: Spec, table: ResolvedTable, shard_key: tuple[str, ...], *, parent: ParentLink | None = None
) -> TablePlan:
    """`shard_key` are the source columns that place its rows; empty when it is not sharded, or placed through
    `parent`."""
    entry = table.entry
    version_column = entry.version_column
    if version_column is not None:
        version_column = entry.columns.rename.get(version_column, version_column)
    return TablePlan(
        logical=table.logical,
        weight=entry.weight,
        source=SourceTables(
            databases=table.source_databases,
            tables=table.source_tables,
            columns=tuple(SourceColumn(c.name, c.type, c.nullable) for c in table.source.columns),
            reads=_reads(table),
            where=entry.where,
        ),
        columns=table.columns,
        identity=_identity(table),
        placement=_placement(spec, table, shard_key, parent=parent),
        ours=LedgerTables(
            stage=bookkeeping_name("_sw_stage_", table.logical),
            tombstone=bookkeeping_name("_sw_gone_", table.logical),
            stash=bookkeeping_name("_sw_park_", table.logical),
            owner=bookkeeping_name("_sw_owner_", table.logical) if table.has_owners else None,
            events=bookkeeping_name("_sw_events_", table.logical) if table.event_groups else None,
            apart=spec.ledger is not None,
        ),
        writes=Writes(entry.write, version_column, table.event_groups),
        deletes=Deletes(
            policy="immediate" if entry.by_all_columns else entry.deletes.policy,
            delay=entry.deletes.delay_seconds,
            stop_above=None if entry.deletes.stop_above is None else str(entry.deletes.stop_above),
        ),
        generated=table.generated,
        way_back=tuple(_ways_back(table, shard_key)),
    )


def _identity(table: ResolvedTable) -> RowKey:
    kind = AllColumns if table.entry.by_all_columns else RowKey
    return kind(columns=table.key, unique_keys=table.unique_keys, prefix_keys=table.prefix_keys, origin=table.origin)


def _placement(spec: Spec, table: ResolvedTable, shard_key: tuple[str, ...], *, parent: ParentLink | None) -> Placement:
    partitions = table.entry.partitions if table.source.partitions else None
    match table.entry.distribution:
        case Sharded():
            suffixes = spec.suffixes_of(spec.sharding[table.entry.distribution.rule])
            return Placement(suffixes=suffixes, shard_key=shard_key, parent=parent, partitions=partitions)
        case Broadcast():
            return CopyEverywhere(suffixes=("",), partitions=partitions)
        case Single(database=name):
            index = spec.target.databases.index(name)
            return OneDatabase(database=index, suffixes=("",), partitions=partitions)


def _reads(table: ResolvedTable) -> tuple[ReadColumn, ...]:
    """What is copied, and what filters and mappings look at, in the source's order."""
    names = {column.source for column in table.columns}
    names |= frozenset().union(*(item.mapping.reads() for item in table.mapped))
    names |= table.row_filter.reads() if table.row_filter is not None else frozenset()
    return read_columns(table.source.columns, names)


def read_columns(columns: Sequence[Column], names: Set[str]) -> tuple[ReadColumn, ...]:
    """Those of a source table's columns that are called so."""
    return tuple(
        ReadColumn(column.name, column.type, column.nullable, position)
        for position, column in enumerate(columns)
        if column.name in names
    )


def _ways_back(table: ResolvedTable, shard_key: tuple[str, ...]) -> Iterator[WayBack]:
    yield from ways_back(table.entry, table.source, table.mapped)
    if table.entry.by_all_columns:
        yield WayBack("", "lost", "the table has no key, by which a row of the shards would find its own at the source")
        return
    if isinstance(table.entry.distribution, Sharded):
        parent = table.entry.distribution.parent
        by = shard_key if parent is None else parent.via
        names = {column.target for column in table.columns if column.source in by}
        for key in (UniqueKey("PRIMARY", table.key), *table.every_unique_key):
            if not (names and names <= set(key.whole)):
                what = f"({key.words}) is unique on each shard only"
                yield WayBack("", "refused", f"{what}: the source takes the first of two rows with one value")
    if table.has_owners and table.entry.backward.rule is None:
        why = "several source tables become one, and `backward.sharding` names no rule that says which one a row is in"
        yield WayBack("", "lost", why)


def with_triggers(item: AssignedTable, triggers: Iterable[Trigger]) -> AssignedTable:
    """With what the source's triggers mean for the way back: no session can switch them off, and what they do to a row
    the shards have done already."""
    names = [trigger.name for trigger in triggers if trigger.table in item.plan.source.tables]
    if not names:
        return item
    word, them = ("triggers", "them") if len(names) > 1 else ("trigger", "it")
    listed = f"{word} {', '.join(names)}"
    way = WayBack("", "lost", f"{listed} would change rows again: `backward: {{triggers: drop}}` drops {them}")
    if item.resolved.entry.backward.triggers == "drop":
        way = WayBack("", "kept", f"a cutover drops {listed}, and a rollback creates {them} again")
    return replace(item, plan=replace(item.plan, way_back=(*item.plan.way_back, way)))


def place_tables(
    spec: Spec, resolved: Sequence[ResolvedTable], *, files: Mapping[str, str], findings: Findings
) -> tuple[AssignedTable, ...]:
    """Every table whose rows could be placed; what is wrong with the others is in `findings`."""
    known = {table.logical: table for table in resolved if table.is_sound}
    sharding = KnownFunctions(spec, files)
    misnamed = set(_rules_of_unknown_columns(spec, resolved, findings=findings))
    placed: list[AssignedTable] = []
    for table in resolved:
        distribution = table.entry.distribution
        if isinstance(distribution, Sharded) and distribution.rule in misnamed:
            if distribution.shard_key is not None:
                shard_key_names(spec, table, distribution, findings=findings)
        elif not is_placeable(spec, table.entry):
            _check_what_is_clear(spec, table, findings=findings)
        elif (item := _assign(spec, table, known, sharding=sharding, findings=findings)) is not None:
            placed.append(item)
    return tuple(placed)


def _rule_by_whose_key(spec: Spec, table: ResolvedTable) -> ShardingRule | None:
    """The rule whose columns place the table's rows; None where the table names columns of its own, or a parent."""
    match table.entry.distribution:
        case Sharded(rule=name, shard_key=None, parent=None):
            return spec.sharding.get(name)
        case _:
            return None


def _rules_of_unknown_columns(spec: Spec, resolved: Iterable[ResolvedTable], *, findings: Findings) -> Iterator[str]:
    """The names of rules with a column that no table of theirs has: it is the rule's error, reported once. Its
    expressions speak of other columns then, whatever the key of a table."""
    tables: dict[str, list[ResolvedTable]] = {}
    for table in resolved:
        rule = _rule_by_whose_key(spec, table)
        if rule is not None and not spec.faults.touch(*rule.path, "shard_key"):
            tables.setdefault(rule.name, []).append(table)
    for rule_name, members in tables.items():
        rule = spec.sharding[rule_name]
        known = {column.name for table in members for column in table.source.columns}
        unknown = [(index, name) for index, name in enumerate(rule.shard_key) if name not in known]
        for index, name in unknown:
            where = f"in none of the {len(members)} tables of rule '{rule_name}'"
            if len(members) == 1:
                where = f"not in table '{members[0].entry.table}'"
            hint = did_you_mean(name, [column.name for column in members[0].source.columns])
            span = spec.span_of((*rule.path, "shard_key", index))
            note = table_note(members[0].source)
            findings.error("SW2104", f"column '{name}' is {where}", span, hint=hint, notes=(note,))
        if unknown:
            yield rule_name


def _check_what_is_clear(spec: Spec, table: ResolvedTable, *, findings: Findings) -> None:
    """Report what is wrong with the shard key and the rule's expressions, where neither has the error that keeps the
    table from being placed."""
    distribution, faults = table.entry.distribution, spec.faults
    if not isinstance(distribution, Sharded) or distribution.parent or faults.touch(*table.entry.path, "sharding"):
        return
    rule = spec.sharding.get(distribution.rule)
    if rule is None or faults.around(*rule.path) or faults.touch(*rule.path, "shard_key"):
        return
    names = shard_key_names(spec, table, distribution, findings=findings)
    if names is not None:
        columns = _columns_by_rule_name(table.source, rule.shard_key, names)
        check_expressions(rule, names, columns=columns, span_of=spec.span_of, findings=findings)


def _assign(
    spec: Spec,
    table: ResolvedTable,
    tables: Mapping[str, ResolvedTable],
    *,
    sharding: KnownFunctions,
    findings: Findings,
) -> AssignedTable | None:
    distribution = table.entry.distribution
    if isinstance(distribution, Sharded) and distribution.parent is not None:
        from shardwright.compiler.tables.parents import parent_link

        link = parent_link(spec, table, tables, findings=findings)
        return None if link is None else AssignedTable(table, table_plan(spec, table, (), parent=link), None)
    if not isinstance(distribution, Sharded):
        return _assign_by(spec, table, table_plan(spec, table, ()), None)
    names = shard_key_names(spec, table, distribution, findings=findings)
    if names is None:
        return None
    rule = spec.sharding[distribution.rule]
    columns = _columns_by_rule_name(table.source, rule.shard_key, names)
    built = sharding.of(rule, names, columns=columns)
    findings.items += (_of_table(item, table, columns) for item in built.findings)
    if built.function is None:
        return None
    _check_vectors(sharding, rule, table.logical, columns=columns, function=built.function, findings=findings)
    plan = table_plan(spec, table, names)
    plan = replace(plan, placement=replace(plan.placement, no_mysql=built.no_mysql))
    return _assign_by(spec, table, plan, built.function)


def _of_table(item: Diagnostic, table: ResolvedTable, columns: Mapping[str, Column]) -> Diagnostic:
    """A shard that may be NULL is a fault of the table's columns: a rule serves many tables, and most have none such.
    `columns` by the rule's names. Other findings stay as they are."""
    if item.code != "SW5001":
        return item
    nullable = {own: column for own, column in columns.items() if column.nullable}
    notes = tuple(column_note(table.source, column.name) for column in nullable.values())
    hint = item.hint
    if nullable:
        named = ", ".join(f"{table.source.name}.{column.name}" for column in nullable.values())
        instead = " and ".join(f"{_coalesce(own, column)} for {own}" for own, column in nullable.items())
        hint = f"declare {named} NOT NULL, or say in the rule where rows without a value go: write {instead}"
    return replace(item, message=f"table '{table.source.name}': {item.message}", hint=hint, notes=notes)


def _coalesce(name: str, column: Column) -> str:
    return f"coalesce({name}, 0)" if column.type.is_integer else f"coalesce({name}, '')"


def _assign_by(spec: Spec, table: ResolvedTable, plan: TablePlan, function: ShardFunction | None) -> AssignedTable:
    is_read = source_computes_places(plan, function, dialect=spec.source.dialect)
    return AssignedTable(table, replace(plan, placement=replace(plan.placement, is_read=is_read)), function)


def _check_vectors(
    sharding: KnownFunctions,
    rule: ShardingRule,
    logical: str,
    *,
    columns: Mapping[str, Column],
    function: ShardFunction,
    findings: Findings,
) -> None:
    """Once for each rule that names vectors: after a finding in the file the other tables of the rule are left
    alone."""
    spec = sharding.spec
    if rule.vectors is None or spec.faults.touch(*rule.path, "vectors"):
        return
    if any(item.span.file == rule.vectors for item in findings.items):
        return
    from shardwright.compiler.sharding.vectors import Conformance, check_vectors

    grid = Grid(spec.target.databases, spec.suffixes_of(rule))
    part = "algorithm" if rule.algorithm is not None else "database"
    conformance = Conformance(rule, logical, columns, function, grid, spec.span_of((*rule.path, part)))
    check_vectors(conformance, sharding.files.get(rule.vectors, ""), findings)


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
