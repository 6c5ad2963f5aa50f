"""Stream: a table's events in the one form that several tables share, for one merge of all of them (29-batch).

Values go by their index in the image, so tables whose keys, shard keys and rules are alike have the same text, whatever
their columns are called: a batch reads all of them by one branch of its query, `${sources}` being the names of their
source tables. Spark then plans as much for a hundred such tables as for one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp

from shardwright.compiler.columns.mapping import convert_from_text
from shardwright.compiler.columns.row_filter import RowFilter
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import Statement, TablePlan
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.sql.transport import key_identity, to_spark_type
from shardwright.compiler.steps.decode import MATCHING, place_struct
from shardwright.compiler.steps.route import EVERY_SHARD

PACKED = "packed"

_IMAGES = """
WITH images AS (
  SELECT
    `table` AS source_table,
    op,
    STRUCT(epoch AS epoch, file AS file, `offset` AS `offset`, `row` AS `row`) AS position,
    committed_at,
    before,
    after
  FROM changes
  WHERE hole_ours
)"""

_PACKED = """
SELECT
  hole_logical AS `table`,
  source_table,
  op,
  IF(before IS NULL, NULL, ARRAY(hole_before_key)) AS before_key,
  IF(after IS NULL, NULL, ARRAY(hole_after_key)) AS after_key,
  position,
  hole_row AS `row`,
  IF(before IS NULL, NULL, hole_before_place) AS before_place,
  IF(after IS NULL, NULL, hole_after_place) AS after_place,
  hole_everywhere AS everywhere
FROM hole_rows
"""
_ROW = "IF(after IS NULL, NULL, ARRAY(hole_values))"
_OF_ONE_DATABASE = "`table` IN (`${sources}`)"
_OF_DATABASES = """
SUBSTRING_INDEX(`table`, '.', 1) IN (hole_databases) AND SUBSTRING_INDEX(`table`, '.', -1) IN (`${source_tables}`)
"""
_SAME_NAME = "SUBSTRING_INDEX(source_table, '.', -1)"
_WITHOUT_SUFFIX = "REGEXP_REPLACE(SUBSTRING_INDEX(source_table, '.', -1), hole_suffix, '')"
_PLAIN_SUFFIX = re.compile("[A-Za-z0-9_]+")


def has_packed_form(table: TablePlan) -> bool:
    """Whether the table's events can have the one form: all that a target's row holds is in the image, as it is."""
    return (
        all(column.mapping == "copied" for column in table.columns)
        and not table.writes.marks_columns
        and table.placement.parent is None
        and not table.identity.counts_rows
        and (table.own is None or table.identity.origin is None)
        and not table.writes.event_groups
    )


def is_routed_packed(table: TablePlan) -> bool:
    """On the way back: whether the merge and the route of the table are the same as other tables', too."""
    return has_packed_form(table) and table.own is not None


def is_merged_packed(table: TablePlan) -> bool:
    """Whether the merge and the filter of the table are the same as other tables', too."""
    return has_packed_form(table) and not table.asks_shards


@dataclass(frozen=True, slots=True)
class _Form:
    """All that the text depends on."""

    function: ShardFunction | None
    """None: all rows are in one place, or everywhere."""
    database: int
    shard_key: tuple[tuple[str, int, ColumnType], ...]
    """What the function reads: name, index in the image and type."""
    key: tuple[tuple[int, ColumnType], ...]
    row: tuple[int, ...] | None
    """The values of the target's columns, by index. None: the image itself."""
    databases: tuple[str, ...]
    """Of several source databases, their names."""
    logical: str | None
    """None: the name of the source table, or what is in front of its suffix."""
    suffixes: tuple[str, ...]
    """With which names of source tables end, behind the name of their table on the way back."""
    shards: int
    """Of a row that is on every shard; else 0."""
    ignores_deletes: bool


