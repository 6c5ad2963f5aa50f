"""Statements of `upsert` for unique keys over whole columns: which rows wait for a value, give one away, or collide.
MySQL, within the sub-step's transaction. The indexes of the target serve them.
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.keys import same_columns, same_key
from shardwright.compiler.steps.owners import not_owned_by_another

THIS = "s.sw_batch = @sw_batch AND s.sw_part = @sw_part AND s.sw_action = @sw_action"
"""The stage's rows of the sub-step."""
Holes = dict[str, exp.Expr | list[exp.Expr]]

_DEFER = """
UPDATE hole_stage AS s
JOIN hole_stage_again AS v
  ON v.sw_batch = s.sw_batch AND v.sw_part = s.sw_part AND v.sw_action IN ('move_out', 'deferred')
JOIN hole_target AS t ON hole_holding
SET s.sw_action = 'deferred'
WHERE s.sw_batch = @sw_batch AND s.sw_part = @sw_part AND s.sw_action = 'upsert' AND hole_collides
"""

_DELETE_EARLY = f"""
DELETE t FROM hole_target AS t
JOIN hole_stage AS s ON hole_same_value
JOIN hole_stage_again AS v ON hole_leaving
WHERE {THIS}
  AND v.sw_batch = @sw_batch AND v.sw_part = @sw_part AND v.sw_action = 'delete'
  AND NOT (hole_same)
"""

_FREE_VALUES = f"""
DELETE t FROM hole_target AS t
JOIN hole_stage AS s ON hole_same_value
JOIN hole_stage_again AS v ON hole_leaving
WHERE {THIS} AND v.sw_batch = @sw_batch AND v.sw_part = @sw_part AND v.sw_action = 'move_out'
"""

_YIELD_TO_STREAM = f"""
DELETE t FROM hole_target AS t JOIN hole_stage AS s ON hole_same_value
WHERE {THIS} AND NOT (hole_same)
"""

_YIELD_TO_SAME_SOURCE = f"{_YIELD_TO_STREAM} AND hole_own"
"""No event restores the row of another source table: it may have the value as well, for ever."""

_COLLISION = f"""
SELECT hole_ours, hole_theirs FROM hole_stage AS s JOIN hole_target AS t ON hole_same_value
WHERE {THIS} AND NOT (hole_same)
  AND NOT EXISTS (
    SELECT 1 FROM hole_stage_again AS b
    WHERE b.sw_batch = @sw_batch AND b.sw_part = @sw_part AND hole_in_batch
  )
LIMIT 1000
"""


def whole_values(table: TablePlan, *, target: exp.Expr, stage: exp.Expr) -> dict[str, exp.Expr]:
    """What is done -> its statement, for all unique keys over whole columns."""
    same, leaving, in_batch = (same_key(table, "t", other) for other in ("s", "v", "b"))
    uniques = [key.columns for key in table.identity.unique_keys]
    same_value = sql.any_of(sql.paren(same_columns(columns, "t", "s")) for columns in uniques)
    same_value = sql.paren(same_value) if len(uniques) > 1 else same_value
    tables: Holes = {"target": target, "stage": stage, "stage_again": stage}
    staged: Holes = {"target": target, "stage": stage, "same_value": same_value}
    freeing: Holes = {**tables, "same_value": same_value, "leaving": leaving}
    return {
        "defer": fill(_DEFER, "mysql", **tables, holding=leaving, collides=same_value),
        "delete_early": fill(_DELETE_EARLY, "mysql", **freeing, same=same),
        "free_values": fill(_FREE_VALUES, "mysql", **freeing),
        "yield_to_stream": _yield_to_stream(table, staged, same),
        "collision": fill(
            _COLLISION, "mysql", **staged, stage_again=stage, same=same, in_batch=in_batch, **both_keys(table)
        ),
    }


def _yield_to_stream(table: TablePlan, staged: Holes, same: exp.Expr) -> exp.Expr:
    if table.ours.owner is None:
        return fill(_YIELD_TO_STREAM, "mysql", **staged, same=same)
    return fill(_YIELD_TO_SAME_SOURCE, "mysql", **staged, same=same, own=not_owned_by_another(table, "s", row="t"))


def both_keys(table: TablePlan) -> Holes:
    """Of two rows that collide, the key of the staged row `s` and that of the target's row `t`."""
    has = {column.target for column in table.physical_columns}
    return {
        "ours": [sql.alias(sql.column(name, "s"), f"ours_{name}") for name in table.key],
        "theirs": [sql.alias(sql.column(name, "t" if name in has else "s"), f"theirs_{name}") for name in table.key],
    }
