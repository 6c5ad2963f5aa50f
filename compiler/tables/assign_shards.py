"""Compiler pass: where the rows of each table belong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from shardwright.compiler.plan.catalogue import Column, SourceTable
from shardwright.compiler.schema.name_findings import table_note
from shardwright.compiler.sharding.build import Grid, ShardFunction, check_expressions
from shardwright.compiler.sharding.known_functions import KnownFunctions
from shardwright.compiler.sharding.vectors import Conformance, check_vectors
from shardwright.compiler.tables.choose import ResolvedTable, shard_key_names
from shardwright.compiler.tables.parents import parent_link, parent_of
from shardwright.compiler.tables.placed import Placed
from shardwright.compiler.tables.table_plan import table_plan
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.model import Sharded, ShardingRule, Spec
from shardwright.specs.spec.sound_parts import is_placeable


def place_tables(
    spec: Spec, resolved: Sequence[ResolvedTable], *, files: Mapping[str, str], findings: Findings
) -> tuple[Placed, ...]:
    """Every table whose rows could be placed; what is wrong with the others is in `findings`."""
    known = {table.logical: table for table in resolved if table.is_sound}
    sharding = KnownFunctions(spec, files)
    misnamed = set(_rules_of_unknown_columns(spec, resolved, findings=findings))
    placed: list[Placed] = []
    for table in resolved:
        distribution = table.entry.distribution
        if isinstance(distribution, Sharded) and distribution.rule in misnamed:
            if distribution.shard_key is not None:
                shard_key_names(spec, table, distribution, findings=findings)
        elif not is_placeable(spec, table.entry):
            _check_what_is_clear(spec, table, findings=findings)
        elif (item := _placed(spec, table, known, sharding=sharding, findings=findings)) is not None:
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
    """The names of rules with a column that no table of theirs has: it is the rule's error, told once. Its expressions speak
    of other columns then, whatever the key of a table."""
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
    """Report what is wrong with the shard key and the rule's expressions, where neither has the error that keeps the table
    from being placed."""
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


def _placed(
    spec: Spec,
    table: ResolvedTable,
    tables: Mapping[str, ResolvedTable],
    *,
    sharding: KnownFunctions,
    findings: Findings,
) -> Placed | None:
    entry = table.entry
    distribution = entry.distribution
    if parent_of(table) is not None:
        link = parent_link(spec, table, tables, findings=findings)
        return None if link is None else Placed(table, table_plan(spec, table, (), parent=link), None)
    if not isinstance(distribution, Sharded):
        return Placed(table, table_plan(spec, table, ()), None)
    names = shard_key_names(spec, table, distribution, findings=findings)
    if names is None:
        return None
    rule = spec.sharding[distribution.rule]
    built = sharding.of(rule, names, columns=_columns_by_rule_name(table.source, rule.shard_key, names))
    findings.items += built.findings
    if built.function is None:
        return None
    _check_vectors(spec, rule, table, names, built.function, files=sharding.files, findings=findings)
    return Placed(table, replace(table_plan(spec, table, names), no_mysql_place=built.no_mysql), built.function)


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
    if rule.vectors is None or spec.faults.touch(*rule.path, "vectors"):
        return
    if any(item.span.file == rule.vectors for item in findings.items):
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
