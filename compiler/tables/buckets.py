"""Compiler pass: in which virtual bucket is a row, where the rules of a spec have `buckets`? A cutover moves the writes
of some buckets at a time, so each table has to know the bucket of a row by the row alone.

A table that is not sharded is in the bucket behind the last one, which goes last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from shardwright.compiler.expressions.expression import Expression, IntegerExpression, NoMysqlForm
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.expressions.parse import parse_expression
from shardwright.compiler.expressions.read_sql import SqlSource
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.schema.names import column_note
from shardwright.compiler.schema.triggers import Trigger
from shardwright.compiler.sql.sql_text import quote as quote_name
from shardwright.compiler.tables.assigned_table import AssignedTable
from shardwright.compiler.tables.two_writers import require_two_writers_to_fit
from shardwright.specs.findings.diagnostics import Findings, Span
from shardwright.specs.spec.model import Sharded, ShardingRule, Spec

MOST: Final = 65_536
"""Buckets: a row of the ledger each."""
_BETWEEN: Final = ", ':', "


@dataclass(frozen=True, slots=True)
class Buckets:
    """`count` buckets, from 0, and one behind them. `of` gives a row's bucket over the columns of the source, by
    logical name."""

    count: int
    of: Mapping[str, IntegerExpression]


def find_buckets(
    spec: Spec, placed: Sequence[AssignedTable], triggers: Sequence[Trigger], *, findings: Findings
) -> Buckets | None:
    """None where no rule has buckets, or after an error."""
    rules = [rule for rule in spec.sharding.values() if rule.buckets is not None]
    if not rules:
        return None
    _require_all_rules(spec, rules, findings)
    require_two_writers_to_fit(spec, placed, triggers, findings)
    tables = {item.plan.logical: item for item in placed}
    found: dict[str, IntegerExpression] = {}
    counts: dict[str, int] = {}
    for item in placed:
        rule = _rule_of(spec, item, tables)
        if rule is None or rule.buckets is None:
            continue
        made = _bucket_of(spec, item, rule, tables, findings)
        if made is None:
            continue
        found[item.plan.logical], counts[rule.name] = made, made.interval.high + 1
        _check_keys(spec, item, made, findings)
    if len(set(counts.values())) > 1:
        named = ", ".join(f"{name}: {count}" for name, count in counts.items())
        findings.error("SW5023", f"rules have different numbers of buckets: {named}", _span(spec, rules[0]))
    if findings.has_errors or not counts:
        return None
    count = next(iter(counts.values()))
    behind = IntegerLiteral(count)
    return Buckets(count, {name: found.get(name, behind) for name in tables})


def _span(spec: Spec, rule: ShardingRule) -> Span:
    return spec.span_of((*rule.path, "buckets"))


def _require_all_rules(spec: Spec, rules: Sequence[ShardingRule], findings: Findings) -> None:
    for rule in spec.sharding.values():
        if rule.buckets is None:
            message = f"rule '{rule.name}' has no buckets, and rule '{rules[0].name}' has"
            hint = "a bucket moves with the rows of all tables: give each rule the same number"
            findings.error("SW5023", message, spec.span_of(rule.path), hint=hint)


def _rule_of(spec: Spec, item: AssignedTable, tables: Mapping[str, AssignedTable]) -> ShardingRule | None:
    """The rule of the topmost parent; None for a table that is not sharded."""
    while item.plan.placement.parent is not None and item.plan.placement.parent.parent in tables:
        item = tables[item.plan.placement.parent.parent]
    distribution = item.resolved.entry.distribution
    return spec.sharding.get(distribution.rule) if isinstance(distribution, Sharded) else None


def _bucket_of(
    spec: Spec, item: AssignedTable, rule: ShardingRule, tables: Mapping[str, AssignedTable], findings: Findings
) -> IntegerExpression | None:
    where = spec.span_of((*item.resolved.entry.path, "sharding"))
    names = _own_key(item, tables)
    if names is None:
        message = f"rows of '{item.plan.logical}' do not say their bucket: they lack the shard key of their parent"
        findings.error("SW5024", message, where, hint="give the table the parent's shard key, and name it in `via`")
        return None
    columns: dict[str, Column] = {}
    for own, name in zip(rule.shard_key, names, strict=True):
        column = item.resolved.source.column(name)
        if column is None:
            return None
        columns[own] = column
        if not any(one.source == name and one.mapping == "copied" for one in item.plan.columns):
            message = f"shard key column '{name}' of '{item.plan.logical}' is not copied as it is: sides would differ"
            findings.error("SW5024", message, where, notes=(column_note(item.resolved.source, name),))
            return None
    own_findings = Findings()
    made = _parse(spec, rule, columns, own_findings)
    known = {(one.code, one.message, one.span) for one in findings.items}
    findings.items += [one for one in own_findings.items if (one.code, one.message, one.span) not in known]
    return made


def _own_key(item: AssignedTable, tables: Mapping[str, AssignedTable]) -> tuple[str, ...] | None:
    """The table's source columns that have the values of the rule's shard key; None where it lacks one."""
    link = item.plan.placement.parent
    if link is None:
        return item.plan.placement.shard_key
    parent = tables[link.parent]
    above = _own_key(parent, tables)
    if above is None:
        return None
    targets = {column.source: column.target for column in parent.plan.columns if column.mapping == "copied"}
    via = dict(zip(parent.plan.key, link.via, strict=True))
    sources = {column.target: column.source for column in item.plan.columns if column.mapping == "copied"}
    found = [sources.get(via.get(targets.get(name, ""), "")) for name in above]
    return tuple(name for name in found if name) if all(found) else None


def _parse(
    spec: Spec, rule: ShardingRule, columns: Mapping[str, Column], findings: Findings
) -> IntegerExpression | None:
    made: Expression | None = parse_expression(
        SqlSource(_text(rule), _span(spec, rule), "an expression of buckets"), columns=columns, findings=findings
    )
    if made is None:
        return None
    for problem in _problems(made):
        findings.error("SW5022", f"the buckets of rule '{rule.name}': {problem}", _span(spec, rule))
    return made if isinstance(made, IntegerExpression) and not findings.has_errors else None


def _text(rule: ShardingRule) -> str:
    if isinstance(rule.buckets, str):
        return rule.buckets
    names = [quote_name(name) for name in rule.shard_key]
    key = names[0] if len(names) == 1 else f"CONCAT({_BETWEEN.join(names)})"
    return f"CRC32({key}) % {rule.buckets}"


def _problems(made: Expression) -> Iterator[str]:
    if not isinstance(made, IntegerExpression):
        yield "the expression gives no integer"
        return
    if made.nullable:
        yield f"the expression may be NULL (from {', '.join(sorted(made.columns()))}): coalesce(column, 0) says where"
    if made.interval.low != 0 or not 1 <= made.interval.high < MOST:
        yield f"the expression gives {made.interval}: it must count from 0, to at most {MOST - 1}; end it with % 1024"
    try:
        made.mysql()
    except NoMysqlForm as reason:
        yield f"MySQL cannot compute {reason}, and triggers have to"


def _check_keys(spec: Spec, item: AssignedTable, bucket: IntegerExpression, findings: Findings) -> None:
    """A key that is counted has to say its bucket: else each side gives the same number to another row."""
    source, key = item.resolved.source, {column.source for column in item.plan.key_columns}
    if bucket.columns() <= key:
        return
    counted = next((column.name for column in source.columns if column.auto_increment and column.name in key), None)
    if counted is None:
        return  # SW5101 says what two rows with one key mean
    message = f"'{source.name}.{counted}' is AUTO_INCREMENT: both sides would give a number at the same time"
    lacking = ", ".join(sorted(bucket.columns() - key))
    hint = f"let the application make the numbers, or add {lacking} to the primary key"
    where = spec.span_of((*item.resolved.entry.path, "table"))
    findings.error("SW5025", message, where, hint=hint, notes=(column_note(source, counted),))
