"""Spec, schema file and DDL files to plan: the passes in order. Pure and offline. The passes for what only some specs
have (families, invariants, DDL changes) are imported when a spec has it.

An error does not end the compilation: what is broken is left out of later passes, and they report what they can of the
rest. Broken are the places in the spec's `faults`, the tables of the schema file with an error (`UnclearTables`),
entries whose columns or key have one (`ResolvedTable.is_sound`), and tables whose rows could not be placed. A plan is
made when nothing is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

from sqlglot import exp

from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.lint.registry import lint
from shardwright.compiler.lint.rule import LintContext, LintTable, by_source, lint_table
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.digests import all_aspects
from shardwright.compiler.plan.each import Each, one_by_one
from shardwright.compiler.plan.invariant import Invariant
from shardwright.compiler.plan.json_form import fingerprint
from shardwright.compiler.plan.next_ids import NextIds
from shardwright.compiler.plan.plan import (
    DdlChange,
    Plan,
    Step,
    StreamDdl,
    TablePlan,
)
from shardwright.compiler.schema.names import NOTHING_CLEAR, SchemaFile, UnclearTables, read_schema_file
from shardwright.compiler.schema.triggers import read_triggers
from shardwright.compiler.sharding.build import ShardFunction
from shardwright.compiler.sql.sql_text import PLACEHOLDER
from shardwright.compiler.steps.batch import batch
from shardwright.compiler.steps.decide import decide_changes
from shardwright.compiler.steps.merge import merge_changes
from shardwright.compiler.tables.assign_shards import place_tables, with_triggers
from shardwright.compiler.tables.assigned_table import AssignedTable
from shardwright.compiler.tables.checks import (
    check_binding,
    check_existing_rows,
    check_quarantine,
    check_targets,
    may_be_advised,
    unclear_logical_tables,
)
from shardwright.compiler.tables.choose import ResolvedTable, resolve_tables
from shardwright.compiler.tables.groups import expand_groups
from shardwright.compiler.tables.source_tables import names_that_stay, source_families, stays_where_it_is
from shardwright.compiler.tables.table_steps import table_steps
from shardwright.specs.findings.diagnostics import Diagnostic, Findings, SpecError
from shardwright.specs.spec.model import Spec, TableSpec
from shardwright.specs.spec.sound_parts import names_its_schema

if TYPE_CHECKING:
    from shardwright.compiler.backward.build import Backward
    from shardwright.compiler.expressions.expression import IntegerExpression
    from shardwright.compiler.schema.triggers import Trigger
    from shardwright.compiler.steps.conflict import ConflictRules
    from shardwright.compiler.tables.buckets import Buckets


@dataclass(frozen=True, slots=True)
class CompiledPlan:
    """`warnings` are findings that did not stop the compilation; `functions` place the rows of the sharded tables and
    `mappings` make the target's rows of the source's, both by logical name."""

    plan: Plan
    warnings: tuple[Diagnostic, ...]
    functions: Mapping[str, ShardFunction]
    mappings: Mapping[str, RowMapping]
    backward: Backward | None = None
    """The way back; None where something does not come back (`TablePlan.way_back`)."""
    entries: tuple[TableSpec, ...] = ()
    """Those of the spec, with one for each table of a group."""
    buckets: Mapping[str, IntegerExpression] = field(default_factory=dict)
    """A row's virtual bucket over the source's columns, by logical name, where the rules have buckets."""


@dataclass(frozen=True, slots=True)
class _StepsOfTables:
    """All steps, `Plan.aspects`, `Plan.deferred_indexes`, and the columns of the shards' tables by logical name."""

    steps: tuple[Step, ...]
    aspects: Mapping[str, Mapping[str, str]]
    deferred: Mapping[str, tuple[str, ...]]
    columns: Mapping[str, tuple[Column, ...]]


