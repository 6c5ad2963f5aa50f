"""Statements of `upsert` for unique keys over how values begin, `UNIQUE (name(10))`, and over expressions, `UNIQUE
((lower(name)))`: the questions of `whole_values`, asked in another way. MySQL, within the sub-step's transaction. Each
key has its own statements, numbered from 1.

No condition on how values begin can use the target's index, and one on an expression need not. So the batch's values
are listed once, in a relation for which the server makes an index of its own (DISTINCT keeps it from joining the stage
itself), and rows look into it. What is asked of rows outside the batch reads the whole physical table. It is asked only
after the server, whose index can tell, has refused a row.
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.plan.catalogue import UniqueKey
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.keys import same_key, unique_part
from shardwright.compiler.steps.whole_values import THIS, Holes, both_keys

_STAGED = f"SELECT DISTINCT hole_key, hole_values FROM hole_stage AS s WHERE {THIS}"

_DEFER = """
UPDATE hole_stage AS s
STRAIGHT_JOIN (
  SELECT DISTINCT hole_values
  FROM hole_stage_again AS v STRAIGHT_JOIN hole_target AS t ON hole_leaving
  WHERE v.sw_batch = @sw_batch AND v.sw_part = @sw_part AND v.sw_action IN ('move_out', 'deferred')
) AS w ON hole_same_value
SET s.sw_action = 'deferred'
WHERE s.sw_batch = @sw_batch AND s.sw_part = @sw_part AND s.sw_action = 'upsert'
"""

_FREE = f"""
DELETE t FROM hole_stage_again AS v
STRAIGHT_JOIN hole_target AS t ON hole_leaving
STRAIGHT_JOIN ({_STAGED}) AS s ON hole_same_value
WHERE v.sw_batch = @sw_batch AND v.sw_part = @sw_part AND v.sw_action = hole_action AND hole_other
"""

_MAKE_ROOM = f"""
DELETE t FROM hole_target AS t
STRAIGHT_JOIN ({_STAGED}) AS s ON hole_same_value
WHERE NOT EXISTS (
  SELECT 1 FROM hole_stage_again AS b
  WHERE b.sw_batch = @sw_batch AND b.sw_part = @sw_part AND b.sw_action IN ('upsert', 'deferred') AND hole_in_batch
)
"""
"""Rows that the batch itself writes are not deleted."""

_COLLISION = f"""
SELECT hole_ours, hole_theirs FROM hole_target AS t
STRAIGHT_JOIN ({_STAGED}) AS s ON hole_same_value
WHERE NOT (hole_same)
  AND NOT EXISTS (
    SELECT 1 FROM hole_stage_again AS b
    WHERE b.sw_batch = @sw_batch AND b.sw_part = @sw_part AND hole_in_batch
  )
LIMIT 1000
"""

_COLLISION_INSIDE = f"""
SELECT hole_ours, hole_theirs FROM ({_STAGED}) AS s
STRAIGHT_JOIN (
  SELECT DISTINCT hole_other_key, hole_other_values FROM hole_stage_again AS t
  WHERE t.sw_batch = @sw_batch AND t.sw_part = @sw_part AND t.sw_action IN ('upsert', 'deferred')
) AS t ON hole_same_value
WHERE NOT (hole_same)
ORDER BY EXISTS(SELECT 1 FROM hole_target AS h WHERE hole_holder AND hole_held) DESC
LIMIT 1000
"""
"""Of two rows of the batch: the logs of two shards are not read equally far, or both rows do have the value. First the
pairs whose second row has it in the table already."""


def collisions_inside(table: TablePlan, *, target: exp.Expr, stage: exp.Expr) -> list[exp.Expr]:
    """For each unique key, whatever it is over: which rows of the batch have a value that another one has."""
    same, holder, shown = same_key(table, "t", "s"), same_key(table, "h", "t"), both_keys(table)
    return [
        fill(
            _COLLISION_INSIDE,
            "mysql",
            target=target,
            holder=holder,
            held=_has_value(key, "t", "h"),
            stage=stage,
            stage_again=stage,
            key=[sql.column(name, "s") for name in table.key],
            values=_values(key, "s"),
            other_key=[sql.column(name, "t") for name in table.key],
            other_values=_values(key, "t"),
            same_value=_same_values(key),
            same=same,
            **shown,
        )
        for key in table.identity.every_unique_key
    ]


def beginnings(table: TablePlan, *, target: exp.Expr, stage: exp.Expr) -> dict[str, list[exp.Expr]]:
    """What is done -> its statement for each of the table's keys over how values begin or over expressions."""
    tables: Holes = {"target": target, "stage": stage, "stage_again": stage}
    same, leaving, in_batch = (same_key(table, "t", other) for other in ("s", "v", "b"))
    shown = both_keys(table)
    made: dict[str, list[exp.Expr]] = {}
    for key in table.identity.prefix_keys:
        held = fill(
            _DEFER, "mysql", **tables, leaving=leaving, values=_values(key, "t"), same_value=_has_value(key, "w", "s")
        )
        staged: Holes = {
            **tables,
            "key": [sql.column(name, "s") for name in table.key],
            "values": _values(key, "s"),
            "same_value": _has_value(key, "s", "t"),
        }
        freeing: Holes = {**staged, "leaving": leaving}
        statements = {
            "defer": held,
            "delete_early": fill(_FREE, "mysql", **freeing, action=sql.text("delete"), other=exp.not_(sql.paren(same))),
            "free_values": fill(_FREE, "mysql", **freeing, action=sql.text("move_out"), other=exp.true()),
            "collision": fill(_COLLISION, "mysql", **staged, **shown, same=same, in_batch=in_batch),
        }
        if table.ours.owner is None:  # chunks of the others are written behind the stream, and no row yields
            statements["make_room"] = fill(_MAKE_ROOM, "mysql", **staged, in_batch=in_batch)
        for name, statement in statements.items():
            made.setdefault(name, []).append(statement)
    return made


def _same_values(key: UniqueKey) -> exp.Expr:
    """The rows of the relations `s` and `t`, which `_values` has made, have one value."""
    names = [f"sw_unique_{number}" for number, _ in enumerate(key.parts, start=1)]
    return sql.all_of(sql.same_column(name, "t", "s") for name in names)


def _values(key: UniqueKey, alias: str) -> list[exp.Expr]:
    parts = enumerate(key.parts, start=1)
    return [sql.alias(unique_part(*part, alias), f"sw_unique_{number}") for number, part in parts]


def _has_value(key: UniqueKey, listed: str, alias: str) -> exp.Expr:
    """The row `alias` has a value of the relation `listed`, which has them as `_values` names them."""
    parts = enumerate(key.parts, start=1)
    return sql.all_of(sql.equal(sql.column(f"sw_unique_{n}", listed), unique_part(*part, alias)) for n, part in parts)
