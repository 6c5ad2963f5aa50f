"""Stream, third step: one row per change and shard, with what is to happen there (contract C7).

`upsert` at the row's last place; `move_out` at every other place that an image of this batch names, so that a row that
went A -> B -> C leaves nothing behind even where a snapshot chunk put it in between; `delete` at all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from shardwright.compiler.columns.row_mapping import RowMapping, plain_mapping
from shardwright.compiler.plan.plan import Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill

_ROUTE = """
SELECT
  hole_logical AS `table`,
  source_table,
  place.shard AS shard,
  place.part AS part,
  CASE WHEN op = 'D' THEN 'delete' WHEN hole_stays THEN 'upsert' ELSE 'move_out' END AS action,
  op,
  key,
  position,
  committed_at,
  IF(op <> 'D' AND hole_stays, ARRAY(hole_values), NULL) AS `row`,
  hole_version_before AS version_before,
  hole_version AS version
FROM merged
LATERAL VIEW EXPLODE(hole_places) places AS place
"""

EVERY_SHARD = "TRANSFORM(SEQUENCE(0, hole_last), shard -> STRUCT(shard AS shard, 0 AS part))"


def route(table: TablePlan, mapping: RowMapping | None = None, *, shards: int, more: Sequence[Statement] = ()) -> Step:
    """Reads view `merged`, yields `routed`, the same shape for every table; `row` holds target columns in plan order
    (under `write: changed` the marks after them): here, and in `snapshot_route`, source values become the target's.
    `more` are further statements of the step."""
    broadcast = table.placement.has_copies
    version = next((column for column in table.columns if column.target == table.writes.version_column), None)
    nothing = sql.cast(exp.Null(), "STRING")
    values = (mapping or plain_mapping(table)).spark("after")
    tree = fill(
        _ROUTE,
        "spark",
        logical=sql.text(table.logical),
        stays=exp.true() if broadcast else sql.column("place").eq(sql.column("after_place")),
        values=values if not table.writes.marks_columns else [*values, sql.column("changed")],
        version_before=sql.column(version.source, "first_before") if version else nothing,
        version=sql.column(version.source, "after") if version else nothing,
        places=fill(EVERY_SHARD, "spark", last=sql.number(shards - 1)) if broadcast else sql.column("places"),
    )
    comment = "Where each change goes: upsert at the row's place, move_out at the places it left, delete at all places."
    return Step(table.logical, StepName.ROUTE, (Statement("route", comment, sql.to_sql(tree, "spark")), *more))