def build_plan(
    spec: Spec,
    *,
    schema: str,
    ddl: Mapping[str, str],
    files: Mapping[str, str] | None = None,
    others: Sequence[Spec] = (),
    each: Each = one_by_one,
) -> CompiledPlan:
    """`schema` is the text of the schema file, empty when the spec's `faults` say that there is none; `ddl` maps DDL
    file names, and `files` the CSV files that sharding rules name, to their text; `others` are the specs that move
    other tables of the same schema file; `each` does the work that is the same for each table. Raises SpecError."""
    findings = Findings()
    source = _read_source(spec, schema, others, findings=findings)
    spec = expand_groups(spec, source_families(source.tables, spec.source.tables_suffix), findings=findings)
    _refuse_placeholders(spec, findings)
    resolved = resolve_tables(spec, source, findings=findings, others=others)
    placed = place_tables(spec, resolved, files=files or {}, findings=findings)
    check_binding(
        spec, [(item.resolved, item.plan.placement.shard_key) for item in placed if item.function], findings=findings
    )
    if _has_families(placed):
        from shardwright.compiler.tables.families import check_places_are_read

        check_places_are_read(spec, placed, findings=findings)
    for item in placed:
        if item.plan.identity.counts_rows:
            from shardwright.compiler.tables.keyless import check_keyless_place

            check_keyless_place(spec, item, findings=findings)
    quarantined = check_quarantine(spec, placed, findings=findings)
    existing_rows = check_existing_rows(spec, placed, findings=findings)
    invariants = _invariants(spec, resolved, placed, findings=findings)
    made = _StepsOfTables((), {}, {}, {})
    if findings.has_errors or spec.faults:
        check_targets(spec, resolved, findings=findings)
    else:
        made = _steps(spec, placed, each=each, findings=findings)
    tables = {item.plan.logical: item.plan for item in placed if item.resolved.is_sound}
    unclear = unclear_logical_tables(spec, tables, schema=source)
    changes = _changes(ddl, tables, made.steps, unclear=unclear, findings=findings)
    if spec.ids and made.steps:
        from shardwright.compiler.ids.check import check_ids

        check_ids(spec, placed, steps=made.steps, changes=changes, findings=findings)
    advised = _lint_tables(spec, resolved, placed)
    triggers = read_triggers(schema, file=spec.source.schema)
    buckets = _buckets(spec, placed, triggers, findings=findings)
    rules = _conflict_rules(spec, placed, triggers, findings=findings)
    findings.items += lint(
        LintContext(spec, schema, source.tables, triggers, advised, changes, tuple(others), by_source(advised))
    )
    findings.raise_errors()
    if spec.faults:
        raise SpecError(findings.items)
    plan = Plan(
        migration=spec.migration,
        dialect=spec.source.dialect,
        tool_version=version("shardwright"),
        sqlglot_version=version("sqlglot"),
        databases=spec.target.databases,
        tables=tuple(tables[name] for name in sorted(tables)),
        steps=made.steps,
        ddl=changes,
        fingerprint="",
        lookup_tables=_lookup_tables_of(placed),
        aspects=made.aspects,
        stream_ddl=StreamDdl(spec.source.ddl, spec.source.ignored_ddl, _table_patterns(spec, placed)),
        stream=spec.source.stream,
        unavailable_source=spec.source.unavailable_source,
        quarantine=quarantined,
        existing_rows=existing_rows,
        deferred_indexes=made.deferred,
        invariants=invariants,
        stays=names_that_stay(spec, source.tables, others=others),
        ignore_marks=spec.source.ignore_marks,
        ignore_marks_in=spec.source.ignore_marks_in,
        ledgers=spec.ledgers,
        flight_recorder=spec.flight_recorder,
    )
    plan = replace(plan, ids=_ids(spec, plan), fingerprint=fingerprint(plan))
    placed = tuple(with_triggers(item, triggers) for item in placed)
    plan, backward = _both_ways(spec, plan, placed, columns=made.columns, files=files or {}, each=each)
    if buckets is not None:
        plan, backward = _with_buckets(plan, backward, buckets)
    if rules:
        plan, backward = _with_conflicts(spec, plan, backward, rules)
    functions = {item.plan.logical: item.function for item in placed if item.function is not None}
    mappings = {item.plan.logical: item.mapping for item in placed}
    of_rows = {} if buckets is None else buckets.of
    return CompiledPlan(plan, tuple(findings.items), functions, mappings, backward, spec.tables, of_rows)


def _both_ways(
    spec: Spec,
    plan: Plan,
    placed: Sequence[AssignedTable],
    *,
    columns: Mapping[str, tuple[Column, ...]],
    files: Mapping[str, str],
    each: Each,
) -> tuple[Plan, Backward | None]:
    """The plan with all that is said of the way back, and with its backward plan where there is one. Raises
    SpecError."""
    from shardwright.compiler.backward.build import backward_plan, turnings

    found, lost = turnings(plan, placed, columns)
    known = {item.plan.logical: item.plan.way_back for item in placed}
    known |= {name: (*known[name], way) for name, way in lost.items()}
    tables = tuple(replace(table, way_back=known[table.logical]) for table in plan.tables)
    plan = replace(plan, tables=tables)
    if any(way.closes for table in tables for way in table.way_back):
        return plan, None
    findings = Findings()
    backward = backward_plan(spec, plan, found, files=files, each=each, findings=findings)
    findings.raise_errors()
    if backward is not None:
        dropped = tuple(item.plan.logical for item in placed if item.resolved.entry.backward.triggers == "drop")
        ids = _ids(spec, backward.plan)
        backward = replace(backward, plan=replace(backward.plan, ids=ids, drops_triggers=tuple(sorted(dropped))))
    return replace(plan, backward=backward.plan if backward is not None else None), backward


