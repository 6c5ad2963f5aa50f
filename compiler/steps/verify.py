"""Comparing source and shards inside the servers: count and sum of row hashes per key range, the keys of a small range,
and one row for display.

Ranges reach from @sw_low_1, @sw_low_2, ... (exclusive) to @sw_high_1, ... (inclusive); @sw_no_low or @sw_no_high leaves
an end open. The variables hold keys as the statements print them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sqlglot import exp

from shardwright.compiler import sql_text as sql
from shardwright.compiler.catalogue import ColumnType
from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan import Statement, Step, StepName, TablePlan
from shardwright.compiler.printer import shared
from shardwright.compiler.steps.keys import Side, at, bounds, in_order, key_names, key_types
from shardwright.compiler.steps.snapshot import matching
from shardwright.compiler.steps.verify_row import row_hash, shown, values_of
from shardwright.compiler.template import fill
from shardwright.compiler.transport import canonical_text

RANGE_ROWS = 20_000
LIST_ROWS = 500
"""Rows between two boundaries, and rows of a range whose keys are listed. LIMIT takes no variables, so they are fixed."""

_RANGE = "(@sw_no_low OR hole_after) AND (@sw_no_high OR hole_up_to)"
_COUNTED = "SELECT COUNT(*) AS sw_rows, COALESCE(SUM(hole_hash), 0) AS sw_hash, hole_misplaced FROM hole_table WHERE hole_range"
_SUM = "SELECT COUNT(*) AS sw_rows, COALESCE(SUM(hole_hash), 0) AS sw_hash FROM hole_table WHERE hole_range"
_COUNT = "SELECT COUNT(*) AS sw_rows FROM hole_table"
_COUNT_SOME = "SELECT COUNT(*) AS sw_rows FROM hole_table WHERE hole_which"
_SPLIT = "SELECT hole_key FROM hole_table WHERE hole_range ORDER BY hole_order LIMIT 1 OFFSET hole_skip"
_KEYS = "SELECT hole_key, hole_columns FROM hole_table WHERE hole_range ORDER BY hole_order"
_GIVEN = "SELECT hole_key, hole_columns FROM hole_table WHERE hole_given"
_LISTED = "hole_names IN (`${keys}`)"
_ROW = "SELECT hole_columns FROM hole_table WHERE hole_same"
# A row without a place (its expression is NULL) is as misplaced as one in the wrong table.
_ELSEWHERE = "NOT (hole_database <=> @sw_shard AND hole_part <=> @sw_part)"

Place = tuple[exp.Expr, exp.Expr]
"""Database index and table index of a row, as MySQL SQL over the target's columns."""


def verify_source(table: TablePlan, mapping: RowMapping | None = None) -> Step:
    """For `${source_database}`.`${source_table}`: run once for each source table and added up. Its rows are compared as the
    mapping makes them, and only those that the filter lets through."""
    within = matching(mapping, _range(table, "source"))
    row = row_hash(table, values_of("source", mapping))
    counted = fill(_SUM, "mysql", hash=row, table=_SOURCE, range=within)
    return Step(
        table.logical,
        StepName.VERIFY_SOURCE,
        (
            Statement("sum", "Rows of a key range: how many, and the sum of their hashes.", sql.to_sql(counted, "mysql")),
            _count(table, "source", mapping),
            Statement("split", f"Where the next {RANGE_ROWS} rows end.", _split(table, RANGE_ROWS)),
            Statement("split_small", f"Where the next {LIST_ROWS} rows of a range that differs end.", _split(table, LIST_ROWS)),
            Statement("keys", "The rows of a small range by key and hash.", _keys(table, "source", mapping, [_hash_column(row)])),
            Statement("given", "As `keys`, of rows that are asked for.", _given(table, "source", mapping, [_hash_column(row)])),
            Statement("row", "One row for display: key in @sw_key_1, ...", _row(table, "source", mapping)),
        ),
    )  # fmt: skip


def elsewhere_than(place: Place) -> exp.Expr:
    """The row does not belong to table @sw_part of database @sw_shard."""
    return fill(_ELSEWHERE, "mysql", database=place[0], part=place[1])


