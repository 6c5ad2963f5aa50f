"""Rows outside a batch that have a unique value which one of its rows needs: while rows are copied they give way to the
stream (contract C4), and otherwise the run stops and names them. Statements of the step of `upsert`.

A condition on how values begin (`UNIQUE (name(10))`) cannot use the target's index. So these statements are asked only
after the server, whose index can, has refused a row; each reads the physical table once.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from shardwright.compiler.plan.catalogue import PrefixKey, UniqueKey
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.keys import same_key, same_unique, unique_part

Named = list[tuple[str, str, exp.Expr]]
"""Statements with their names and comments."""

_THIS = "s.sw_batch = @sw_batch AND s.sw_part = @sw_part AND s.sw_action = @sw_action"

_YIELD_TO_STREAM = f"""
DELETE t FROM hole_target AS t JOIN hole_stage AS s ON hole_same_value
WHERE {_THIS} AND NOT (hole_same)
"""

_MAKE_ROOM = f"""
DELETE t FROM hole_target AS t
STRAIGHT_JOIN (SELECT DISTINCT hole_values FROM hole_stage AS s WHERE {_THIS}) AS w ON hole_same_value
WHERE NOT EXISTS (
  SELECT 1 FROM hole_stage_again AS b
  WHERE b.sw_batch = @sw_batch AND b.sw_part = @sw_part AND b.sw_action IN ('upsert', 'deferred') AND hole_in_batch
)
"""
"""One pass over the table: each row looks into the batch's values, for which the server makes an index of its own
(DISTINCT keeps it from joining the stage itself). Rows that the batch writes do not give way to one another."""

_COLLISION = f"""
SELECT hole_ours, hole_theirs FROM hole_stage AS s JOIN hole_target AS t ON hole_same_value
WHERE {_THIS} AND NOT (hole_same)
  AND NOT EXISTS (
    SELECT 1 FROM hole_stage_again AS b
    WHERE b.sw_batch = @sw_batch AND b.sw_part = @sw_part AND hole_in_batch
  )
LIMIT 10
"""

_COLLISION_OF_BEGINNINGS = f"""
SELECT hole_ours, hole_theirs FROM hole_target AS t
STRAIGHT_JOIN (SELECT DISTINCT hole_key, hole_values FROM hole_stage AS s WHERE {_THIS}) AS s ON hole_same_value
WHERE NOT (hole_same)
  AND NOT EXISTS (
    SELECT 1 FROM hole_stage_again AS b
    WHERE b.sw_batch = @sw_batch AND b.sw_part = @sw_part AND hole_in_batch
  )
LIMIT 10
"""


def same_value_of(keys: Sequence[UniqueKey]) -> exp.Expr:
    """A row of the target has a unique value of a staged one."""
    same = sql.any_of(sql.paren(same_unique(key, "t", "s")) for key in keys)
    return sql.paren(same) if len(keys) > 1 else same


def yielding(table: TablePlan, *, target: exp.Expr, stage: exp.Expr) -> Named:
    made: Named = []
    comment = "a row copied from a later position is deleted; its own event restores it."
    if table.unique_keys:
        tree = fill(
            _YIELD_TO_STREAM,
            "mysql",
            target=target,
            stage=stage,
            same_value=same_value_of(table.unique_keys),
            same=same_key(table, "t", "s"),
        )
        made.append(("yield_to_stream", f"While copying: {comment}", tree))
    for number, key in enumerate(table.prefix_keys, start=1):
        tree = fill(
            _MAKE_ROOM,
            "mysql",
            target=target,
            stage=stage,
            stage_again=stage,
            values=_staged_values(key),
            same_value=_has_value(key, "w"),
            in_batch=same_key(table, "t", "b"),
        )
        made.append((f"make_room_{number}", f"While copying, after a duplicate: {comment}", tree))
    return made


def collisions(table: TablePlan, *, target: exp.Expr, stage: exp.Expr) -> Named:
    """One statement for all keys over whole columns, and one for each of the others."""
    has = {column.target for column in table.written}
    common: dict[str, exp.Expr | list[exp.Expr]] = {
        "target": target,
        "stage": stage,
        "stage_again": stage,
        "same": same_key(table, "t", "s"),
        "in_batch": same_key(table, "t", "b"),
        "ours": [sql.named(sql.column(name, "s"), f"ours_{name}") for name in table.key],
        "theirs": [sql.named(sql.column(name, "t" if name in has else "s"), f"theirs_{name}") for name in table.key],
    }
    comment = "When the server reports a duplicate: which of our rows collides with which foreign one."
    made: Named = []
    if table.unique_keys:
        tree = fill(_COLLISION, "mysql", same_value=same_value_of(table.unique_keys), **common)
        made.append(("collision", comment, tree))
    for number, key in enumerate(table.prefix_keys, start=1):
        tree = fill(
            _COLLISION_OF_BEGINNINGS,
            "mysql",
            key=[sql.column(name, "s") for name in table.key],
            values=_staged_values(key),
            same_value=_has_value(key, "s"),
            **common,
        )
        made.append((f"collision_{number}", comment, tree))
    return made


def _staged_values(key: PrefixKey) -> list[exp.Expr]:
    parts = enumerate(key.parts, start=1)
    return [sql.named(unique_part(*part, "s"), f"sw_unique_{number}") for number, part in parts]


def _has_value(key: PrefixKey, alias: str) -> exp.Expr:
    """A row of the target has one of the values that a relation lists as `_staged_values` names them."""
    parts = enumerate(key.parts, start=1)
    return sql.all_of(sql.equal(sql.column(f"sw_unique_{n}", alias), unique_part(*part, "t")) for n, part in parts)
