"""What the rest of the compiler calls: sharding functions out of a spec."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shardwright.compiler.catalogue import Column
from shardwright.compiler.expressions.expression import IntegerExpression
from shardwright.compiler.expressions.leaves import IntegerLiteral, column_expression
from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.expressions.parse import parse_expression
from shardwright.compiler.sharding.algorithms import ALGORITHMS
from shardwright.compiler.sharding.checks import check_independence, check_key_is_used, check_result
from shardwright.compiler.sharding.function import ShardFunction, route
from shardwright.specs.diagnostics import Findings
from shardwright.specs.model import ShardingRule
from shardwright.specs.span import Path, Span
from shardwright.specs.wording import did_you_mean

__all__ = ["ShardFunction", "database_and_table", "route"]

SpanOf = Callable[[Path], Span]


def database_and_table(
    rule: ShardingRule,
    shard_key: tuple[str, ...],
    *,
    columns: Mapping[str, Column],
    databases: int,
    tables: int,
    span_of: SpanOf,
    findings: Findings,
) -> ShardFunction | None:
    """The function of a rule for a table whose shard key columns are `shard_key`; they stand for the rule's own, in
    order. `columns` gives the table's column for each name of the rule's. None after at least one error."""
    visible = _visible_columns(rule, shard_key, columns=columns, span=span_of(rule.path), findings=findings)
    if visible is None:
        return None
    if rule.algorithm is not None:
        place = span_of((*rule.path, "algorithm"))
        return _by_algorithm(rule, visible, databases=databases, tables=tables, span=place, findings=findings)
    return _by_expressions(rule, visible, databases=databases, tables=tables, span_of=span_of, findings=findings)


def _visible_columns(
    rule: ShardingRule,
    shard_key: tuple[str, ...],
    *,
    columns: Mapping[str, Column],
    span: Span,
    findings: Findings,
) -> dict[str, Column] | None:
    if len(shard_key) != len(rule.shard_key):
        wanted = ", ".join(rule.shard_key)
        message = (
            f"{len(shard_key)} shard key columns stand for the {len(rule.shard_key)} of rule '{rule.name}' ({wanted})"
        )
        findings.error("SW5009", message, span)
        return None
    by_name = {name.lower(): column for name, column in columns.items()}
    visible = {}
    for own, given in zip(rule.shard_key, shard_key, strict=True):
        column = by_name.get(own.lower())
        if column is None:
            findings.error("SW3004", f"unknown shard key column '{given}'", span, hint=did_you_mean(given, columns))
        elif column.name.lower() != given.lower():
            raise ValueError(f"rule {rule.name}: '{own}' stands for '{given}', but its column is '{column.name}'")
        else:
            visible[own] = column
    return visible if len(visible) == len(rule.shard_key) else None


def _by_expressions(
    rule: ShardingRule,
    visible: Mapping[str, Column],
    *,
    databases: int,
    tables: int,
    span_of: SpanOf,
    findings: Findings,
) -> ShardFunction | None:
    parts = []
    for what, text, count in (("database", rule.database, databases), ("table", rule.table, tables)):
        span = span_of((*rule.path, what))
        parts.append(_one_part(text, count, what=what, visible=visible, span=span, findings=findings))
    database, table = parts
    if database is None or table is None:
        return None
    function = ShardFunction(database, table)
    place = span_of((*rule.path, "table"))
    if databases * tables > 1:
        check_key_is_used(function, visible, span=span_of((*rule.path, "shard_key")), findings=findings)
    check_independence(function, databases=databases, tables=tables, span=place, findings=findings)
    return function


def _one_part(
    text: str | None, count: int, *, what: str, visible: Mapping[str, Column], span: Span, findings: Findings
) -> IntegerExpression | None:
    if text is None and count == 1:
        return IntegerLiteral(0)
    if text is None:
        findings.error("SW5006", f"there are {count} {what}s, but the rule has no {what} expression", span)
        return None
    made = parse_expression(text, columns=visible, span=span, findings=findings)
    return None if made is None else check_result(made, count, what=what, span=span, findings=findings)


def _by_algorithm(
    rule: ShardingRule,
    visible: Mapping[str, Column],
    *,
    databases: int,
    tables: int,
    span: Span,
    findings: Findings,
) -> ShardFunction | None:
    name = rule.algorithm or ""
    algorithm = ALGORITHMS.get(name)
    if algorithm is None:
        hint = did_you_mean(name, ALGORITHMS) or f"known: {', '.join(ALGORITHMS)}"
        findings.error("SW5007", f"unknown sharding algorithm '{name}'", span, hint=hint)
        return None
    if len(visible) != 1:
        hint = "write the expressions instead: crc32(concat(a, ':', b)) % n"
        findings.error("SW5008", f"algorithm {name} takes one shard key column, not {len(visible)}", span, hint=hint)
        return None
    column = next(iter(visible.values()))
    key = column_expression(column)
    if key is None:
        findings.error("SW3005", f"column '{column.name}' is {column.type.name}: no type to shard by", span)
        return None
    try:
        function = algorithm(key, databases, tables)
    except Refusal as refusal:
        findings.error(refusal.code, refusal.message, span, hint=refusal.hint)
        return None
    database = check_result(function.database, databases, what="database", span=span, findings=findings)
    table = check_result(function.table, tables, what="table", span=span, findings=findings)
    return None if database is None or table is None else function
