"""An invariant's query: what it may hold, which tables and columns it reads, and the columns that it prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, TokenError

from shardwright.compiler.expressions.read_sql import SqlSource
from shardwright.compiler.plan.invariant import ColumnRole, InvariantColumn
from shardwright.compiler.plan.plan import CopiedColumn, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.sql_text import PLACEHOLDER
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.wording import did_you_mean

_NUMBERS: dict[type[exp.Expr], ColumnRole] = {exp.Sum: "sum", exp.Count: "sum", exp.Min: "least", exp.Max: "most"}
_TIMES: dict[type[exp.Expr], ColumnRole] = {exp.Min: "earliest", exp.Max: "latest"}
_TIME_TYPES = frozenset({"date", "datetime", "timestamp"})
_INEXACT = frozenset({"float", "double", "json"})


@dataclass(frozen=True, slots=True)
class OutputColumn:
    """A column of the result: its value over the query's tables."""

    column: InvariantColumn
    value: exp.Expr


def read_columns(query: Query, *, must_be_empty: bool, findings: Findings) -> tuple[OutputColumn, ...] | None:
    """None after an error, which is in `findings`."""
    before = len(findings.items)
    printed = [_read_output(item, query, findings) for item in query.tree.expressions]
    names = [item.column.name.lower() for item in printed if item is not None]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            findings.error("SW3205", f"two columns of the result are called '{name}'", query.source.span)
    found = [item for item in printed if item is not None]
    if not must_be_empty and not findings.has_stop_since(before):
        _check_groups(query, found, findings)
        if all(item.column.role == "group" for item in found):
            findings.error(
                "SW3205",
                "nothing is added up: an invariant under 'sql' has a SUM, COUNT, MIN or MAX",
                query.source.span,
            )
    return None if findings.has_stop_since(before) else tuple(found)


def _read_output(item: exp.Expr, query: Query, findings: Findings) -> OutputColumn | None:
    value = item.unalias()
    name = item.alias_or_name if isinstance(item, (exp.Alias, exp.Column)) else ""
    if not name:
        findings.error("SW3205", f"'{query.source.excerpt(item)}' has no name: write AS", query.source.place_of(item))
        return None
    role = _role(value, query)
    if role == "group" and value.find(*AGGREGATES) is not None:
        message = (
            f"'{query.source.excerpt(value)}' computes with what is added up: give SUM, COUNT, MIN and MAX a "
            "column each"
        )
        findings.error("SW3205", message, query.source.place_of(item))
        return None
    return OutputColumn(InvariantColumn(name, role), value) if _is_exact(value, role, query, findings) else None


def _role(value: exp.Expr, query: Query) -> ColumnRole:
    is_time = isinstance(value.this, exp.Column) and query.column(value.this).type.name in _TIME_TYPES
    roles = _TIMES if is_time and isinstance(value, (exp.Min, exp.Max)) else _NUMBERS
    return next((role for kind, role in roles.items() if isinstance(value, kind)), "group")


def _is_exact(value: exp.Expr, role: ColumnRole, query: Query, findings: Findings) -> bool:
    if isinstance(value, exp.Count):
        return True
    for node in value.find_all(exp.Column):
        if query.column(node).mapping.startswith("masked"):
            message = f"'{node.name}' is masked: its values are in no report. It may be counted"
            findings.error("SW3205", message, query.source.place_of(node))
            return False
        kind = query.column(node).type
        if kind.name in _INEXACT:
            findings.error("SW3206", f"'{node.name}' is {kind.name.upper()}", query.source.place_of(node))
            return False
    if role in ("least", "most"):
        of = query.column(value.this).type if isinstance(value.this, exp.Column) else None
        if of is None or not (of.is_integer or of.name in ("decimal", "year")):
            message = f"{value.key.upper()} is for a column that is a number, a date or a time of day with its date"
            findings.error("SW3206", message, query.source.place_of(value))
            return False
    return True


