"""The statements that both sides of a comparison share: how the rows of a key range, or rows by their keys, are asked
for; and a row as one number, for comparing tables without moving them, and as text, for people.

The hash is the first 64 bits of a SHA-256 over all copied columns. It is not linear, so equal changes to several rows
do not cancel (hazard H2), and the text under it is unambiguous (H5): a value is either a number or a date, which hold
no comma, or hexadecimal; NULL is `N`, which is neither. Source and target give the same text for equal values whatever
the character sets of the two columns, and every byte of a value counts.

SHA-256, because MySQL 9 has dropped SHA1() and MD5(); `tests/bench/verify/row_hash.py` compares the forms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

from sqlglot import exp

from shardwright.compiler.columns.mapping import FromColumn
from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan.catalogue import SPATIALS, ColumnType, is_one_integer
from shardwright.compiler.plan.plan import CopiedColumn, Statement, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.origin import source_table
from shardwright.compiler.sql.printer import share
from shardwright.compiler.sql.template import fill, outermost
from shardwright.compiler.sql.transport import canonical_text
from shardwright.compiler.steps.keys import Side, as_one, at, bounds, in_order, key_names, key_types, target_with_origin
from shardwright.compiler.steps.snapshot import add_row_filter

_HASH = "CAST(CONV(LEFT(SHA2(CONCAT_WS(',', hole_values), 256), 16), 16, 10) AS UNSIGNED)"
_IN_FULL = 200
"""A longer text or byte value is shown by its length and hash."""

# Types whose values may be as long as max_allowed_packet. Their own hash stands for them: doubled by HEX they could
# make
# CONCAT_WS give up and return NULL, and rows that hash to NULL all look equal.
_LONG = SPATIALS | {"text", "mediumtext", "longtext", "json", "blob", "mediumblob", "longblob"}
_PLAIN = frozenset({"decimal", "float", "double", "date", "datetime", "timestamp", "time", "year"})


Values = Callable[[CopiedColumn], exp.Expr]
"""The value of a target column, as MySQL SQL: its own on the shards, what it should be at the source."""


def row_hash(table: TablePlan, values: Values) -> exp.Expr:
    """The row as a BIGINT UNSIGNED, never NULL. Add it up as it stands: the sum is exact."""
    return fill(_HASH, "mysql", values=[_hash_input(values(column), column) for column in table.columns])


_DOCUMENT = """
IF(
  CAST(hole_text AS JSON) = hole_value OR NOT REGEXP_LIKE(hole_text, hole_long),
  CAST(hole_text AS JSON),
  hole_value
)
"""
_LONG_NUMBER = "(?=[0-9.]{17})[0-9]{0,16}[.]|[0-9]{20}"
"""Digits that a DOUBLE may not hold. Bounded: a server gives up a search that goes back too often."""


def display_value(value: exp.Expr, column: CopiedColumn) -> exp.Expr:
    """The value as text for people, named as the target's column; equal for equal values only."""
    if isinstance(value, exp.Column):
        return _display_column(value.name, column.type, column.target)
    return sql.alias(_display_expression(value, column.type), column.target)


@lru_cache(maxsize=4096)
def _display_column(name: str, kind: ColumnType, target: str) -> exp.Expr:
    return share(sql.alias(_display_expression(sql.column(name), kind), target))


def _document(value: exp.Expr) -> exp.Expr:
    """MySQL's JSON as both sides print it. The target's documents were made of texts, where a DECIMAL becomes a DOUBLE:
    1.10 prints as 1.1 then. So a document counts as what its text makes of it. One that holds a number of more digits
    counts as it is, so that the number that was rounded is seen as a difference. Of documents with dates or bytes among
    their values the server says that they differ from their text; there only the length of numbers decides."""
    if not isinstance(value, exp.Column):
        return fill("CAST(hole_text AS JSON)", "mysql", text=_utf8(value))
    return fill(_DOCUMENT, "mysql", text=_utf8(value), value=value, long=sql.text(_LONG_NUMBER))


def _display_expression(value: exp.Expr, kind: ColumnType) -> exp.Expr:
    if kind.name == "json":
        value = _document(value)
    if not (_is_text(kind) or kind.is_bytes):
        return _utf8(_exact(value, kind))
    text = fill("HEX(hole_value)", "mysql", value=value) if kind.is_bytes else _utf8(value)
    return fill(
        "IF(LENGTH(hole_value) <= hole_limit, hole_text, CONCAT(LENGTH(hole_value), ' bytes, SHA-256 ', "
        "SHA2(hole_bytes, 256)))",
        "mysql",
        value=value,
        limit=sql.number(_IN_FULL),
        text=text,
        bytes=value if kind.is_bytes else _utf8(value),
    )


def column_on_side(column: CopiedColumn, side: Side) -> exp.Column:
    return sql.column(column.source if side == "source" else column.target)