def pack_changes(
    table: TablePlan, function: ShardFunction | None, row_filter: RowFilter | None, *, shards: int
) -> list[Statement]:
    """Reads view `changes`, yields the same shape for every table (`has_packed_form`); empty for any other table."""
    if not has_packed_form(table):
        return []
    at = {column.name: column.position for column in table.source.reads}
    used = frozenset[str]() if function is None else function.columns()
    indexes = tuple(at[column.source] for column in table.columns if column.source)
    same_name = table.source.tables == (table.logical,) and "." not in table.logical
    suffixes = _suffixes(table)
    form = _Form(
        function=function,
        database=table.placement.only_database or 0,
        shard_key=tuple(
            (column.name, column.position, column.type) for column in table.source.reads if column.name in used
        ),
        key=tuple((at[column.source], column.type) for column in table.source_key_columns if column.source),
        row=None if indexes == tuple(range(len(table.source.columns))) else indexes,
        databases=table.source.databases if len(table.source.databases) > 1 else (),
        logical=None if same_name or suffixes else table.logical,
        suffixes=suffixes,
        shards=shards if table.placement.has_copies else 0,
        # Deletes of the log only: what a moved row or a changed key leaves behind is deleted further on (C5).
        ignores_deletes=table.deletes.are_ignored,
    )
    text = _text(form) if row_filter is None else _pack_sql(form, row_filter, at)
    return [Statement(PACKED, "Events in one form for all tables, for the merge of several tables together.", text)]


@lru_cache(maxsize=1024)
def _text(form: _Form) -> str:
    return _pack_sql(form, None, {})


def _pack_sql(form: _Form, row_filter: RowFilter | None, at: dict[str, int]) -> str:
    def value(image: str) -> Callable[[str], exp.Expr]:
        return lambda name: _value(image, at[name])

    template, holes = _IMAGES + _PACKED, {}
    if row_filter is not None:
        template = _IMAGES + MATCHING + _PACKED
        holes = {
            f"{image}_matches": row_filter.condition.spark(convert_from_text(value(image), row_filter.types))
            for image in ("before", "after")
        }
    everywhere: exp.Expr = sql.cast(exp.Null(), "ARRAY<STRUCT<shard: INT, part: INT>>")
    if form.shards:
        everywhere = fill(EVERY_SHARD, "spark", last=sql.number(form.shards - 1))
    row: exp.Expr = sql.column("after")
    if form.row is not None:
        row = fill(_ROW, "spark", values=[_value("after", index) for index in form.row])
    tree = fill(
        template,
        "spark",
        **holes,
        ours=_ours(form),
        rows=sql.table("images" if row_filter is None else "matching"),
        row=row,
        before_key=_key(form, "before"),
        after_key=_key(form, "after"),
        before_place=_place(form, "before"),
        after_place=_place(form, "after"),
        logical=_logical(form),
        everywhere=everywhere,
    )
    return sql.to_sql(tree, "spark")


def _suffixes(table: TablePlan) -> tuple[str, ...]:
    """Those of the tables of the shards, where a name has no more than one of them. They are written once for all
    tables, where each table's name would make a text of its own. Empty on the way there."""
    found = tuple(name.removeprefix(table.logical) for name in table.source.tables)
    plain = all(_PLAIN_SUFFIX.fullmatch(suffix) for suffix in found)
    ambiguous = any(one != other and one.endswith(other) for one in found for other in found)
    return found if table.own is not None and plain and not ambiguous else ()


def _logical(form: _Form) -> exp.Expr:
    if form.logical is not None:
        return sql.text(form.logical)
    if form.suffixes:
        return fill(_WITHOUT_SUFFIX, "spark", suffix=sql.text(f"({'|'.join(form.suffixes)})$"))
    return fill(_SAME_NAME, "spark")


def _ours(form: _Form) -> exp.Expr:
    conditions = [fill(_OF_ONE_DATABASE, "spark")]
    if form.databases:
        conditions = [fill(_OF_DATABASES, "spark", databases=[sql.text(name) for name in form.databases])]
    if form.ignores_deletes:
        conditions.append(sql.column("op").neq(sql.text("D")))
    return sql.all_of(conditions)


def _key(form: _Form, image: str) -> list[exp.Expr]:
    return [key_identity(_value(image, index), kind) for index, kind in form.key]


def _place(form: _Form, image: str) -> exp.Expr:
    if form.function is None:
        return place_struct((sql.number(form.database), sql.number(0)))
    known = {name: to_spark_type(_value(image, index), kind) for name, index, kind in form.shard_key}
    numbers = (part.spark(known.__getitem__) for part in (form.function.database, form.function.table))
    shard, part = (exp.cast(number, exp.DType.INT, copy=False) for number in numbers)
    return place_struct((shard, part))


def _value(image: str, index: int) -> exp.Expr:
    return exp.Bracket(this=sql.column(image), expressions=[sql.number(index)])
