"""Where rows will be, asked of the source: MySQL statements over stretches of its primary key. They decide nothing
about data, so no plan holds them.

Stretches reach from @sw_low_1, ... (exclusive) to @sw_high_1, ... (inclusive); @sw_no_low or @sw_no_high leaves an
end open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan.catalogue import EXPRESSION, UniqueKey
from shardwright.compiler.plan.plan import ORPHANS, TablePlan
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.key_expressions import over_names
from shardwright.compiler.sql.origin import join_origin
from shardwright.compiler.sql.template import fill
from shardwright.compiler.sql.transport import canonical_text
from shardwright.compiler.steps.decode import Place
from shardwright.compiler.steps.keys import bounds, in_order, key_names, key_types, prefix_of
from shardwright.compiler.steps.snapshot import add_row_filter

SKIP = "`${skip}`"
"""Stands for the number of rows to skip: LIMIT takes no variables."""

_RANGE = "(@sw_no_low OR hole_after) AND (@sw_no_high OR hole_up_to)"
_BOUND = "SELECT hole_key FROM hole_table WHERE hole_range ORDER BY hole_order LIMIT 1 OFFSET `${skip}`"
_STRETCH = """
SELECT hole_key, hole_shard AS sw_shard, hole_part AS sw_part, COUNT(*) AS sw_rows, SUM(hole_bytes) AS sw_bytes
FROM hole_table WHERE hole_range GROUP BY hole_groups, sw_shard, sw_part
"""
_STRETCH_OF_A_CHILD = """
SELECT hole_key, COALESCE(p.sw_at_shard, hole_shard) AS sw_shard, COALESCE(p.sw_at_part, hole_part) AS sw_part, COUNT(*) AS sw_rows,
  SUM(hole_bytes) AS sw_bytes
FROM hole_table LEFT JOIN (hole_parents) AS p ON hole_same
WHERE hole_range GROUP BY hole_groups, sw_shard, sw_part
"""  # noqa: E501
_BYTES = "COALESCE(LENGTH(hole_value), 0)"
_BINARY = "CAST(CONVERT(hole_value USING utf8mb4) AS BINARY)"
_SOME = "SELECT hole_values FROM hole_table WHERE hole_which"
_COLLIDING = """
SELECT COUNT(*) AS sw_pairs, COALESCE(SUM(a.sw_shard <=> b.sw_shard AND a.sw_part <=> b.sw_part), 0) AS sw_together, MIN(hole_shown) AS sw_example
FROM (hole_left) AS a JOIN (hole_right) AS b ON hole_same
"""  # noqa: E501


@dataclass(frozen=True, slots=True)
class Parent:
    """The table whose rows place those of a child: `place` is over its source's columns."""

    plan: TablePlan
    source: SourceName
    mapping: RowMapping | None
    place: Place


def bound_sql(table: TablePlan, source: SourceName) -> str:
    """The key of the row so many rows behind @sw_low, as text; `SKIP` is one less than that."""
    names = zip(key_names(table, "source"), key_types(table), strict=True)
    key = [
        fill("CONVERT(hole_value USING utf8mb4)", "mysql", value=canonical_text(sql.column(n), kind))
        for n, kind in names
    ]
    tree = fill(
        _BOUND,
        "mysql",
        key=key,
        table=_source_of(table, source),
        range=_range(table),
        order=in_order(key_names(table, "source")),
    )
    return sql.to_sql(tree, "mysql")


