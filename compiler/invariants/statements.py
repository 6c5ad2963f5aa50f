"""The statements of an invariant: as a source is asked, as a physical table is asked, and how the answers are
compared.

Both sides print groups as bytes, so that texts that a collation calls equal are groups of their own: which of several
spellings a server prints of a group would be chance. Sums are printed as text and added up as DECIMAL(38, 10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from sqlglot import exp

from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.invariants.query import OutputColumn, Query
from shardwright.compiler.plan.invariant import Invariant, InvariantColumn
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.origin import SOURCE_TABLE
from shardwright.compiler.sql.template import expand, fill
from shardwright.compiler.steps.verify_statements import values_of

LISTED = 10_000
"""Groups that differ, or rows of a query that should find none, at most."""
ADDED_AS = "DECIMAL(38, 10)"
_GROUP = "CAST(CONVERT(hole_value USING utf8mb4) AS BINARY)"
_BYTES = "CAST(HEX(hole_value) AS BINARY)"
_VALUE = "CAST(hole_value AS CHAR)"
_ADDED: Mapping[str, str] = {
    "sum": f"SUM(CAST(hole_value AS {ADDED_AS}))",
    "least": f"MIN(CAST(hole_value AS {ADDED_AS}))",
    "most": f"MAX(CAST(hole_value AS {ADDED_AS}))",
    "earliest": "MIN(hole_value)",
    "latest": "MAX(hole_value)",
}


def invariant_of(
    name: str, query: Query, printed: Sequence[OutputColumn], mappings: Mapping[str, RowMapping], *, must_be_empty: bool
) -> Invariant:
    """`mappings` by logical name."""
    columns = tuple(item.column for item in printed)
    at_rest = sorted(query.tables.values(), key=lambda table: table.placement.has_copies)
    return Invariant(
        name=name,
        must_be_empty=must_be_empty,
        written=" ".join(query.source.text.split()),
        tables=tuple(dict.fromkeys(table.logical for table in at_rest)),
        columns=columns,
        source=_query_over(query, printed, _sources(query, mappings), must_be_empty=must_be_empty),
        target=_query_over(query, printed, _targets(query), must_be_empty=must_be_empty),
        compare=sql.to_sql(_comparison(columns, must_be_empty=must_be_empty), "spark"),
    )


def _query_over(
    query: Query, printed: Sequence[OutputColumn], tables: Mapping[str, exp.Expr], *, must_be_empty: bool
) -> str:
    """The query over those tables, by alias."""
    tree = query.tree.copy()
    tree.set("expressions", [sql.alias(_output_value(item, query), item.column.name) for item in printed])
    tree.set("group", None)
    if groups := [_output_value(item, query) for item in printed if item.column.role == "group" and not must_be_empty]:
        tree.set("group", exp.Group(expressions=groups))
    if must_be_empty:
        tree.set("limit", exp.Limit(expression=sql.number(LISTED)))
    for node in list(tree.find_all(exp.Table)):
        if node.alias in tables:
            node.replace(expand(tables[node.alias]))
    return sql.to_sql(tree, "mysql")


def _output_value(item: OutputColumn, query: Query) -> exp.Expr:
    value = item.value.copy()
    if item.column.role != "group":
        return expand(fill(_VALUE, "mysql", value=value))
    is_bytes = isinstance(value, exp.Column) and query.column(value).type.is_bytes
    return expand(fill(_BYTES if is_bytes else _GROUP, "mysql", value=value))


def _targets(query: Query) -> Mapping[str, exp.Expr]:
    """Tables that every database has are read whole; the others by the suffix that all have in common."""
    return {
        alias: sql.table(
            table.logical + (table.suffixes[0] if table.placement.has_copies else "${suffix}"),
            alias=alias,
            database="${database}" if table.names_database else None,
        )
        for alias, table in query.tables.items()
    }


def _sources(query: Query, mappings: Mapping[str, RowMapping]) -> Mapping[str, exp.Expr]:
    """One table by itself is asked source table by source table; tables that are joined are put together from
    theirs."""
    alone = len(query.tables) == 1
    found: dict[str, exp.Expr] = {}
    for alias, table in query.tables.items():
        used = {node.name for node in query.tree.find_all(exp.Column) if node.table == alias}
        asked = [None] if alone else table.sources
        parts = [_map_source(table, mappings[table.logical], source, used) for source in asked]
        whole = parts[0]
        for part in parts[1:]:
            whole = exp.Union(this=whole, expression=part, distinct=False)
        found[alias] = exp.Subquery(this=whole, alias=exp.TableAlias(this=sql.identifier(alias)))
    return found


def _map_source(table: TablePlan, mapping: RowMapping, source: SourceName | None, used: set[str]) -> exp.Expr:
    """The rows of a source table (None: of the one that is asked) as they are on the target: those columns, or where
    none is used any one of the key."""
    values = values_of("source", mapping)
    wanted = {column.target: values(column) for column in table.columns if column.target in (used or {table.key[0]})}
    name = SOURCE_TABLE
    if source is not None:
        name = sql.table(source.table, database=source.database)
        if table.identity.origin is not None and table.identity.origin.column in wanted:
            wanted[table.identity.origin.column] = sql.text(table.identity.origin.of(str(source)))
    tree = exp.select(*(sql.alias(value, target) for target, value in wanted.items()), copy=False).from_(name)
    if mapping.row_filter is not None:
        tree = tree.where(mapping.row_filter.mysql())
    return tree


def _comparison(columns: Sequence[InvariantColumn], *, must_be_empty: bool) -> exp.Expr:
    """Each group once: its columns; whether the source has it, and its values; the same of the shards."""
    groups = [column.name for column in columns if column.role == "group"]
    values = [column.name for column in columns if column.role != "group"]
    same = [_same(name, "s", "t") for name in groups] or [exp.true()]
    shown = [
        *(
            sql.alias(exp.func("IF", _there("s"), sql.column(name, "s"), sql.column(name, "t")), name)
            for name in groups
        ),
        *(
            sql.alias(value, f"{prefix}{name}")
            for side, prefix in (("s", "source_"), ("t", "shards_"))
            for name, value in (("there", _there(side)), *((one, _text(sql.column(one, side))) for one in values))
        ),
    ]
    tree = (
        exp.select(*shown)
        .from_(_aggregate("at_source", columns).subquery("s"))
        .join(_aggregate("on_shards", columns).subquery("t"), on=exp.and_(*same), join_type="full outer")
    )
    if not must_be_empty:
        alike = [_there("s"), _there("t"), *(_same(name, "s", "t") for name in values)]
        tree = tree.where(exp.not_(exp.paren(exp.and_(*alike))))
    return tree.order_by(*(sql.column(name) for name in groups)).limit(LISTED) if groups else tree


def _aggregate(view: Literal["at_source", "on_shards"], columns: Sequence[InvariantColumn]) -> exp.Select:
    groups = [sql.column(column.name) for column in columns if column.role == "group"]
    added = [
        sql.alias(fill(_ADDED[column.role], "spark", value=sql.column(column.name)), column.name)
        for column in columns
        if column.role != "group"
    ]
    tree = exp.select(*groups, *added, sql.alias(exp.true(), "there")).from_(sql.table(view))
    return tree.group_by(*groups) if groups else tree


def _there(side: str) -> exp.Expr:
    return exp.func("COALESCE", sql.column("there", side), exp.false())


def _same(name: str, left: str, right: str) -> exp.Expr:
    return exp.NullSafeEQ(this=sql.column(name, left), expression=sql.column(name, right))


def _text(value: exp.Expr) -> exp.Expr:
    return sql.cast(value, "STRING", "spark")