def _check_groups(query: Query, printed: Sequence[OutputColumn], findings: Findings) -> None:
    """What is printed beside aggregates is exactly what the query groups by."""
    group = query.tree.args.get("group")
    asked: Sequence[exp.Expr] = group.expressions if group is not None else ()
    by_name = {item.column.name: item.value for item in printed}
    wanted = [
        by_name.get(node.name, node) if isinstance(node, exp.Column) and not node.table else node for node in asked
    ]
    shown = [item.value for item in printed if item.column.role == "group"]
    for value in shown:
        if value not in wanted:
            findings.error(
                "SW3205", f"the query does not group by '{query.source.excerpt(value)}'", query.source.place_of(value)
            )
    for value in wanted:
        if value not in shown:
            message = (
                f"'{query.source.excerpt(value)}' is grouped by and not in the result: the answers could not be "
                "added up"
            )
            findings.error("SW3205", message, query.source.place_of(value))


_REFUSED: Mapping[type[exp.Expr], str] = {
    exp.SetOperation: "UNION",
    exp.With: "WITH",
    exp.Window: "a window",
    exp.Distinct: "DISTINCT",
    exp.Order: "ORDER BY",
    exp.Limit: "LIMIT",
    exp.Offset: "OFFSET",
    exp.Having: "HAVING",
    exp.Group: "GROUP BY",
    exp.Lock: "a lock",
    exp.Into: "INTO",
    exp.Star: "*",
    exp.Parameter: "a variable",
    exp.SessionParameter: "a variable",
    exp.Placeholder: "a placeholder",
    exp.Avg: "AVG",
    exp.Rand: "RAND",
    exp.CurrentTimestamp: "the present time",
    exp.CurrentDate: "the present date",
    exp.CurrentTime: "the present time",
    exp.CurrentUser: "the present user",
    exp.Hint: "a hint",
}
AGGREGATES = (exp.Sum, exp.Count, exp.Min, exp.Max)


@dataclass(frozen=True, slots=True)
class Query:
    """`tree`: every table has its alias, by which `tables` know it, and every column names its table's; columns are
    spelt as the plan does."""

    tree: exp.Select
    tables: Mapping[str, TablePlan]
    source: SqlSource

    def column(self, node: exp.Column) -> CopiedColumn:
        return next(column for column in self.tables[node.table].columns if column.target == node.name)


def read_query(
    source: SqlSource, tables: Mapping[str, TablePlan], *, must_be_empty: bool, findings: Findings
) -> Query | None:
    """None after an error, which is in `findings`."""
    tree = _parse(source, findings)
    if tree is None:
        return None
    before = len(findings.items)
    known = _tables(tree, tables, source, findings)
    if findings.has_stop_since(before):
        return None
    query = Query(tree, known, source)
    for node, what in _refusals(tree, must_be_empty=must_be_empty):
        findings.error("SW3204", f"an invariant cannot have {what}", source.place_of(node))
    if not findings.has_stop_since(before):
        for column in tree.find_all(exp.Column):
            _bind(column, query, findings)
    return None if findings.has_stop_since(before) else query


def _parse(source: SqlSource, findings: Findings) -> exp.Select | None:
    if PLACEHOLDER in source.text:
        findings.error("SW3201", f"the query holds '{PLACEHOLDER}'", source.span)
        return None
    try:
        dialect = sqlglot.Dialect.get_or_raise("mysql")
        statements = dialect.parser(error_level=ErrorLevel.RAISE).parse(list(source.tokens()), source.text)
    except (ParseError, TokenError, RecursionError) as error:
        reason = (
            str(error).splitlines()[0].partition(". Line")[0] if isinstance(error, ParseError) else "it is not closed"
        )
        findings.error("SW3201", f"the query cannot be read: {reason}", source.span)
        return None
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        findings.error("SW3201", "an invariant is one SELECT statement", source.span)
        return None
    if not isinstance(statements[0], exp.Select):
        findings.error("SW3204", "an invariant cannot have UNION", source.span)
        return None
    return statements[0]