def stretch(
    table: TablePlan,
    source: SourceName,
    mapping: RowMapping | None,
    *,
    keys: Sequence[str],
    place: Place | None,
    parent: Parent | None = None,
) -> str:
    """Rows and bytes of a stretch by the values of the source columns `keys` (their text, as bytes) and by place, which
    is NULL where MySQL cannot compute it."""
    types = {column.name: column.type for column in table.source.columns}
    values = [fill(_BINARY, "mysql", value=canonical_text(sql.column(name), types[name])) for name in keys]
    key = [sql.alias(value, f"sw_key_{number}") for number, value in enumerate(values, start=1)]
    size = sql.sum_of(
        [sql.number(0), *(fill(_BYTES, "mysql", value=sql.column(column.name)) for column in table.source.reads)]
    )
    common: dict[str, exp.Expr | Sequence[exp.Expr]] = {
        "key": key or [sql.alias(exp.Null(), "sw_key_1")],
        "bytes": size,
        "table": _source_of(table, source),
        "range": add_row_filter(mapping, _range(table)),
        "groups": [sql.column(f"sw_key_{number}") for number in range(1, len(keys or "-") + 1)],
    }
    if parent is not None:
        shard, part = (sql.number(number) for number in ORPHANS)
        tree = fill(
            _STRETCH_OF_A_CHILD,
            "mysql",
            shard=shard,
            part=part,
            parents=_parents(parent),
            same=_same(table, parent),
            **common,
        )
    else:
        shard, part = place or (exp.Null(), exp.Null())
        tree = fill(_STRETCH, "mysql", shard=shard, part=part, **common)
    return sql.to_sql(tree, "mysql")


def collision_sql(
    table: TablePlan,
    left: SourceName,
    right: SourceName,
    mapping: RowMapping,
    *,
    key: UniqueKey,
    place: Place | None,
) -> str:
    """Rows of a stretch of `left` whose value of the unique key `right` has too: how many pairs, how many of them in
    one physical table, and the least value."""
    computed = {item.target: item.source for item in table.generated}
    sources = computed | {column.target: column.source for column in table.columns}
    asked = [
        over_names(name, sources)
        if length == EXPRESSION
        else prefix_of(sql.column(computed[name]) if name in computed else mapping.mysql(name), length)
        for name, length in key.parts
    ]
    values = [sql.alias(value, f"sw_key_{number}") for number, value in enumerate(asked, start=1)]
    where = place or (sql.number(0), sql.number(0))
    values += [sql.alias(where[0], "sw_shard"), sql.alias(where[1], "sw_part")]
    which = (add_row_filter(mapping, _range(table)), add_row_filter(mapping, exp.true()))
    sides = [
        fill(_SOME, "mysql", values=values, table=_table(source), which=condition)
        for source, condition in zip((left, right), which, strict=True)
    ]
    same = sql.all_of([sql.same_column(f"sw_key_{number}", "a", "b") for number in range(1, len(key.parts) + 1)])
    shown = fill("CONVERT(hole_value USING utf8mb4)", "mysql", value=sql.column("sw_key_1", "a"))
    tree = fill(_COLLIDING, "mysql", left=sides[0], right=sides[1], same=same, shown=shown)
    return sql.to_sql(tree, "mysql")


def _parents(parent: Parent) -> exp.Expr:
    keys = key_names(parent.plan, "source")
    values = [sql.alias(sql.column(name), f"sw_at_{number}") for number, name in enumerate(keys, start=1)]
    values += [sql.alias(parent.place[0], "sw_at_shard"), sql.alias(parent.place[1], "sw_at_part")]
    return fill(
        _SOME, "mysql", values=values, table=_table(parent.source), which=add_row_filter(parent.mapping, exp.true())
    )


def _same(table: TablePlan, parent: Parent) -> exp.Expr:
    """The child's columns are written without a table's name: what the parent gives has a name that no column
    has."""
    pairs = enumerate(table.via_columns, start=1)
    assert len(table.via_columns) == len(parent.plan.key)
    return sql.all_of([sql.column(column.source).eq(sql.column(f"sw_at_{number}", "p")) for number, column in pairs])


def _range(table: TablePlan) -> exp.Expr:
    low, high = bounds(key_names(table, "source"), key_types(table))
    return fill(_RANGE, "mysql", after=low, up_to=high)


def _source_of(table: TablePlan, source: SourceName) -> exp.Expr:
    return join_origin(_table(source), table.source_lacks, source.database, source.table)


def _table(source: SourceName) -> exp.Expr:
    return sql.table(source.table, database=source.database)
