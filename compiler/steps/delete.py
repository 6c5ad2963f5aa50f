"""Deletes of a batch in one physical table: remember first, then delete whether the row is found or not (C4).

They run after the batch's upserts. A key that left one source table and came in another one stays (`owners`); it is
remembered for the one that it left.
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.plan.plan import Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.filter import is_collapsed_by_server
from shardwright.compiler.steps.keys import as_one, physical_table, same_key
from shardwright.compiler.steps.owners import after_delete, not_owned_by_another, tombstone_key

_REMEMBER = """
INSERT INTO hole_tombstone (sw_part, hole_key, sw_file, sw_offset, sw_row)
SELECT s.sw_part, hole_values, s.sw_file, s.sw_offset, s.sw_row
FROM hole_stage AS s
WHERE s.sw_batch = @sw_batch AND s.sw_part = @sw_part AND s.sw_action = @sw_action
ON DUPLICATE KEY UPDATE sw_file = s.sw_file, sw_offset = s.sw_offset, sw_row = s.sw_row
"""

_DELETE = """
DELETE t FROM hole_target AS t
JOIN hole_stage AS s ON hole_same
WHERE s.sw_batch = @sw_batch AND s.sw_part = @sw_part AND s.sw_action = @sw_action AND hole_gone
"""


_COMES_BACK = """
NOT EXISTS(
  SELECT 1 FROM hole_stage AS u
  WHERE u.sw_batch = s.sw_batch AND u.sw_part = s.sw_part AND u.sw_action IN ('upsert', 'deferred') AND hole_equal
)
"""
_STAGED_PARTS = "SELECT DISTINCT sw_part FROM hole_stage WHERE sw_batch = @sw_batch AND hole_key IN (`${keys}`)"
_UNSTAGE = "DELETE FROM hole_stage WHERE sw_batch = @sw_batch AND hole_key IN (`${keys}`)"
_AGAIN = """
DELETE t FROM hole_target AS t JOIN hole_tombstone AS g ON hole_same
WHERE g.sw_part = @sw_part AND hole_gone
"""


def delete(table: TablePlan) -> Step:
    """Statements `remember` (absent under policy immediate; run while the snapshot is open) and `delete`."""
    statements: list[Statement] = []
    if table.deletes.are_remembered:
        key = tombstone_key(table)
        remember = fill(
            _REMEMBER,
            "mysql",
            tombstone=sql.table(table.ours.tombstone),
            stage=sql.table(table.ours.stage),
            key=[sql.identifier(name) for name in key],
            values=[sql.column(name, "s") for name in key],
        )
        comment = "Tombstones: a chunk that read the row earlier must not bring it back."
        statements.append(Statement("remember", comment, sql.to_sql(remember, "mysql")))
    remove = fill(
        _DELETE,
        "mysql",
        target=physical_table(table),
        stage=sql.table(table.ours.stage),
        same=same_key(table, "t", "s"),
        gone=not_owned_by_another(table, "s") if table.own is None else _is_gone(table),
    )
    statements.append(Statement("delete", "@sw_action is 'delete' or 'move_out'.", sql.to_sql(remove, "mysql")))
    if table.deletes.delay is not None:
        again = fill(
            _AGAIN,
            "mysql",
            target=physical_table(table),
            tombstone=sql.table(table.ours.tombstone),
            same=same_key(table, "t", "g"),
            gone=not_owned_by_another(table, "g"),
        )
        comment = (
            "When the delay is over: remembered deletes once more, then they are forgotten. A row that came "
            "back has none."
        )
        statements.append(Statement("again", comment, sql.to_sql(again, "mysql")))
    return Step(table.logical, StepName.DELETE, (*statements, *after_delete(table), *_unstage(table)))


def _is_gone(table: TablePlan) -> exp.Expr:
    """On the way back: a row may have left one shard under one spelling of its key, and be on another one under another
    spelling. Which of the two events is the newer one no log says, but the row is there."""
    if not is_collapsed_by_server(table):
        return exp.true()
    return fill(_COMES_BACK, "mysql", stage=sql.table(table.ours.stage), equal=same_key(table, "u", "s"))


def _unstage(table: TablePlan) -> tuple[Statement, ...]:
    """For keys that are quarantined when their batch is staged already."""
    stage, key = sql.table(table.ours.stage), as_one([sql.column(name) for name in table.key])
    return tuple(
        Statement(name, comment, sql.to_sql(fill(template, "mysql", stage=stage, key=key), "mysql"))
        for name, comment, template in (
            ("staged_parts", "Where a batch has staged quarantined keys.", _STAGED_PARTS),
            ("unstage", "Quarantined keys leave the stage of their batch.", _UNSTAGE),
        )
    )
