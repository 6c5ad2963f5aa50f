"""Staged changes of rows that the server takes for one, though their keys are spelt differently (hazards D1, D2).

Spark merges by the spelling of a key: 'abc' and 'ABC' are two changes there, each the last of its spelling. Under a
collation that ignores letter case or accents only the server knows which spellings are one row. So it decides, over the
stage of a batch and before any of it takes effect: of the changes whose keys it calls equal, in one physical table, the
last in log order stays and the others yield. That is the merge of the nine pairs once more, since images are whole rows;
where one event is both (an update of the spelling: delete of the old one, insert of the new one), the insert stays.

Grouping by a finer key first and joining what the server calls one afterwards needs no table of any collation's letters.
"""

from __future__ import annotations

from shardwright.compiler.plan.plan import Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.sql.transport import one_spelling
from shardwright.compiler.steps.keys import same_key

YIELDED = "yielded"
"""The action of a staged change that has no effect any more."""

_SETTLE = """
UPDATE hole_stage AS s
JOIN (
  SELECT sw_part, sw_source, hole_names
  FROM hole_stage_again
  WHERE sw_batch = @sw_batch
  GROUP BY sw_part, sw_source, hole_names_again
  HAVING COUNT(*) > 1
) AS n ON n.sw_part = s.sw_part AND n.sw_source = s.sw_source AND hole_several
JOIN hole_stage_third AS v
  ON v.sw_batch = s.sw_batch AND v.sw_part = s.sw_part AND v.sw_source = s.sw_source AND hole_same
SET s.sw_action = hole_yielded
WHERE s.sw_batch = @sw_batch
  AND (
    v.sw_file > s.sw_file
    OR (v.sw_file = s.sw_file AND v.sw_offset > s.sw_offset)
    OR (v.sw_file = s.sw_file AND v.sw_offset = s.sw_offset AND v.sw_row > s.sw_row)
    OR (
      v.sw_file = s.sw_file AND v.sw_offset = s.sw_offset AND v.sw_row = s.sw_row
      AND v.sw_action = 'upsert' AND s.sw_action <> 'upsert'
    )
  )
"""


def is_settled_by_server(table: TablePlan) -> bool:
    """Whether keys that are spelt differently may be one row's."""
    return not all(one_spelling(column.type) for column in table.key_columns)


def settle(table: TablePlan) -> tuple[Step, ...]:
    """No step for a table whose keys have one spelling."""
    if not is_settled_by_server(table):
        return ()
    stage, names = sql.table(table.stage_table), [sql.column(name) for name in table.key]
    tree = fill(
        _SETTLE,
        "mysql",
        stage=stage,
        stage_again=stage,
        stage_third=stage,
        names=names,
        names_again=names,
        several=same_key(table, "n", "s"),
        same=same_key(table, "v", "s"),
        yielded=sql.text(YIELDED),
    )
    comment = "Of staged changes whose keys the server calls equal, the last in log order stays."
    return (Step(table.logical, StepName.SETTLE, (Statement("settle", comment, sql.to_sql(tree, "mysql")),)),)
