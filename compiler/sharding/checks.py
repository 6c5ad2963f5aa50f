"""What must hold for an expression to choose a shard."""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd

from shardwright.compiler.expressions.division import Modulo
from shardwright.compiler.expressions.expression import Expression, IntegerExpression
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.span import Span


def check_result(
    value: Expression, count: int, *, what: str, span: Span, findings: Findings
) -> IntegerExpression | None:
    """The expression when it provably gives one of 0..count-1 for every row; `what` is 'database' or 'table'."""
    if not isinstance(value, IntegerExpression):
        hint = "crc32(...) % n makes one"
        findings.error("SW5003", f"the {what} expression gives no integer", span, hint=hint)
        return None
    if value.nullable:
        names = ", ".join(sorted(value.columns()))
        hint = "declare the column NOT NULL, or say where such rows go: coalesce(column, 0)"
        findings.error("SW5001", f"the {what} expression may be NULL (from {names}): no shard is NULL", span, hint=hint)
    wanted = Interval(0, count - 1)
    if not value.interval.within(wanted):
        message = f"the {what} expression gives {value.interval}, but there are {count} {what}s: it must give {wanted}"
        findings.error("SW5002", message, span, hint=_range_hint(value.interval, count))
        return None
    if value.interval != wanted:
        message = f"the {what} expression gives only {value.interval}: of {count} {what}s some stay empty"
        findings.warning("SW5004", message, span)
    return None if value.nullable else value


def _range_hint(interval: Interval, count: int) -> str:
    if interval.low < 0:
        return f"negative keys give negative rests: use 'algorithm: mod', crc32(...) % {count} or ((x % {count}) + {count}) % {count}"
    return f"end it with % {count}"


def check_key_is_used(
    function: ShardFunction, visible: Mapping[str, Column], *, span: Span, findings: Findings
) -> None:
    """Warn about shard key columns that decide nothing: every change of one would still be treated as a move."""
    used = function.columns()
    for name, column in visible.items():
        if column.name not in used:
            hint = "remove it from shard_key, or use it: crc32(concat(a, ':', b))"
            findings.warning("SW5011", f"neither expression uses shard key column '{name}'", span, hint=hint)


def check_independence(function: ShardFunction, *, databases: int, tables: int, span: Span, findings: Findings) -> None:
    """Warn when both are rests of the same value, so that a database uses only some of its tables."""
    database, table = function.database, function.table
    if not (isinstance(database, Modulo) and isinstance(table, Modulo)) or database.dividend != table.dividend:
        return
    common = gcd(database.divisor, table.divisor)
    if common > 1:
        message = f"database and table are rests of the same value: each database uses 1 of {common} of its tables"
        hint = f"divide first: (x div {databases}) % {tables}"
        findings.warning("SW5005", message, span, hint=hint)


def check_mysql_form(function: ShardFunction, algorithm: str, *, span: Span, findings: Findings) -> None:
    """Warn when `verify` will not be able to look for misplaced rows."""
    reason = function.no_mysql()
    if reason is None:
        return
    message = f"algorithm {algorithm}: MySQL cannot compute {reason}; verify will not look for misplaced rows"
    hint = "store the digest in a column of the source and shard by it, or accept that this check is left out"
    findings.warning("SW5021", message, span, hint=hint)
