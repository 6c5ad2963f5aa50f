"""Stream, second step: at most one change per row and batch, by log order (contract C2, C5).

The nine pairs (earlier, later) follow from three aggregates: the last operation; when it is an update, the last
operation that was none; the image that goes with the last position. I+U and D+I..U fold because every image is a full
row (partial images are refused by the reader).

All events of a key are brought together before they are merged: merging some of them first, as Spark does otherwise,
sorts every event twice, and most keys have few.
"""

from __future__ import annotations

from collections.abc import Sequence

from shardwright.compiler.plan.plan import Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.groups import marks

_MERGE = """
SELECT
  source_table,
  key,
  CASE
    WHEN MAX_BY(op, position) <> 'U' THEN MAX_BY(op, position)
    WHEN MAX_BY(op, position) FILTER (WHERE op <> 'U') = 'I' THEN 'I'
    ELSE 'U'
  END AS op,
  MAX(position) AS position,
  MAX(committed_at) AS committed_at,
  MIN_BY(before, position) AS first_before,
  MAX_BY(after, position) AS after,
  MAX_BY(after_place, position) AS after_place,
  ARRAY_DISTINCT(ARRAY_COMPACT(FLATTEN(COLLECT_LIST(ARRAY(before_place, after_place))))) AS places,
  COUNT(*) AS events
FROM (SELECT * FROM decoded DISTRIBUTE BY source_table, key) AS gathered
GROUP BY source_table, key
"""

_WITH_MARKS = _MERGE.replace("COUNT(*) AS events", "COUNT(*) AS events, hole_marks AS changed")


def merge(table: TablePlan, behind: Sequence[Sequence[str]] = ()) -> Step:
    """Reads view `decoded`, yields `merged`: one row per source table and key, with every place of any image; under
    `write: changed` also `changed`, for which `behind` are the source columns behind each target column."""
    tree = fill(_MERGE, "spark") if not table.writes.marks_columns else fill(_WITH_MARKS, "spark", marks=marks(behind))
    comment = "One change per row: the last position wins; `places` keeps every place that the row was in."
    return Step(table.logical, StepName.MERGE, (Statement("merge", comment, sql.to_sql(tree, "spark")),))
