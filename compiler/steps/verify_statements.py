"""The statements that both sides of a comparison share: how the rows of a key range, or rows by their keys, are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sqlglot import exp

from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import Statement, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.printer import shared
from shardwright.compiler.sql.template import fill
from shardwright.compiler.sql.transport import canonical_text
from shardwright.compiler.steps.keys import Side, at, bounds, in_order, key_names, key_types
from shardwright.compiler.steps.snapshot import matching
from shardwright.compiler.steps.verify_row import shown, values_of

_RANGE = "(@sw_no_low OR hole_after) AND (@sw_no_high OR hole_up_to)"
_COUNT = "SELECT COUNT(*) AS sw_rows FROM hole_table"
_COUNT_SOME = "SELECT COUNT(*) AS sw_rows FROM hole_table WHERE hole_which"
_SPLIT = "SELECT hole_key FROM hole_table WHERE hole_range ORDER BY hole_order LIMIT 1 OFFSET hole_skip"
_KEYS = "SELECT hole_key, hole_columns FROM hole_table WHERE hole_range ORDER BY hole_order"
_BUCKET = "CRC32(CONCAT_WS(',', hole_key)) % hole_buckets"
_STRIDE = "hole_key DIV @sw_stride % hole_buckets"
_BUCKETS = 64
_SOME_BUCKETS = "(hole_range) AND hole_bucket BETWEEN @sw_first_bucket AND @sw_last_bucket"
_GIVEN = "SELECT hole_key, hole_columns FROM hole_table WHERE hole_given"
_LISTED = "hole_names IN (`${keys}`)"
_ROW = "SELECT hole_columns FROM hole_table WHERE hole_same"
_PLACE = "SELECT hole_database AS sw_database, hole_part AS sw_table FROM hole_table WHERE hole_same"

Place = tuple[exp.Expr, exp.Expr]
"""Database index and table index of a row, as MySQL SQL over the columns of one side."""

SOURCE_TABLE = sql.table("${source_table}", database="${source_database}")


def asked_table(table: TablePlan, side: Side) -> exp.Expr:
    return SOURCE_TABLE if side == "source" else sql.table(table.logical + "${suffix}")


def key_range(table: TablePlan, side: Side) -> exp.Expr:
    return _range_of(key_names(table, side), key_types(table))


@lru_cache(maxsize=1024)
def _range_of(names: tuple[str, ...], kinds: tuple[ColumnType, ...]) -> exp.Expr:
    low, high = bounds(names, kinds)
    return shared(fill(_RANGE, "mysql", after=low, up_to=high))


def count(table: TablePlan, side: Side, mapping: RowMapping | None) -> Statement:
    tree = fill(_COUNT, "mysql", table=asked_table(table, side))
    if mapping is not None and mapping.row_filter is not None:
        tree = fill(_COUNT_SOME, "mysql", table=asked_table(table, side), which=mapping.row_filter.mysql())
    counted = sql.to_sql(tree, "mysql")
    return Statement("count", "All rows: no row may fall between the ranges.", counted)


def split(table: TablePlan, rows: int) -> str:
    tree = fill(
        _SPLIT,
        "mysql",
        key=_key(table, "source"),
        table=SOURCE_TABLE,
        range=key_range(table, "source"),
        order=in_order(key_names(table, "source")),
        skip=sql.number(rows - 1),
    )
    return sql.to_sql(tree, "mysql")


def bucket(table: TablePlan, side: Side) -> exp.Expr:
    """Which of `_BUCKETS` parts of any range the row is in: a number that follows from its key alone, on both sides alike. The
    sums of a range are told by it, so that of a range that differs only a small part has to be listed. Of a key that is one whole number
    the parts are stretches, `@sw_stride` keys long, which the server need not search the range for."""
    if strides(table):
        (name,) = key_names(table, side)
        return fill(_STRIDE, "mysql", key=sql.column(name), buckets=sql.number(_BUCKETS))
    texts = [key.this for key in _key(table, side)]
    return fill(_BUCKET, "mysql", key=texts, buckets=sql.number(_BUCKETS))


def strides(table: TablePlan) -> bool:
    """Whether the table's buckets are stretches of its key."""
    kinds = key_types(table)
    return len(kinds) == 1 and kinds[0].is_integer


def hash_column(row: exp.Expr) -> exp.Expr:
    return sql.named(row, "sw_hash")


def keys_of(
    table: TablePlan,
    side: Side,
    mapping: RowMapping | None,
    columns: Sequence[exp.Expr],
    *,
    which: exp.Expr | None = None,
) -> str:
    some = fill(_SOME_BUCKETS, "mysql", range=which or key_range(table, side), bucket=bucket(table, side))
    tree = fill(
        _KEYS,
        "mysql",
        key=_key(table, side),
        columns=columns,
        table=asked_table(table, side),
        range=matching(mapping, some),
        order=in_order(key_names(table, side)),
    )
    return sql.to_sql(tree, "mysql")


def given_rows(table: TablePlan, side: Side, mapping: RowMapping | None, columns: Sequence[exp.Expr]) -> str:
    """`${keys}` is a key list, as the stream's look-up has it."""
    names = [sql.column(name) for name in key_names(table, side)]
    listed = fill(_LISTED, "mysql", names=names[0] if len(names) == 1 else exp.Tuple(expressions=names))
    tree = fill(
        _GIVEN,
        "mysql",
        key=_key(table, side),
        columns=columns,
        table=asked_table(table, side),
        given=matching(mapping, listed),
    )
    return sql.to_sql(tree, "mysql")


def shown_row(table: TablePlan, side: Side, mapping: RowMapping | None) -> str:
    """Both sides name the columns as the target does, so that values can be laid side by side."""
    values = values_of(side, mapping)
    tree = fill(
        _ROW,
        "mysql",
        columns=[shown(values(column), column) for column in table.columns],
        table=asked_table(table, side),
        same=matching(mapping, at(table, side, "sw_key")),
    )
    return sql.to_sql(tree, "mysql")


def placed_row(table: TablePlan, place: Place) -> str:
    """`place` is over the source's columns."""
    same = at(table, "source", "sw_key")
    tree = fill(_PLACE, "mysql", database=place[0], part=place[1], table=SOURCE_TABLE, same=same)
    return sql.to_sql(tree, "mysql")


def _key(table: TablePlan, side: Side) -> tuple[exp.Expr, ...]:
    return _key_of(key_names(table, side), key_types(table))


@lru_cache(maxsize=1024)
def _key_of(names: tuple[str, ...], kinds: tuple[ColumnType, ...]) -> tuple[exp.Expr, ...]:
    """Key columns as text, whatever their type: what the variables of a range take."""
    values = [canonical_text(sql.column(name), kind) for name, kind in zip(names, kinds, strict=True)]
    texts = [fill("CONVERT(hole_value USING utf8mb4)", "mysql", value=value) for value in values]
    return tuple(shared(sql.named(text, f"sw_key_{index}")) for index, text in enumerate(texts, start=1))