def _buckets(
    spec: Spec, placed: Sequence[AssignedTable], triggers: Sequence[Trigger], *, findings: Findings
) -> Buckets | None:
    if all(rule.buckets is None for rule in spec.sharding.values()):
        return None
    from shardwright.compiler.tables.buckets import find_buckets

    return find_buckets(spec, placed, triggers, findings=findings)


def _with_buckets(plan: Plan, backward: Backward | None, buckets: Buckets) -> tuple[Plan, Backward | None]:
    """Both plans with the steps that say in which bucket a row is."""
    from shardwright.compiler.steps.writers import writers, writers_back

    steps = tuple(writers(table, buckets.of[table.logical]) for table in plan.tables)
    plan = replace(plan, buckets=buckets.count, steps=(*plan.steps, *steps))
    if backward is None:
        return plan, None
    tables = backward.plan.tables
    steps = tuple(writers_back(one, plan.table(one.logical), buckets.of[one.logical]) for one in tables)
    back = replace(backward.plan, buckets=buckets.count, steps=(*backward.plan.steps, *steps))
    return replace(plan, backward=back), replace(backward, plan=back)


def _conflict_rules(
    spec: Spec, placed: Sequence[AssignedTable], triggers: Sequence[Trigger], *, findings: Findings
) -> Mapping[str, ConflictRules]:
    if not spec.both_write:
        return {}
    from shardwright.compiler.lint.facts import table_facts
    from shardwright.compiler.tables.two_writers import find_conflict_rules

    cascades = {
        item.plan.logical: [
            f"{key.title} with {', '.join(key.child_actions)}"
            for key in table_facts(item.resolved.source).foreign_keys
            if key.child_actions
        ]
        for item in placed
    }
    return find_conflict_rules(spec, placed, triggers, cascades=cascades, findings=findings)


def _with_conflicts(
    spec: Spec, plan: Plan, backward: Backward | None, rules: Mapping[str, ConflictRules]
) -> tuple[Plan, Backward | None]:
    """Both plans with the steps that find and resolve conflicts. Raises SpecError (SW5026) where there is no way
    back."""
    from shardwright.compiler.steps.conflict import conflict, conflict_back, meet

    if backward is None:
        findings = Findings()
        message = "both sides cannot write: something does not come back to the source"
        findings.error(
            "SW5026", message, spec.span_of(("two_way", "writers")), hint="`summary.md` of the plan names it"
        )
        raise SpecError(findings.items)
    steps = (*plan.steps, *(conflict(table, rules[table.logical]) for table in plan.tables), meet())
    plan = replace(plan, both_write=True, steps=steps)
    back = backward.plan
    steps = (*back.steps, *(conflict_back(table, plan.table(table.logical)) for table in back.tables), meet())
    back = replace(back, both_write=True, steps=steps)
    return replace(plan, backward=back), replace(backward, plan=back)


def _ids(spec: Spec, plan: Plan) -> tuple[NextIds, ...]:
    if not spec.ids:
        return ()
    from shardwright.compiler.steps.next_ids import next_ids

    return next_ids(spec, plan)


def _read_source(spec: Spec, schema: str, others: Sequence[Spec], *, findings: Findings) -> SchemaFile:
    if not names_its_schema(spec):
        return SchemaFile({}, NOTHING_CLEAR)
    stays = partial(stays_where_it_is, spec, others=others)
    return read_schema_file(schema, file=spec.source.schema, findings=findings, matters=lambda name: not stays(name))


def _table_patterns(spec: Spec, placed: Sequence[AssignedTable]) -> tuple[tuple[str, str], ...]:
    """The patterns of the spec's entries with their logical tables; where the source's tables are split, one for each
    suffix."""
    entries = {item.resolved.entry.table: item.plan.logical for item in placed if item.resolved.entry.is_pattern}
    return tuple(sorted((entry + end, name) for entry, name in entries.items() for end in spec.source.tables_suffix))


