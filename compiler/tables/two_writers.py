"""Compiler pass: what must hold of a spec where both sides write at the same time? By bucket each row has one writer;
with `two_way: {writers: both}` a row may have two, and the stream finds each pair of changes that did not know of each
other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from shardwright.compiler.expressions.comparable import any_column
from shardwright.compiler.expressions.expression import Expression, TextExpression
from shardwright.compiler.expressions.parse import parse_expression
from shardwright.compiler.expressions.read_sql import SqlSource
from shardwright.compiler.plan.plan import CopiedColumn
from shardwright.compiler.schema.names import column_note, locate
from shardwright.compiler.schema.triggers import Trigger
from shardwright.compiler.steps.conflict import ConflictRules
from shardwright.compiler.tables.assigned_table import AssignedTable
from shardwright.specs.findings.diagnostics import Findings, Path
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.model import Spec

_CODE: Final = "SW5026"
_ORDERED: Final = frozenset({"date", "datetime", "timestamp", "decimal", "year"})


def require_two_writers_to_fit(
    spec: Spec, placed: Sequence[AssignedTable], triggers: Sequence[Trigger], findings: Findings
) -> None:
    """What two sides that write at the same time would do to each other (SW5025)."""
    if spec.source.stream.name != "binlog":
        message = "two writers need the source's own log: a queue does not say in which order both sides have written"
        findings.error("SW5025", message, spec.span_of(("source", "stream")))
    if spec.source.ddl == "apply":
        message = "a change of a table that the stream applies would meet writers on both sides"
        hint = "source.stream.ddl: stop, while both sides write"
        findings.error("SW5025", message, spec.span_of(("source", "stream", "ddl")), hint=hint)
    for ids in spec.ids:
        message = f"both sides would count numbers for '{ids.table}' at the same time"
        hint = "let the application make numbers that no side gives twice, or cut over as a whole"
        findings.error("SW5025", message, spec.span_of(ids.path), hint=hint)
    followed = {table: item for item in placed for table in item.plan.source.tables}
    for trigger in triggers:
        if trigger.table in followed:
            entry = followed[trigger.table].resolved.entry
            message = f"trigger {trigger.name} would act on rows that come back while the source still takes writes"
            findings.error("SW5025", message, spec.span_of((*entry.path, "table")))


@dataclass(frozen=True, slots=True)
class _Problem:
    """Why a table cannot have two writers; `path` is within its entry."""

    message: str
    path: Path = ("table",)
    hint: str = "let each row have one writer (`buckets`), or exclude the table"


def find_conflict_rules(
    spec: Spec,
    placed: Sequence[AssignedTable],
    triggers: Sequence[Trigger],
    *,
    cascades: Mapping[str, Sequence[str]],
    findings: Findings,
) -> Mapping[str, ConflictRules]:
    """By logical table what decides its conflicts. `cascades`: by logical table, what its foreign keys do by
    themselves. Reports SW5025 and SW5026."""
    assert spec.two_way is not None
    require_two_writers_to_fit(spec, placed, triggers, findings)
    if any(rule.buckets is not None for rule in spec.sharding.values()):
        message = (
            "the sharding rules have buckets, of which each has one writer: leave them out, or `writers: by_bucket`"
        )
        findings.error(_CODE, message, spec.span_of((*spec.two_way.path, "writers")))
    found: dict[str, ConflictRules] = {}
    for item in placed:
        entry = item.resolved.entry
        for problem in (*_problems(item), *map(_cascade, cascades.get(item.plan.logical, ()))):
            where = spec.span_of((*entry.path, *problem.path))
            findings.error(_CODE, f"'{item.plan.logical}' {problem.message}", where, hint=problem.hint)
        rule = None if entry.conflicts.rule is None else _rule(spec, item, entry.conflicts.rule, findings)
        policy = "hold" if rule is not None else entry.conflicts.policy or spec.two_way.conflicts
        if policy is None:
            message = f"nothing says whose row counts in a conflict of '{item.plan.logical}'"
            hint = "two_way.conflicts: hold leaves each conflict to an operator; source, shards and latest decide"
            findings.error(_CODE, message, spec.span_of(spec.two_way.path), hint=hint)
        elif _check_columns(spec, item, "greatest", findings) and _check_columns(spec, item, "counters", findings):
            conflicts, units = entry.conflicts, tuple(group.columns for group in entry.groups)
            rules = ConflictRules(
                policy,
                conflicts.deletes,
                units,
                conflicts.greatest,
                conflicts.counters,
                rule,
                counts_keys=any(column.auto_increment for column in item.resolved.source.columns),
            )
            found[item.plan.logical] = rules
    return found


def _problems(item: AssignedTable) -> Iterator[_Problem]:
    """The first of its kind says enough of a table."""
    table, entry = item.plan, item.resolved.entry
    if table.identity.counts_rows:
        yield _Problem("has no key: two changes of a row could be changes of two rows", ("key",))
        return
    if table.placement.parent is not None:
        message = "is placed through its parent, which another side may move or delete meanwhile"
        yield _Problem(message, ("sharding",), "give the table the parent's shard key as a column, and shard by that")
        return
    if table.placement.has_copies:
        message, hint = "has a copy on every shard, and each would have a writer", "give it a migration of its own"
        yield _Problem(message, ("sharding",), hint)
    if len(table.sources) > 1:
        yield _Problem("comes from several source tables, which would all be one side")
    changed = next((column for column in table.columns if not _goes_both_ways(column)), None)
    if changed is not None:
        message = f"has the column {changed.target}, which is {changed.mapping}: both sides need the same values"
        yield _Problem(message, ("columns",) if entry.columns.derive or entry.columns.mask else ("table",))
    left_out = set(item.resolved.entry.columns.exclude) if entry.columns.include is None else {"others"}
    if left_out:
        yield _Problem("leaves columns out: a row that comes back would lack them", ("columns",))
    if table.source.where is not None:
        yield _Problem("has a row filter, and a row may begin to match on one side", ("where",))
    if table.deletes.are_ignored:
        yield _Problem("ignores deletes, and the sides would differ for ever", ("deletes",))
    if table.writes.version_column is not None or table.writes.marks_columns:
        path: Path = ("version_column",) if table.writes.version_column else ("write",)
        yield _Problem("decides by itself what an update writes: conflicts do that", path, "leave it out")
    counted = next((c for c in item.resolved.source.columns if c.auto_increment), None)
    if counted is not None and counted.name not in {column.source for column in table.key_columns}:
        message = f"has {counted.name} AUTO_INCREMENT outside its key: two rows would get one number"
        yield _Problem(message, hint="let the application make the numbers")


def _cascade(words: str) -> _Problem:
    return _Problem(f"has the foreign key {words}, which no log shows", hint="let the application change the rows")


def _goes_both_ways(column: CopiedColumn) -> bool:
    return column.mapping == "copied" and bool(column.source)


def _rule(spec: Spec, item: AssignedTable, text: str, findings: Findings) -> Expression | None:
    """None after an error. Only deterministic functions are allowed: a run that repeats a round has to decide the
    same."""
    conflicts = item.resolved.entry.conflicts
    span = spec.span_of((*conflicts.path, "rule"))
    columns = {
        f"{row}_{column.name}": replace(column, name=f"{row}_{column.name}", nullable=True)
        for row in ("base", "source", "shards")
        for column in item.resolved.source.columns
    }
    made = parse_expression(
        SqlSource(text, span, "a rule of conflicts"), columns=columns, findings=findings, leaf=any_column
    )
    if conflicts.policy is not None:
        findings.error(_CODE, f"'{item.plan.logical}' has both a rule and a policy: only one decides", span)
    if made is None or isinstance(made, TextExpression):
        return made
    findings.error(_CODE, f"the rule of '{item.plan.logical}' gives no text: it names a side", span)
    return None


def _check_columns(
    spec: Spec, item: AssignedTable, setting: Literal["greatest", "counters"], findings: Findings
) -> bool:
    """Whether the columns are there, and have an order, or are numbers."""
    table, conflicts = item.plan, item.resolved.entry.conflicts
    kinds = {column.source: column.type for column in table.columns}
    names, fit = (
        (conflicts.greatest, _ORDERED) if setting == "greatest" else (conflicts.counters, frozenset({"decimal"}))
    )
    fine = True
    for span, name in locate(spec, (*conflicts.path, setting), names):
        kind = kinds.get(name)
        if kind is None:
            message = f"column '{name}' is not in table '{table.logical}'"
            findings.error("SW2104", message, span, hint=did_you_mean(name, list(kinds)))
        elif not kind.is_integer and kind.name not in fit:
            hint = "name columns of times and numbers" if setting == "greatest" else "name columns of numbers"
            note = column_note(item.resolved.source, name)
            message = f"'{table.logical}' {name} is {kind.name}, which cannot be in '{setting}'"
            findings.error(_CODE, message, span, hint=hint, notes=(note,))
        elif name in {column.source for column in table.key_columns}:
            findings.error(_CODE, f"'{table.logical}' {name} is of the key, which both sides have alike", span)
        else:
            continue
        fine = False
    return fine