def verify_target(table: TablePlan, *, misplaced: exp.Expr | None) -> Step:
    """For one physical table. Rows that meet the condition `misplaced` are counted: a row that was moved as it is changes no
    sum. Without it (broadcast, single) no row is misplaced; where MySQL cannot compute the place, the answer is NULL: not
    known."""
    nothing = sql.number(0) if table.no_mysql_place is None else exp.Null()
    elsewhere = nothing if misplaced is None else misplaced
    added = nothing.copy() if misplaced is None else fill("COALESCE(SUM(hole_it), 0)", "mysql", it=elsewhere)
    row = row_hash(table, values_of("target", None))
    counted = fill(
        _COUNTED,
        "mysql",
        hash=row,
        misplaced=sql.named(added, "sw_misplaced"),
        table=_table(table, "target"),
        range=_range(table, "target"),
    )
    comment = "As at the source, and how many rows belong to another table."
    if table.no_mysql_place is not None:
        comment = f"As at the source. Misplaced rows are not looked for: MySQL cannot compute {table.no_mysql_place}."
    told = [_hash_column(row), sql.named(elsewhere, "sw_misplaced")]
    return Step(
        table.logical,
        StepName.VERIFY_TARGET,
        (
            Statement("sum", comment, sql.to_sql(counted, "mysql")),
            _count(table, "target", None),
            Statement("keys", "The rows of a small range by key and hash.", _keys(table, "target", None, told)),
            Statement("given", "As `keys`, of rows that are asked for.", _given(table, "target", None, told)),
            Statement("row", "One row for display: key in @sw_key_1, ...", _row(table, "target", None)),
        ),
    )  # fmt: skip


_SOURCE = sql.table("${source_table}", database="${source_database}")


def _table(table: TablePlan, side: Side) -> exp.Expr:
    return _SOURCE if side == "source" else sql.table(table.logical + "${suffix}")


def _range(table: TablePlan, side: Side) -> exp.Expr:
    return _range_of(key_names(table, side), key_types(table))


@lru_cache(maxsize=1024)
def _range_of(names: tuple[str, ...], kinds: tuple[ColumnType, ...]) -> exp.Expr:
    low, high = bounds(names, kinds)
    return shared(fill(_RANGE, "mysql", after=low, up_to=high))


def _count(table: TablePlan, side: Side, mapping: RowMapping | None) -> Statement:
    tree = fill(_COUNT, "mysql", table=_table(table, side))
    if mapping is not None and mapping.row_filter is not None:
        tree = fill(_COUNT_SOME, "mysql", table=_table(table, side), which=mapping.row_filter.mysql())
    counted = sql.to_sql(tree, "mysql")
    return Statement("count", "All rows: no row may fall between the ranges.", counted)


def _split(table: TablePlan, rows: int) -> str:
    tree = fill(
        _SPLIT,
        "mysql",
        key=_key(table, "source"),
        table=_SOURCE,
        range=_range(table, "source"),
        order=in_order(key_names(table, "source")),
        skip=sql.number(rows - 1),
    )
    return sql.to_sql(tree, "mysql")


def _hash_column(row: exp.Expr) -> exp.Expr:
    return sql.named(row, "sw_hash")


def _keys(table: TablePlan, side: Side, mapping: RowMapping | None, columns: Sequence[exp.Expr]) -> str:
    tree = fill(
        _KEYS,
        "mysql",
        key=_key(table, side),
        columns=columns,
        table=_table(table, side),
        range=matching(mapping, _range(table, side)),
        order=in_order(key_names(table, side)),
    )
    return sql.to_sql(tree, "mysql")


def _given(table: TablePlan, side: Side, mapping: RowMapping | None, columns: Sequence[exp.Expr]) -> str:
    """`${keys}` is a key list, as the stream's look-up has it."""
    names = [sql.column(name) for name in key_names(table, side)]
    listed = fill(_LISTED, "mysql", names=names[0] if len(names) == 1 else exp.Tuple(expressions=names))
    tree = fill(
        _GIVEN,
        "mysql",
        key=_key(table, side),
        columns=columns,
        table=_table(table, side),
        given=matching(mapping, listed),
    )
    return sql.to_sql(tree, "mysql")


def _row(table: TablePlan, side: Side, mapping: RowMapping | None) -> str:
    """Both sides name the columns as the target does, so that values can be laid side by side."""
    values = values_of(side, mapping)
    tree = fill(
        _ROW,
        "mysql",
        columns=[shown(values(column), column) for column in table.columns],
        table=_table(table, side),
        same=matching(mapping, at(table, side, "sw_key")),
    )
    return sql.to_sql(tree, "mysql")


def _key(table: TablePlan, side: Side) -> tuple[exp.Expr, ...]:
    return _key_of(key_names(table, side), key_types(table))


@lru_cache(maxsize=1024)
def _key_of(names: tuple[str, ...], kinds: tuple[ColumnType, ...]) -> tuple[exp.Expr, ...]:
    """Key columns as text, whatever their type: what the variables of a range take."""
    values = [canonical_text(sql.column(name), kind) for name, kind in zip(names, kinds, strict=True)]
    texts = [fill("CONVERT(hole_value USING utf8mb4)", "mysql", value=value) for value in values]
    return tuple(shared(sql.named(text, f"sw_key_{index}")) for index, text in enumerate(texts, start=1))