def values_of(side: Side, mapping: RowMapping | None) -> Values:
    """Without a mapping every column is taken as it is. A bare column has the target's type; one whose type is only as
    good as the
    target's stands in parentheses."""
    if side == "target" or mapping is None:
        return lambda column: column_on_side(column, side)
    mapped = {item.column.target: item.mapping for item in mapping.columns}

    def value(column: CopiedColumn) -> exp.Expr:
        it = mapped[column.target]
        as_it_is = isinstance(it, FromColumn) and not it.steps
        made = it.mysql()
        return made if as_it_is or not isinstance(made, exp.Column) else exp.paren(made, copy=False)

    return value


def _hash_input(value: exp.Expr, column: CopiedColumn) -> exp.Expr:
    if isinstance(value, exp.Column):
        return _hash_input_of_column(value.name, column.type, column.nullable)
    return _hash_input_of_value(value, column.type, column.nullable)


@lru_cache(maxsize=4096)  # asked for four times a table, and columns of different tables are alike
def _hash_input_of_column(name: str, kind: ColumnType, nullable: bool) -> exp.Expr:
    return share(_hash_input_of_value(sql.column(name), kind, nullable))


def _hash_input_of_value(value: exp.Expr, kind: ColumnType, nullable: bool) -> exp.Expr:
    if kind.name == "json":
        value = _document(value)
    if kind.is_integer or kind.name in _PLAIN:
        text = _exact(value, kind)
    else:
        form = "SHA2(hole_bytes, 256)" if kind.name in _LONG else "HEX(hole_bytes)"
        # Converting what is utf8mb4 already costs as much as the hash does.
        as_it_is = kind.is_bytes or (kind.charset == "utf8mb4" and isinstance(value, exp.Column))
        text = fill(form, "mysql", bytes=value if as_it_is else _utf8(value))
    return fill("COALESCE(hole_text, 'N')", "mysql", text=text) if nullable else text


def _exact(value: exp.Expr, kind: ColumnType) -> exp.Expr:
    """FLOAT prints six digits unless it is widened (hazard C5)."""
    return sql.cast(value, "DOUBLE") if kind.name == "float" else value


def _utf8(value: exp.Expr) -> exp.Expr:
    node = outermost(value)
    if (
        isinstance(node, exp.Cast)
        and node.to.this is exp.DType.CHARACTER_SET
        and node.to.args["kind"].name == "utf8mb4"
    ):
        return value
    return fill("CONVERT(hole_value USING utf8mb4)", "mysql", value=value)


def _is_text(kind: ColumnType) -> bool:
    return not (kind.is_integer or kind.name in _PLAIN or kind.is_bytes)


Part = Literal["hash", "range", "bucket", "shard", "misplaced"]
"""What several statements of a step share (`Step.parts`)."""


def name_part(name: Part) -> exp.Column:
    return sql.column(f"${{{name}}}")


def write_part(name: Part, comment: str, value: exp.Expr) -> Statement:
    """Parentheses keep it one value wherever it stands."""
    return Statement(name, comment, sql.to_sql(sql.paren(value), "mysql"))


_RANGE = "(@sw_no_low OR hole_after) AND (@sw_no_high OR hole_up_to)"
_COUNT = "SELECT COUNT(*) AS sw_rows FROM hole_table"
_COUNT_SOME = "SELECT COUNT(*) AS sw_rows FROM hole_table WHERE hole_which"
_SPLIT = "SELECT hole_key FROM hole_table WHERE hole_range ORDER BY hole_order LIMIT 1 OFFSET hole_skip"
_KEYS = "SELECT hole_key, hole_columns FROM hole_table WHERE hole_range ORDER BY hole_order"
_BUCKET = "CRC32(CONCAT_WS(',', hole_key)) % hole_buckets"
_STRIDE = "hole_key DIV @sw_stride % hole_buckets"
_BUCKETS = 64
_SOME_BUCKETS = "hole_range AND hole_bucket BETWEEN @sw_first_bucket AND @sw_last_bucket"
_GIVEN = "SELECT hole_key, hole_columns FROM hole_table WHERE hole_given"
_LISTED = "hole_names IN (`${keys}`)"
_ROW = "SELECT hole_columns FROM hole_table WHERE hole_same"
_PLACE = "SELECT hole_database AS sw_database, hole_part AS sw_table FROM hole_table WHERE hole_same"

Place = tuple[exp.Expr, exp.Expr]
"""Database index and table index of a row, as MySQL SQL over the columns of one side."""


def table_to_read(table: TablePlan, side: Side) -> exp.Expr:
    return source_table(table) if side == "source" else target_with_origin(table)


def key_range(table: TablePlan, side: Side) -> exp.Expr:
    return _range_of(key_names(table, side), key_types(table))


