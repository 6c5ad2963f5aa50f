"""Statements of `upsert` for unique keys over whole columns: which rows wait for a value, give one away, or collide.
MySQL, within the sub-step's transaction. The indexes of the target serve them.
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.keys import same_columns, same_key

_THIS = "s.sw_batch = @sw_batch AND s.sw_part = @sw_part AND s.sw_action = @sw_action"

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
WHERE {_THIS}
  AND v.sw_batch = @sw_batch AND v.sw_part = @sw_part AND v.sw_action = 'delete'
  AND NOT (hole_same)
"""

_FREE_VALUES = f"""
DELETE t FROM hole_target AS t
JOIN hole_stage AS s ON hole_same_value
JOIN hole_stage_again AS v ON hole_leaving
WHERE {_THIS} AND v.sw_batch = @sw_batch AND v.sw_part = @sw_part AND v.sw_action = 'move_out'
"""

_YIELD_TO_STREAM = f"""
DELETE t FROM hole_target AS t JOIN hole_stage AS s ON hole_same_value
WHERE {_THIS} AND NOT (hole_same)
"""

_COLLISION = f"""
SELECT hole_ours, hole_theirs FROM hole_stage AS s JOIN hole_target AS t ON hole_same_value
WHERE {_THIS} AND NOT (hole_same)
  AND NOT EXISTS (
    SELECT 1 FROM hole_stage_again AS b
    WHERE b.sw_batch = @sw_batch AND b.sw_part = @sw_part AND hole_in_batch
  )
LIMIT 10
"""


def whole_values(table: TablePlan, *, target: exp.Expr, stage: exp.Expr) -> dict[str, exp.Expr]:
    """What is done -> its statement, for all unique keys over whole columns."""
    same = same_key(table, "t", "s")
    uniques = [key.columns for key in table.unique_keys]
    same_value = sql.any_of(sql.paren(same_columns(columns, "t", "s")) for columns in uniques)
    same_value = sql.paren(same_value) if len(uniques) > 1 else same_value
    ours = [sql.named(sql.column(name, "s"), f"ours_{name}") for name in table.key]
    has = {column.target for column in table.written}
    theirs = [sql.named(sql.column(name, "t" if name in has else "s"), f"theirs_{name}") for name in table.key]
    defer = fill(
        _DEFER,
        "mysql",
        stage=stage,
        stage_again=stage,
        target=target,
        holding=same_key(table, "t", "v"),
        collides=same_value,
    )
    delete_early = fill(
        _DELETE_EARLY,
        "mysql",
        target=target,
        stage=stage,
        stage_again=stage,
        same_value=same_value,
        leaving=same_key(table, "t", "v"),
        same=same,
    )
    free_values = fill(
        _FREE_VALUES,
        "mysql",
        target=target,
        stage=stage,
        stage_again=stage,
        same_value=same_value,
        leaving=same_key(table, "t", "v"),
    )
    yield_to_stream = fill(_YIELD_TO_STREAM, "mysql", target=target, stage=stage, same_value=same_value, same=same)
    collision = fill(
        _COLLISION,
        "mysql",
        target=target,
        stage=stage,
        stage_again=stage,
        same_value=same_value,
        same=same,
        in_batch=same_key(table, "t", "b"),
        ours=ours,
        theirs=theirs,
    )
    return {
        "defer": defer,
        "delete_early": delete_early,
        "free_values": free_values,
        "yield_to_stream": yield_to_stream,
        "collision": collision,
    }
