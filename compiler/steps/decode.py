"""Stream, first step: change events of one logical table, named columns, key and place of both images.

An update that changes the key becomes delete(old) and insert(new) here, so that every later step sees one identity per
event (contract C5, hazard D9).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from shardwright.compiler.plan.plan import Statement, Step, StepName, TablePlan
from shardwright.compiler.plan.table_parts import ReadColumn
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.origin import origin_in_spark
from shardwright.compiler.sql.template import fill
from shardwright.compiler.sql.transport import key_identity

if TYPE_CHECKING:
    from shardwright.compiler.columns.row_filter import RowFilter
    from shardwright.compiler.columns.row_mapping import RowMapping

Place = tuple[exp.Expr, exp.Expr]
"""The shard (database index) and part (physical table index) of a row, as Spark SQL."""

_PLACE = "STRUCT(hole_shard AS shard, hole_part AS part)"

_IMAGES = """
WITH images AS (
  SELECT
    `table` AS source_table,
    op,
    STRUCT(epoch AS epoch, file AS file, `offset` AS `offset`, `row` AS `row`) AS position,
    committed_at,
    IF(before IS NULL, NULL, STRUCT(hole_before)) AS before,
    IF(after IS NULL, NULL, STRUCT(hole_after)) AS after
  FROM changes
  WHERE hole_ours
)"""

MATCHING = """, matched AS (
  SELECT
    source_table,
    op,
    position,
    committed_at,
    IF(hole_before_matches, before, NULL) AS before,
    IF(hole_after_matches, after, NULL) AS after
  FROM images
), matching AS (
  SELECT
    source_table,
    CASE WHEN before IS NULL THEN 'I' WHEN after IS NULL THEN 'D' ELSE op END AS op,
    position,
    committed_at,
    before,
    after
  FROM matched
  WHERE NOT (before IS NULL AND after IS NULL)
)"""
"""A row that stops matching the filter is a delete, one that starts is an insert (contract C5). NULL is no match."""

_PLACED = """, placed AS (
  SELECT
    source_table,
    op,
    position,
    committed_at,
    before,
    after,
    IF(before IS NULL, NULL, ARRAY(hole_before_key)) AS before_key,
    IF(after IS NULL, NULL, ARRAY(hole_after_key)) AS after_key,
    IF(before IS NULL, NULL, hole_before_place) AS before_place,
    IF(after IS NULL, NULL, hole_after_place) AS after_place
  FROM hole_rows
)
SELECT
  source_table,
  change.op AS op,
  change.key AS key,
  position,
  committed_at,
  change.before AS before,
  change.after AS after,
  change.before_place AS before_place,
  change.after_place AS after_place
FROM placed
LATERAL VIEW EXPLODE(
  IF(
    op = 'U' AND before_key <> after_key,
    ARRAY(
      STRUCT('D' AS op, before_key AS key, before AS before, IF(FALSE, after, NULL) AS after,
             before_place AS before_place, IF(FALSE, after_place, NULL) AS after_place),
      STRUCT('I' AS op, after_key AS key, IF(FALSE, before, NULL) AS before, after AS after,
             IF(FALSE, before_place, NULL) AS before_place, after_place AS after_place)
    ),
    ARRAY(
      STRUCT(op AS op, COALESCE(after_key, before_key) AS key, before AS before, after AS after,
             before_place AS before_place, after_place AS after_place)
    )
  )
) changes AS change
"""


def place_struct(place: Place) -> exp.Expr:
    return fill(_PLACE, "spark", shard=place[0], part=place[1])


def decode(
    table: TablePlan,
    row_filter: RowFilter | None = None,
    *,
    before_place: exp.Expr,
    after_place: exp.Expr,
    identity: RowMapping | None = None,
) -> Step:
    """Reads view `changes` (the one event shape), yields `decoded`. The places are over `before.x` and `after.x`: a
    struct of shard and part, or the parent's key for a table that is placed through its parent. Images stay as the
    source has them; an image that the filter does not let through is as if it were absent. `identity`: the key is the
    whole row of the target (`TablePlan.counted`)."""
    template, holes = _IMAGES + _PLACED, {}
    if row_filter is not None:
        template = _IMAGES + MATCHING + _PLACED
        holes = {f"{image}_matches": row_filter.spark(image) for image in ("before", "after")}
    tree = fill(
        template,
        "spark",
        **holes,
        rows=sql.table("images" if row_filter is None else "matching"),
        before=_image(table.source.reads, "before"),
        after=_image(table.source.reads, "after"),
        ours=_ours(table),
        before_key=_key(table, "before") if identity is None else identity.spark("before"),
        after_key=_key(table, "after") if identity is None else identity.spark("after"),
        before_place=before_place,
        after_place=after_place,
    )
    comment = "Change events of this table: columns by name, the row's key as the server compares it, and its place."
    return Step(table.logical, StepName.DECODE, (Statement("decode", comment, sql.to_sql(tree, "spark")),))


_FACTORED = (
    "SUBSTRING_INDEX(`table`, '.', 1) IN (hole_databases) AND SUBSTRING_INDEX(`table`, '.', -1) IN (hole_tables)"
)


def _ours(table: TablePlan) -> exp.Expr:
    """Every source database holds every source table: 64 databases of 64 tables are 128 names, not 4,096."""
    conditions = [_of_ours(table)]
    if table.deletes.are_ignored:
        # Deletes of the log only: what a moved row or a changed key leaves behind is deleted further on (C5).
        conditions.append(sql.column("op").neq(sql.text("D")))
    return sql.all_of(conditions)


def _of_ours(table: TablePlan) -> exp.Expr:
    if len(table.source.databases) == 1:
        return exp.In(this=sql.column("table"), expressions=[sql.text(str(source)) for source in table.sources])
    return fill(
        _FACTORED,
        "spark",
        databases=[sql.text(name) for name in table.source.databases],
        tables=[sql.text(name) for name in table.source.tables],
    )


def _image(columns: Sequence[ReadColumn], array: str) -> list[exp.Expr]:
    return [sql.element(array, column.position, column.name) for column in columns]


def _key(table: TablePlan, image: str) -> list[exp.Expr]:
    key = [key_identity(sql.column(column.source, image), column.type) for column in table.source_key_columns]
    return key if table.source_lacks is None else [*key, origin_in_spark(table.source_lacks)]
