"""Which rows follow a parent that was read again, and which do not follow any, as they are quarantined? Statements of
step 22-route: of a child, and of the lookup table of parents that have a parent.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from shardwright.compiler.plan.plan import Statement, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill

_GATHERING = """
SELECT
  hole_logical AS `table`,
  key,
  STRUCT(shard AS shard, part AS part) AS at_start,
  at_end,
  position,
  committed_at
FROM placements
LATERAL VIEW EXPLODE(SEQUENCE(0, hole_last_shard)) shards AS shard
LATERAL VIEW EXPLODE(SEQUENCE(0, hole_last_part)) parts AS part
WHERE lookup_table = hole_lookup_table AND NOT position IS NULL AND (shard <> at_end.shard OR part <> at_end.part)
"""

_GATHERING_BELOW = """
SELECT hole_logical AS `table`, key, hole_here, at_end, position, committed_at
FROM placements
WHERE lookup_table = hole_lookup_table AND NOT position IS NULL
"""

_FOLLOWERS = """
SELECT m.*
FROM moved_rows AS m
LEFT ANTI JOIN dead_keys AS k
  ON k.logical = hole_logical
  AND k.key = ARRAY(hole_key)
  AND (k.source_table IS NULL OR k.source_table = m.source_table)
  AND k.until IS NULL
"""


def rows_read_again(table: TablePlan, *, key: Sequence[exp.Expr], shards: int) -> tuple[Statement, ...]:
    """`gathering` takes the place of `moving` where all parents of `placements` were read again. `followers` reads
    `moved_rows` and `dead_keys`, and yields `moved`. `key` is the row's, over the array `row`."""
    assert table.placement.parent is not None
    gathering = fill(
        _GATHERING,
        "spark",
        logical=sql.text(table.logical),
        lookup_table=sql.text(table.placement.parent.places),
        last_shard=sql.number(shards - 1),
        last_part=sql.number(len(table.suffixes) - 1),
    )
    followers = fill(_FOLLOWERS, "spark", logical=sql.text(table.logical), key=key)
    return (
        Statement(
            "gathering",
            "Parents that were read again: their rows come from wherever they are, also where they should not be.",
            sql.to_sql(gathering, "spark"),
        ),
        Statement(
            "followers",
            "Without quarantined rows: nothing of them takes effect, and so they stay where they are.",
            sql.to_sql(followers, "spark"),
        ),
    )


def parents_read_again(lookup_table: TablePlan, *, here: exp.Expr) -> Statement:
    """`gathering` of a lookup table, whose rows all are `here`: below a row that was read again, every row comes from
    wherever it is, though the row itself may have been in its place all the time."""
    assert lookup_table.placement.parent is not None
    tree = fill(
        _GATHERING_BELOW,
        "spark",
        logical=sql.text(lookup_table.logical),
        here=here,
        lookup_table=sql.text(lookup_table.placement.parent.places),
    )
    return Statement(
        "gathering",
        "Parents that were read again: with all that is below the rows of this table.",
        sql.to_sql(tree, "spark"),
    )
