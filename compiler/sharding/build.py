"""What the rest of the compiler calls: sharding functions out of a spec."""

from __future__ import annotations

from collections.abc import Mapping

from shardwright.compiler.expressions.dates import DATES, DateColumn
from shardwright.compiler.expressions.expression import Expression, IntegerExpression
from shardwright.compiler.expressions.leaves import IntegerLiteral, column_expression
from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.expressions.parse import parse_expression
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.sharding.algorithms import ALGORITHMS
from shardwright.compiler.sharding.checks import (
    check_independence,
    check_key_is_used,
    check_mysql_form,
    check_result,
)
from shardwright.compiler.sharding.function import ShardFunction, route
from shardwright.compiler.sharding.request import Grid, Request, SpanOf
from shardwright.specs.findings.diagnostics import Findings, Note
from shardwright.specs.findings.span import Span
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.model import ShardingRule

__all__ = ["Grid", "ShardFunction", "database_and_table", "route"]


def database_and_table(
    rule: ShardingRule,
    shard_key: tuple[str, ...],
    *,
    columns: Mapping[str, Column],
    grid: Grid,
    files: Mapping[str, str],
    span_of: SpanOf,
    findings: Findings,
) -> ShardFunction | None:
    """The function of a rule for a table whose shard key columns are `shard_key`; they stand for the rule's own, in
    order. `columns` gives the table's column for each name of the rule's, `files` the text of each CSV file that rules
    name. None after at least one error."""
    visible = _visible_columns(rule, shard_key, columns=columns, span=span_of(rule.path), findings=findings)
    if visible is None:
        return None
    if rule.algorithm is not None:
        place = span_of((*rule.path, "algorithm"))
        keys = _keys(visible, place, findings)
        if keys is None:
            return None
        return _by_algorithm(Request(rule, tuple(visible.values()), keys, grid, files, span_of, findings), place)
    databases, tables = len(grid.databases), grid.tables
    return _by_expressions(rule, visible, databases=databases, tables=tables, span_of=span_of, findings=findings)


def check_expressions(
    rule: ShardingRule,
    shard_key: tuple[str, ...],
    *,
    columns: Mapping[str, Column],
    span_of: SpanOf,
    findings: Findings,
) -> None:
    """Report what is wrong with a rule's expressions, be it on any grid; the rest as in `database_and_table`."""
    visible = _visible_columns(rule, shard_key, columns=columns, span=span_of(rule.path), findings=findings)
    if visible is None:
        return
    own_columns = _own_columns(rule, span_of)
    for what, text in (("database", rule.database), ("table", rule.table)):
        if text is not None:
            span = span_of((*rule.path, what))
            parse_expression(text, columns=visible, span=span, findings=findings, columns_from=own_columns)


def _own_columns(rule: ShardingRule, span_of: SpanOf) -> Note:
    return Note("a rule reads only its shard key, which stands at", span_of((*rule.path, "shard_key")))


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
    own_columns = _own_columns(rule, span_of)
    for what, text, count in (("database", rule.database, databases), ("table", rule.table, tables)):
        span = span_of((*rule.path, what))
        parts.append(
            _one_part(text, count, what=what, visible=visible, own_columns=own_columns, span=span, findings=findings)
        )
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
    text: str | None,
    count: int,
    *,
    what: str,
    visible: Mapping[str, Column],
    own_columns: Note,
    span: Span,
    findings: Findings,
) -> IntegerExpression | None:
    if text is None and count == 1:
        return IntegerLiteral(0)
    if text is None:
        findings.error("SW5006", f"there are {count} {what}s, but the rule has no {what} expression", span)
        return None
    made = parse_expression(text, columns=visible, span=span, findings=findings, columns_from=own_columns)
    return None if made is None else check_result(made, count, what=what, span=span, findings=findings)


def _by_algorithm(request: Request, span: Span) -> ShardFunction | None:
    name, findings = request.rule.algorithm or "", request.findings
    algorithm = ALGORITHMS.get(name)
    if algorithm is None:
        hint = did_you_mean(name, ALGORITHMS) or f"known: {', '.join(ALGORITHMS)}"
        findings.error("SW5007", f"unknown sharding algorithm '{name}'", span, hint=hint)
        return None
    try:
        function = algorithm(request)
    except Refusal as refusal:
        findings.error(refusal.code, refusal.message, span, hint=refusal.hint)
        return None
    if function is None:
        return None
    databases, tables = len(request.grid.databases), request.grid.tables
    database = check_result(function.database, databases, what="database", span=span, findings=findings)
    table = check_result(function.table, tables, what="table", span=span, findings=findings)
    if database is None or table is None:
        return None
    check_independence(function, databases=databases, tables=tables, span=span, findings=findings)
    check_mysql_form(function, name, span=span, findings=findings)
    return function


def _keys(columns: Mapping[str, Column], span: Span, findings: Findings) -> tuple[Expression, ...] | None:
    """The leaves of an algorithm's columns, which may be dates as well; None after a finding."""
    keys: list[Expression] = []
    for column in columns.values():
        if column.type.name in DATES:
            keys.append(DateColumn(column.name, column.type, column.nullable))
        elif (leaf := column_expression(column)) is not None:
            keys.append(leaf)
        else:
            findings.error("SW3005", f"column '{column.name}' is {column.type.name}: no type to shard by", span)
    return tuple(keys) if len(keys) == len(columns) else None
