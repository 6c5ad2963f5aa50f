"""Stream: where parents are that come from several source tables, as Spark SQL.

The lookup table has a row for each source table that has the parent, which follows from that table's log alone. A
parent that goes from one source table to another is for a while in both of them, or in none, by what the stream has
read: nothing orders two logs. Whichever is read first, the same rows follow from the same events. Of several the first
one counts, by the name of its source table. When both logs have been read, there is one.
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.plan.plan import ORPHANS, TablePlan
from shardwright.compiler.plan.table_parts import Origin
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.origin import origin_in_spark, value_in_spark
from shardwright.compiler.sql.template import fill

_WHOLE_KEY = "CONCAT(key, ARRAY(hole_origin))"
_ASKED_KEY = "SLICE({alias}.key, 1, SIZE({alias}.key) - 1)"

_CHANGES = f"""
    SELECT
      a.same,
      ELEMENT_AT(l.key, -1) AS origin,
      NULL AS at_start,
      IF(l.action = 'upsert', {{place}}, NULL) AS at_end,
      l.action,
      l.position,
      l.committed_at
    FROM lookup_changes AS l
    JOIN asked AS a ON a.key = {_ASKED_KEY.format(alias="l")}{{above}}
    WHERE l.`table` = hole_lookup_table"""

_OWN_PLACES = _CHANGES.format(
    place="STRUCT(CAST(ELEMENT_AT(l.`row`, -2) AS INT) AS shard, CAST(ELEMENT_AT(l.`row`, -1) AS INT) AS part)",
    above="",
)

_PLACES_ABOVE = _CHANGES.format(
    place="COALESCE(p.at_end, STRUCT(hole_orphan_shard AS shard, hole_orphan_part AS part))",
    above="""
    LEFT JOIN placements AS p
      ON p.lookup_table = hole_above AND p.key = SLICE(l.`row`, hole_first, SIZE(l.`row`) - hole_width)""",
)

_FOLLOWING = f"""
    UNION ALL
    SELECT a.same, ELEMENT_AT(f.key, -1), NULL, f.at_end, 'follow', f.position, f.committed_at
    FROM followers AS f
    JOIN asked AS a ON a.key = {_ASKED_KEY.format(alias="f")}
    WHERE f.lookup_table = hole_lookup_table"""

_PLACEMENTS = """
WITH asked AS (
  SELECT DISTINCT key, same FROM recorded_places WHERE lookup_table = hole_lookup_table
), of_sources AS (
  SELECT
    same,
    origin,
    MAX(at_start) AS at_start,
    CASE
      WHEN COUNT(*) FILTER (WHERE action <> 'follow') = 0
      THEN COALESCE(MAX(at_end), MAX(at_start))
      WHEN MAX(position) FILTER (WHERE action = 'upsert') = MAX(position) FILTER (WHERE action <> 'follow')
      THEN MAX_BY(at_end, position) FILTER (WHERE action = 'upsert')
    END AS at_end,
    MAX(position) AS position,
    MAX(committed_at) AS committed_at
  FROM ({changes}{following}
    UNION ALL
    SELECT DISTINCT same, origin, STRUCT(shard AS shard, part AS part), NULL, NULL, NULL, NULL
    FROM recorded_places
    WHERE lookup_table = hole_lookup_table AND NOT origin IS NULL
  ) AS said
  GROUP BY same, origin
)
SELECT
  hole_lookup_table AS lookup_table,
  a.key,
  COALESCE(w.at_start, STRUCT(hole_orphan_shard AS shard, hole_orphan_part AS part)) AS at_start,
  COALESCE(w.at_end, STRUCT(hole_orphan_shard AS shard, hole_orphan_part AS part)) AS at_end,
  w.position,
  w.committed_at
FROM asked AS a
LEFT JOIN (
  SELECT
    same,
    MIN_BY(at_start, origin) FILTER (WHERE NOT at_start IS NULL) AS at_start,
    MIN_BY(at_end, origin) FILTER (WHERE NOT at_end IS NULL) AS at_end,
    MAX(position) AS position,
    MAX(committed_at) AS committed_at
  FROM of_sources
  GROUP BY same
) AS w ON w.same = a.same
"""
_OF_TOPMOST = _PLACEMENTS.format(changes=_OWN_PLACES, following="")
_OF_OTHERS = _PLACEMENTS.format(changes=_PLACES_ABOVE, following=_FOLLOWING)


def whole_key(recorded: Origin | None) -> exp.Expr:
    """The key of a row of a lookup table, from that of the row that it is about, and its `source_table`. `recorded` is
    the lookup table's column with the source table's name."""
    if recorded is None:
        return sql.column("key")
    return sql.alias(fill(_WHOLE_KEY, "spark", origin=origin_in_spark(recorded)), "key")


def key_values(lookup_table: TablePlan, parent: TablePlan) -> list[exp.Expr]:
    """The values of that key's columns, from image `after` of the parent's row."""
    keys = [value_in_spark(parent, column, "after") for column in parent.key_columns]
    recorded = lookup_table.source_record
    return keys if recorded is None else [*keys, origin_in_spark(recorded)]


def placements_of_sources(lookup_table: TablePlan) -> exp.Expr:
    """Statement `placements` of a lookup table that has the parents of several source tables. Of these
    `recorded_places` has a row for each source table that has the parent (`origin`), and one without it for a parent
    that none has."""
    orphans = {"orphan_shard": sql.number(ORPHANS[0]), "orphan_part": sql.number(ORPHANS[1])}
    name = sql.text(lookup_table.logical)
    if lookup_table.placement.parent is None:
        return fill(_OF_TOPMOST, "spark", lookup_table=name, **orphans)
    width = len(lookup_table.key)
    return fill(
        _OF_OTHERS,
        "spark",
        lookup_table=name,
        above=sql.text(lookup_table.placement.parent.places),
        first=sql.number(width + 1),
        width=sql.number(width),
        **orphans,
    )