@lru_cache(maxsize=1024)
def _range_of(names: tuple[str, ...], kinds: tuple[ColumnType, ...]) -> exp.Expr:
    low, high = bounds(names, kinds)
    return share(fill(_RANGE, "mysql", after=low, up_to=high))


def count(table: TablePlan, side: Side, mapping: RowMapping | None) -> Statement:
    tree = fill(_COUNT, "mysql", table=table_to_read(table, side))
    if mapping is not None and mapping.row_filter is not None:
        tree = fill(_COUNT_SOME, "mysql", table=table_to_read(table, side), which=mapping.row_filter.mysql())
    counted = sql.to_sql(tree, "mysql")
    return Statement("count", "All rows: no row may fall between the ranges.", counted)


def split(table: TablePlan, rows: int) -> str:
    tree = fill(
        _SPLIT,
        "mysql",
        key=_key(table, "source"),
        table=source_table(table),
        range=name_part("range"),
        order=in_order(key_names(table, "source")),
        skip=sql.number(rows - 1),
    )
    return sql.to_sql(tree, "mysql")


def bucket(table: TablePlan, side: Side) -> exp.Expr:
    """Which of `_BUCKETS` parts of any range the row is in: a number that follows from its key alone, on both sides
    alike. The sums of a range are grouped by it, so that of a range that differs only a small part has to be listed. Of
    a key that is one whole number the parts are stretches, `@sw_stride` keys long, which the server need not search the
    range for."""
    return _bucket_of(key_names(table, side), key_types(table))


@lru_cache(maxsize=1024)
def _bucket_of(names: tuple[str, ...], kinds: tuple[ColumnType, ...]) -> exp.Expr:
    if is_one_integer(kinds):
        return share(fill(_STRIDE, "mysql", key=sql.column(names[0]), buckets=sql.number(_BUCKETS)))
    texts = [key.this for key in _key_of(names, kinds)]
    return share(fill(_BUCKET, "mysql", key=texts, buckets=sql.number(_BUCKETS)))


@lru_cache(maxsize=1024)
def _key_in_list(names: tuple[str, ...]) -> exp.Expr:
    return share(fill(_LISTED, "mysql", names=as_one([sql.column(name) for name in names])))


def hash_column() -> exp.Expr:
    return sql.alias(name_part("hash"), "sw_hash")


def keys_of(
    table: TablePlan, side: Side, mapping: RowMapping | None, columns: Sequence[exp.Expr], *, which: exp.Expr
) -> str:
    """Of the rows for which `which` holds."""
    some = fill(_SOME_BUCKETS, "mysql", range=which, bucket=name_part("bucket"))
    tree = fill(
        _KEYS,
        "mysql",
        key=_key(table, side),
        columns=columns,
        table=table_to_read(table, side),
        range=add_row_filter(mapping, some),
        order=in_order(key_names(table, side)),
    )
    return sql.to_sql(tree, "mysql")


def rows_in_list(table: TablePlan, side: Side, mapping: RowMapping | None, columns: Sequence[exp.Expr]) -> str:
    """`${keys}` is a key list, as the stream's look-up has it."""
    listed = _key_in_list(key_names(table, side))
    tree = fill(
        _GIVEN,
        "mysql",
        key=_key(table, side),
        columns=columns,
        table=table_to_read(table, side),
        given=add_row_filter(mapping, listed),
    )
    return sql.to_sql(tree, "mysql")


def display_row(table: TablePlan, side: Side, mapping: RowMapping | None) -> str:
    """Both sides name the columns as the target does, so that values can be laid side by side."""
    values = values_of(side, mapping)
    tree = fill(
        _ROW,
        "mysql",
        columns=[display_value(values(column), column) for column in table.columns],
        table=table_to_read(table, side),
        same=add_row_filter(mapping, at(table, side, "sw_key")),
    )
    return sql.to_sql(tree, "mysql")


def locate_row(table: TablePlan, place: Place) -> str:
    """`place` is over the source's columns."""
    same = at(table, "source", "sw_key")
    tree = fill(_PLACE, "mysql", database=name_part("shard"), part=place[1], table=source_table(table), same=same)
    return sql.to_sql(tree, "mysql")


def _key(table: TablePlan, side: Side) -> tuple[exp.Expr, ...]:
    return _key_of(key_names(table, side), key_types(table))


@lru_cache(maxsize=1024)
def _key_of(names: tuple[str, ...], kinds: tuple[ColumnType, ...]) -> tuple[exp.Expr, ...]:
    """Key columns as text, whatever their type: what the variables of a range take."""
    values = [canonical_text(sql.column(name), kind) for name, kind in zip(names, kinds, strict=True)]
    texts = [fill("CONVERT(hole_value USING utf8mb4)", "mysql", value=value) for value in values]
    return tuple(share(sql.alias(text, f"sw_key_{index}")) for index, text in enumerate(texts, start=1))
