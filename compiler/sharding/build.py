"""What the rest of the compiler calls: sharding functions out of a spec, from expressions or by a named algorithm,
checked against the grid of databases and tables.

Tables of one rule whose key columns are alike share one function (`KnownFunctions`), so that what is made of it, its
SQL above all, is made once as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import gcd

from shardwright.compiler.expressions.arithmetic import Modulo
from shardwright.compiler.expressions.expression import Expression, IntegerExpression
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.expressions.leaves import DATES, DateColumn, IntegerLiteral, column_expression
from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.expressions.parse import parse_expression
from shardwright.compiler.expressions.read_sql import SqlSource
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.sharding.algorithms import ALGORITHMS, algorithm_called
from shardwright.compiler.sharding.function import Grid, Request, ShardFunction, SpanOf, route
from shardwright.specs.findings.diagnostics import Diagnostic, Findings, Note, Span
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.model import ShardingRule, Spec


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
        return (
            f"negative keys give negative remainders: use 'algorithm: mod', crc32(...) % {count} or ((x % {count}) "
            f"+ {count}) % {count}"
        )
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
    """Warn when both are remainders of the same value, so that a database uses only some of its tables."""
    database, table = function.database, function.table
    if not (isinstance(database, Modulo) and isinstance(table, Modulo)) or database.dividend != table.dividend:
        return
    common = gcd(database.divisor, table.divisor)
    if common > 1:
        message = f"database and table are remainders of the same value: each database uses 1 of {common} of its tables"
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


@dataclass(frozen=True, slots=True)
class RuleContext:
    """What a rule is built in."""

    grid: Grid
    """The target's databases, and the tables in each."""
    files: Mapping[str, str]
    """The text of each CSV file that rules name."""
    span_of: SpanOf
    """Where a part of the spec is written."""
    findings: Findings
    """Gets what is wrong with the rule."""

    def count(self, what: str) -> int:
        return len(self.grid.databases) if what == "database" else self.grid.tables


__all__ = ["Grid", "RuleContext", "ShardFunction", "database_and_table", "route"]


def database_and_table(
    rule: ShardingRule,
    shard_key: tuple[str, ...],
    *,
    columns: Mapping[str, Column],
    context: RuleContext,
) -> ShardFunction | None:
    """The function of a rule for a table whose shard key columns are `shard_key`; they stand for the rule's own, in
    order. `columns` gives the table's column for each name of the rule's. None after at least one error."""
    span_of, findings = context.span_of, context.findings
    visible = _visible_columns(rule, shard_key, columns=columns, span=span_of(rule.path), findings=findings)
    if visible is None:
        return None
    if rule.algorithm is None:
        return _by_expressions(rule, visible, context)
    place = span_of((*rule.path, "algorithm"))
    keys = _keys(visible, place, findings)
    if keys is None:
        return None
    request = Request(rule, tuple(visible.values()), keys, context.grid, context.files, span_of, findings)
    return _by_algorithm(request, place)


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
            parse_expression(SqlSource(text, span), columns=visible, findings=findings, columns_from=own_columns)


def _own_columns(rule: ShardingRule, span_of: SpanOf) -> Note:
    return Note("a rule reads only its shard key, which is at", span_of((*rule.path, "shard_key")))


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
            f"{len(shard_key)} shard key columns are given for the {len(rule.shard_key)} of rule '{rule.name}' "
            f"({wanted})"
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
            raise ValueError(f"rule {rule.name}: '{own}' replaces '{given}', but its column is '{column.name}'")
        else:
            visible[own] = column
    return visible if len(visible) == len(rule.shard_key) else None


def _by_expressions(rule: ShardingRule, visible: Mapping[str, Column], context: RuleContext) -> ShardFunction | None:
    database = _one_part(rule, "database", rule.database, visible=visible, context=context)
    table = _one_part(rule, "table", rule.table, visible=visible, context=context)
    if database is None or table is None:
        return None
    function, span_of = ShardFunction(database, table), context.span_of
    databases, tables = context.count("database"), context.count("table")
    if databases * tables > 1:
        check_key_is_used(function, visible, span=span_of((*rule.path, "shard_key")), findings=context.findings)
    place = span_of((*rule.path, "table"))
    check_independence(function, databases=databases, tables=tables, span=place, findings=context.findings)
    return function


def _one_part(
    rule: ShardingRule, what: str, text: str | None, *, visible: Mapping[str, Column], context: RuleContext
) -> IntegerExpression | None:
    """`what` is 'database' or 'table'."""
    count, span, findings = context.count(what), context.span_of((*rule.path, what)), context.findings
    if text is None and count == 1:
        return IntegerLiteral(0)
    if text is None:
        findings.error("SW5006", f"there are {count} {what}s, but the rule has no {what} expression", span)
        return None
    own_columns = _own_columns(rule, context.span_of)
    made = parse_expression(SqlSource(text, span), columns=visible, findings=findings, columns_from=own_columns)
    return None if made is None else check_result(made, count, what=what, span=span, findings=findings)


def _by_algorithm(request: Request, span: Span) -> ShardFunction | None:
    name, findings = request.rule.algorithm or "", request.findings
    algorithm = algorithm_called(name)
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


_Asked = tuple[str, tuple[str, ...], tuple[tuple[str, Column], ...]]


@dataclass(frozen=True, slots=True)
class BuildResult:
    """`function` is None when there is an error among `findings`, which name the rule and the columns but no table;
    `no_mysql` says why MySQL cannot compute it."""

    function: ShardFunction | None
    no_mysql: str | None
    findings: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class KnownFunctions:
    """Those of one spec. `files` are the texts of the CSV files that its rules name."""

    spec: Spec
    files: Mapping[str, str]
    _built: dict[_Asked, BuildResult] = field(default_factory=dict)

    def of(self, rule: ShardingRule, shard_key: tuple[str, ...], *, columns: Mapping[str, Column]) -> BuildResult:
        """As `database_and_table`, which says what these are."""
        asked = (rule.name, shard_key, tuple(columns.items()))
        known = self._built.get(asked)
        if known is None:
            known = self._built[asked] = self._build(rule, shard_key, columns)
        return known

    def _build(self, rule: ShardingRule, shard_key: tuple[str, ...], columns: Mapping[str, Column]) -> BuildResult:
        findings = Findings()
        grid = Grid(self.spec.target.databases, self.spec.suffixes_of(rule))
        context = RuleContext(grid, self.files, self.spec.span_of, findings)
        function = database_and_table(rule, shard_key, columns=columns, context=context)
        return BuildResult(function, None if function is None else function.no_mysql(), tuple(findings.items))