def _has_families(placed: Sequence[AssignedTable]) -> bool:
    return any(item.plan.placement.parent is not None for item in placed)


def _lookup_tables_of(placed: Sequence[AssignedTable]) -> tuple[TablePlan, ...]:
    if not _has_families(placed):
        return ()
    from shardwright.compiler.tables.families import lookup_tables_of

    return lookup_tables_of(placed)


def _lookup_table_steps(
    placed: Sequence[AssignedTable], kinds: Mapping[str, Mapping[str, exp.DataType]]
) -> tuple[Step, ...]:
    if not _has_families(placed):
        return ()
    from shardwright.compiler.tables.families import lookup_table_steps

    return tuple(lookup_table_steps(placed, kinds))


def _invariants(
    spec: Spec, resolved: Sequence[ResolvedTable], placed: Sequence[AssignedTable], *, findings: Findings
) -> tuple[Invariant, ...]:
    if not spec.invariants:
        return ()
    from shardwright.compiler.invariants.compile import compile_invariants

    return compile_invariants(spec, resolved, placed, findings=findings)


def _changes(
    ddl: Mapping[str, str],
    tables: Mapping[str, TablePlan],
    steps: Sequence[Step],
    *,
    unclear: UnclearTables,
    findings: Findings,
) -> tuple[DdlChange, ...]:
    if not ddl:
        return ()
    from shardwright.compiler.ddl.routing.catching_up import creates_of
    from shardwright.compiler.ddl.routing.changes import read_changes

    return read_changes(ddl, tables=tables, findings=findings, unclear=unclear, creates=creates_of(steps))


def _steps(spec: Spec, placed: Sequence[AssignedTable], *, each: Each, findings: Findings) -> _StepsOfTables:
    """All steps of all tables; what is wrong with their target tables is in `findings`."""
    in_order = sorted(placed, key=lambda item: item.plan.logical)
    tables = {item.plan.logical: item.plan for item in in_order}
    families = frozenset(
        name
        for table in tables.values()
        if table.placement.parent
        for name in (table.logical, table.placement.parent.parent)
    )
    counting = {entry.table: entry.column for entry in spec.ids if entry.shards == "auto_increment"}
    shards = len(spec.target.databases)
    work = partial(table_steps, tables=tables, families=families, counting=counting, shards=shards)
    made = each(work, in_order)
    for table in made:
        findings.items += table.findings
    kinds = {item.plan.logical: table.kinds for item, table in zip(in_order, made, strict=True)}
    for_lookup_tables = _lookup_table_steps(placed, kinds)
    aspects = {item.plan.logical: table.aspects for item, table in zip(in_order, made, strict=True)}
    aspects.update(all_aspects(_lookup_tables_of(placed), for_lookup_tables))
    deferred = {item.plan.logical: table.deferred for item, table in zip(in_order, made, strict=True) if table.deferred}
    columns = {item.plan.logical: table.columns for item, table in zip(in_order, made, strict=True)}
    every_table = (*tables.values(), *_lookup_tables_of(placed))
    common = (merge_changes(), decide_changes(every_table), batch(families=bool(families)))
    steps = (*(step for table in made for step in table.steps), *for_lookup_tables, *common)
    return _StepsOfTables(steps, aspects, deferred, columns)


def _lint_tables(
    spec: Spec, resolved: Sequence[ResolvedTable], placed: Sequence[AssignedTable]
) -> tuple[LintTable, ...]:
    """The tables that are sound, as lint rules see them."""
    by_name = {item.plan.logical: item for item in placed}
    return tuple(
        _lint_view(spec, table, by_name.get(table.logical)) for table in resolved if may_be_advised(spec, table)
    )


def _refuse_placeholders(spec: Spec, findings: Findings) -> None:
    """An expression's texts stand in MySQL statements whose placeholders the runtime fills in."""
    for rule in spec.sharding.values():
        for part, expression in (("database", rule.database), ("table", rule.table)):
            if expression is not None and PLACEHOLDER in expression:
                message = f"the {part} expression of rule '{rule.name}' holds '{PLACEHOLDER}'"
                findings.error("SW2116", message, spec.span_of((*rule.path, part)))


def _lint_view(spec: Spec, table: ResolvedTable, placed: AssignedTable | None) -> LintTable:
    """`placed` is None when the table's sharding has an error."""
    if placed is None:
        return lint_table(spec, table, function=None, shard_key=())
    return lint_table(spec, table, function=placed.function, shard_key=placed.plan.placement.shard_key)
