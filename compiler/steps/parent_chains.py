"""Stream: the Spark statements of a lookup table of parents that have a parent (`tables.parents.placement_table`).

Its rows say which row of the table above each parent follows, not where it is. So a batch that moves a row far above
changes nothing here. Where the parents are follows level by level, from the top.
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.plan.plan import ORPHANS, Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.child import moves, row_key, via_identities
from shardwright.compiler.steps.parents_of_sources import key_values, placements_of_sources, whole_key
from shardwright.compiler.steps.rows_read_again import parents_read_again

_ROUTE = """
SELECT
  hole_lookup_table AS `table`,
  source_table,
  0 AS shard,
  0 AS part,
  IF(op = 'D' OR hole_alone, 'delete', 'upsert') AS action,
  op,
  hole_whole_key,
  position,
  committed_at,
  IF(op = 'D' OR hole_alone, NULL, ARRAY(hole_values)) AS `row`,
  CAST(NULL AS STRING) AS version_before,
  CAST(NULL AS STRING) AS version
FROM merged
WHERE op <> 'U' OR SIZE(places) > 1
"""

_HERE = "STRUCT(hole_orphan_shard AS shard, hole_orphan_part AS part)"
"""Where lookup tables are: on the first shard, beside the orphans."""

_PARENTS = """
SELECT DISTINCT hole_above AS lookup_table, SLICE(`row`, hole_first, SIZE(`row`) - hole_width) AS key
FROM lookup_changes
WHERE `table` = hole_lookup_table AND action = 'upsert'
"""

_FOLLOWERS = """
SELECT hole_lookup_table AS lookup_table, ARRAY(hole_key) AS key, at_end, position, committed_at
FROM moved
WHERE `table` = hole_lookup_table
"""

_PLACEMENTS = """
SELECT
  s.lookup_table,
  s.key,
  STRUCT(COALESCE(s.shard, hole_orphan_shard) AS shard, COALESCE(s.part, hole_orphan_part) AS part) AS at_start,
  CASE
    WHEN NOT c.same IS NULL
    THEN COALESCE(p.at_end, STRUCT(hole_orphan_shard AS shard, hole_orphan_part AS part))
    WHEN NOT f.same IS NULL
    THEN f.at_end
    ELSE STRUCT(COALESCE(s.shard, hole_orphan_shard) AS shard, COALESCE(s.part, hole_orphan_part) AS part)
  END AS at_end,
  COALESCE(c.position, f.position) AS position,
  COALESCE(c.committed_at, f.committed_at) AS committed_at
FROM recorded_places AS s
LEFT JOIN (
  SELECT
    r.same,
    MAX(l.position) AS position,
    MAX(l.committed_at) AS committed_at,
    IF(
      MAX(l.position) FILTER (WHERE l.action = 'upsert') = MAX(l.position),
      MAX_BY(SLICE(l.`row`, hole_first, SIZE(l.`row`) - hole_width), l.position) FILTER (WHERE l.action = 'upsert'),
      NULL
    ) AS via
  FROM lookup_changes AS l
  JOIN recorded_places AS r ON r.lookup_table = l.`table` AND r.key = l.key
  WHERE l.`table` = hole_lookup_table
  GROUP BY r.same
) AS c ON c.same = s.same
LEFT JOIN placements AS p ON p.lookup_table = hole_above AND p.key = c.via
LEFT JOIN (
  SELECT r.same, MAX(m.at_end) AS at_end, MAX(m.position) AS position, MAX(m.committed_at) AS committed_at
  FROM followers AS m
  JOIN recorded_places AS r ON r.lookup_table = m.lookup_table AND r.key = m.key
  WHERE m.lookup_table = hole_lookup_table
  GROUP BY r.same
) AS f ON f.same = s.same
WHERE s.lookup_table = hole_lookup_table
"""
"""A key may be spelt in several ways: what is one key for the server has one `same`."""


def chain_route(lookup_table: TablePlan, parent: TablePlan, grandparent: TablePlan) -> Step:
    """`route` reads `merged` of the parent. The other statements find where the parents are, when the level above is
    known, which view `placements` has. They read what the batch says (`lookup_changes`), which rows of this lookup
    table follow a row above that moves (`moved`, then `followers`), and what is recorded of all parents that matter
    (`recorded_places`)."""
    assert lookup_table.placement.parent is not None
    name, above = sql.text(lookup_table.logical), sql.text(lookup_table.placement.parent.places)
    width = len(lookup_table.key)
    orphans = {"orphan_shard": sql.number(ORPHANS[0]), "orphan_part": sql.number(ORPHANS[1])}
    via = {"first": sql.number(width + 1), "width": sql.number(width)}
    keys = key_values(lookup_table, parent)
    routed = fill(
        _ROUTE,
        "spark",
        lookup_table=name,
        whole_key=whole_key(lookup_table.source_record),
        alone=_is_alone(parent),
        values=[*keys, *via_identities(parent, grandparent, "after")],
    )
    parents = fill(_PARENTS, "spark", above=above, lookup_table=name, **via)
    followers = fill(_FOLLOWERS, "spark", lookup_table=name, key=row_key(lookup_table))
    if lookup_table.source_record is not None:
        placements = placements_of_sources(lookup_table)
    else:
        placements = fill(_PLACEMENTS, "spark", lookup_table=name, above=above, **orphans, **via)
    here = sql.alias(fill(_HERE, "spark", **orphans), "at_start")
    statements = (
        Statement(
            "route",
            "Parents that were inserted, deleted or got another parent. One without a parent is not recorded.",
            sql.to_sql(routed, "spark"),
        ),
        Statement("parents", "The rows above that these parents get.", sql.to_sql(parents, "spark")),
        moves(lookup_table, at=here),
        parents_read_again(lookup_table, here=here),
        Statement(
            "followers",
            "Parents that are recorded below a row that moves.",
            sql.to_sql(followers, "spark"),
        ),
        Statement(
            "placements",
            "Where parents are when the batch begins and when it ends: where their own parents are.",
            sql.to_sql(placements, "spark"),
        ),
    )
    return Step(lookup_table.logical, StepName.ROUTE, statements)


def _is_alone(parent: TablePlan) -> exp.Expr:
    """Spark: the row names no parent of its own."""
    missing = [sql.column(column.source, "after").is_(exp.null()) for column in parent.via_columns if column.source]
    return missing[0] if len(missing) == 1 else sql.paren(sql.any_of(missing))