def _refusals(tree: exp.Select, *, must_be_empty: bool) -> Iterator[tuple[exp.Expr, str]]:
    for node in tree.walk():
        what = next((what for kind, what in _REFUSED.items() if isinstance(node, kind)), None)
        if isinstance(node, exp.Group) and node.parent is tree and not must_be_empty:
            continue
        if isinstance(node, exp.Star) and (isinstance(node.parent, exp.Count) or node.find_ancestor(exp.Exists)):
            continue
        if isinstance(node, AGGREGATES) and (must_be_empty or node.find_ancestor(exp.Select) is not tree):
            what = "an aggregate here"
        if isinstance(node, exp.Join) and (node.side in ("RIGHT", "FULL") or node.method or node.args.get("using")):
            what = "this kind of join: JOIN and LEFT JOIN with ON are possible"
        if isinstance(node, exp.Join) and not isinstance(node.this, exp.Table):
            what = "a query in JOIN"
        if isinstance(node, exp.From) and not isinstance(node.this, exp.Table):
            what = "a query in FROM"
        if isinstance(node, exp.Anonymous):
            what = f"{node.name.upper()}(), which is not known to give the same everywhere"
        if what is not None:
            yield node, what


def _tables(
    tree: exp.Select, tables: Mapping[str, TablePlan], source: SqlSource, findings: Findings
) -> dict[str, TablePlan]:
    """By alias; each table gets one."""
    found: dict[str, TablePlan] = {}
    for node in tree.find_all(exp.Table):
        plan = tables.get(node.name)
        if plan is None or node.db:
            name = f"{node.db}.{node.name}" if node.db else node.name
            hint = did_you_mean(node.name, tables)
            findings.error("SW3202", f"the target has no table '{name}'", source.place_of(node), hint=hint)
            continue
        alias = node.alias or node.name
        if alias in found:
            findings.error(
                "SW3202", f"two tables are called '{alias}': give one another name (AS)", source.place_of(node)
            )
        found[alias] = plan
        node.set("alias", exp.TableAlias(this=sql.identifier(alias).copy()))
    if not found and not findings.has_errors:
        findings.error("SW3202", "the query reads no table", source.span)
    return found


def _bind(node: exp.Column, query: Query, findings: Findings) -> None:
    """Names the column's table, and spells it as the plan does."""
    if node.table and node.table not in query.tables:
        findings.error("SW3203", f"there is no table '{node.table}' here", query.source.place_of(node))
        return
    if isinstance(node.this, exp.Star):
        return
    for aliases in [[node.table]] if node.table else _scopes(node):
        having = [(alias, column) for alias in aliases if (column := _find(query.tables[alias], node.name))]
        if len(having) > 1:
            both = " and ".join(f"'{alias}'" for alias, _ in having)
            findings.error("SW3203", f"{both} both have a column '{node.name}'", query.source.place_of(node))
            return
        if having:
            alias, column = having[0]
            meta = dict(node.this.meta)
            node.set("this", sql.identifier(column.target).copy())
            node.set("table", sql.identifier(alias).copy())
            node.this.meta.update(meta)
            return
    if _names_a_result(node):
        return
    near = [column.target for table in query.tables.values() for column in table.columns]
    message = f"there is no column '{query.source.excerpt(node)}' on the target"
    findings.error("SW3203", message, query.source.place_of(node), hint=did_you_mean(node.name, near))


def _scopes(node: exp.Column) -> Iterator[list[str]]:
    """The aliases of the queries around the column, the nearest first."""
    select = node.find_ancestor(exp.Select)
    while select is not None:
        yield [table.alias for table in select.find_all(exp.Table) if table.find_ancestor(exp.Select) is select]
        select = select.find_ancestor(exp.Select)


def _find(table: TablePlan, name: str) -> CopiedColumn | None:
    return next((column for column in table.columns if column.target.lower() == name.lower()), None)


def _names_a_result(node: exp.Column) -> bool:
    """GROUP BY may name a column of the result."""
    select = node.find_ancestor(exp.Select)
    return isinstance(node.parent, exp.Group) and select is not None and node.name in select.named_selects
