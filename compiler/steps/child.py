"""The steps that differ for a table that is placed through its parent.

Every row is where the lookup table says that its parent is, at the stream's position; whatever changes that
is part of the batch. So a change goes to the parent's place at the batch's end and leaves its place at the batch's
start, for every parent that any image of the row names; and the rows of a parent that moves follow it (contract C7).
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan.plan import ORPHANS, Statement, Step, StepName, TablePlan
from shardwright.compiler.plan.table_parts import Origin, ParentLink
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.origin import origin_in_spark, source_in_spark, value_in_spark
from shardwright.compiler.sql.template import fill
from shardwright.compiler.sql.transport import canonical_text, key_identity
from shardwright.compiler.steps.keys import as_one, physical_table, same_key
from shardwright.compiler.steps.lookup import lookup
from shardwright.compiler.steps.route import route
from shardwright.compiler.steps.rows_read_again import rows_read_again

_VIA = "FILTER(ARRAY(hole_values), via -> via IS NOT NULL)"

_PARENTS = """
SELECT DISTINCT hole_lookup_table AS lookup_table, via AS key
FROM unplaced LATERAL VIEW EXPLODE(places) vias AS via
"""

_PLACE = """
SELECT u.* EXCEPT (after_place, places), placed.after_place, placed.places
FROM unplaced AS u
JOIN (
  SELECT
    v.source_table,
    v.key,
    MAX(IF(w.key = v.after_place, w.at_end, NULL)) AS after_place,
    ARRAY_DISTINCT(FLATTEN(COLLECT_LIST(ARRAY(w.at_start, w.at_end)))) AS places
  FROM (
    SELECT source_table, key, after_place, via FROM unplaced LATERAL VIEW EXPLODE(places) vias AS via
  ) AS v
  JOIN placements AS w ON w.lookup_table = hole_lookup_table AND w.key = v.via
  GROUP BY v.source_table, v.key
) AS placed ON placed.source_table = u.source_table AND placed.key = u.key
"""

_MOVING = """
SELECT hole_logical AS `table`, key, hole_at, at_end, position, committed_at
FROM placements
WHERE lookup_table = hole_lookup_table AND at_start <> at_end AND NOT position IS NULL
"""

_FOLLOW = """
SELECT
  hole_logical AS `table`,
  {source} AS source_table,
  place.shard AS shard,
  place.part AS part,
  IF(taken IS NULL, 'move_out', 'upsert') AS action,
  'U' AS op,
  key,
  position,
  committed_at,
  taken.`row` AS `row`,
  taken.version AS version_before,
  taken.version AS version
FROM (
  SELECT
    {of_row}f.key,
    f.place,
    MAX(f.position) AS position,
    MAX(f.committed_at) AS committed_at,
    MAX(IF(f.comes, STRUCT(f.`row` AS `row`, f.version AS version), NULL)) AS taken
  FROM (
    SELECT
      {of_moved}ARRAY(hole_key) AS key,
      step.place AS place,
      step.comes AS comes,
      position,
      committed_at,
      `row`,
      hole_version AS version
    FROM moved
    LATERAL VIEW EXPLODE(
      ARRAY(STRUCT(at_end AS place, TRUE AS comes), STRUCT(at_start AS place, FALSE AS comes))
    ) steps AS step
    WHERE `table` = hole_logical_again
  ) AS f
  LEFT ANTI JOIN merged AS own
    ON {same_source}own.key = f.key AND (f.comes OR ARRAY_CONTAINS(own.places, f.place))
  GROUP BY {of_row}f.key, f.place
) AS followed
"""
_FOLLOW_OF_ONE = _FOLLOW.format(source="hole_source", of_row="", of_moved="", same_source="")
_FOLLOW_OF_SEVERAL = _FOLLOW.format(
    source="source_table",
    of_row="f.source_table, ",
    of_moved="hole_source AS source_table, ",
    same_source="own.source_table = f.source_table AND ",
)
"""A row follows as one of its own source table, whatever happens to its key in another one."""

_CHUNK_KEYS = """
SELECT source_table, chunk, hole_row, hole_via AS via, ARRAY(hole_key) AS key
FROM (
  SELECT source_table, chunk, seen, STRUCT(hole_image) AS after
  FROM chunk_rows
) AS images
"""

_CHUNK_ROUTE = """
SELECT
  hole_logical AS `table`,
  source_table,
  chunk,
  COALESCE(shard, hole_orphan_shard) AS shard,
  COALESCE(part, hole_orphan_part) AS part,
  `row`
FROM found_rows
WHERE NOT excluded
"""

_CHILDREN = "SELECT hole_columns FROM hole_target AS t{owner} WHERE hole_via IN (`${{keys}}`)"
_AND_OWNER = " LEFT JOIN hole_owner AS o ON o.sw_part = @sw_part AND hole_same"

_ELSEWHERE = """
NOT EXISTS (SELECT 1 FROM hole_parent AS p WHERE hole_parent_of)
AND NOT (
  @sw_shard = hole_orphan_shard AND @sw_part = hole_orphan_part
  AND NOT EXISTS (SELECT 1 FROM hole_lookup_table AS b WHERE hole_place_of)
)
"""


def via_of_image(table: TablePlan, parent: TablePlan, image: str) -> exp.Expr:
    """Spark: the parent's key as the server compares it, from the child's image. A NULL in it makes it shorter than any
    key is, so that it finds no parent."""
    return fill(_VIA, "spark", values=via_identities(table, parent, image))


def via_identities(table: TablePlan, parent: TablePlan, image: str) -> list[exp.Expr]:
    """Spark: the columns of the parent's key, as the server compares them, from the child's image."""
    pairs = zip(table.via_columns, parent.key_columns, strict=True)
    return [key_identity(value_in_spark(table, column, image), key.type) for column, key in pairs]


def moves(table: TablePlan, *, at: exp.Expr) -> Statement:
    """The parents whose rows in `table` are read `at` this place, because they move."""
    tree = fill(_MOVING, "spark", logical=sql.text(table.logical), at=at, lookup_table=sql.text(_link(table).places))
    return Statement(
        "moving",
        "Parents that change their place. The rows of a new parent leave the orphans' place, those of a deleted "
        "one return there.",
        sql.to_sql(tree, "spark"),
    )


def child_route(table: TablePlan, mapping: RowMapping, *, shards: int) -> Step:
    """`parents` says whose placements are wanted; `place` turns `unplaced` (what merge yields) and `placements` into
    `merged`, which `route` reads as for any table; `moving` names the parents whose rows are read into `moved`, and
    `follow` adds those. Where parents were read again, `gathering` takes the place of `moving`. Where rows are
    quarantined, `followers` makes `moved` of all that was read (`moved_rows`)."""
    parent = _link(table)
    parents = fill(_PARENTS, "spark", lookup_table=sql.text(parent.places))
    place = fill(_PLACE, "spark", lookup_table=sql.text(parent.places))
    version = next((i for i, column in enumerate(table.columns) if column.target == table.writes.version_column), None)
    follow = fill(
        _FOLLOW_OF_ONE if len(table.sources) == 1 else _FOLLOW_OF_SEVERAL,
        "spark",
        logical=sql.text(table.logical),
        logical_again=sql.text(table.logical),
        source=_source_of_moved(table),
        key=row_key(table),
        version=exp.cast(exp.Null(), "STRING") if version is None else _in_row(version),
    )
    statements = (
        Statement("parents", "The parents that the batch's rows have or had.", sql.to_sql(parents, "spark")),
        Statement(
            "place",
            "Where each row goes and where it was: at its parents' places when the batch ends and when it began.",
            sql.to_sql(place, "spark"),
        ),
        *route(table, mapping, shards=shards).statements,
        moves(table, at=sql.column("at_start")),
        *rows_read_again(table, key=row_key(table), shards=shards),
        Statement(
            "follow",
            "Rows without a change of their own follow their parent. Rows with one only leave the old place.",
            sql.to_sql(follow, "spark"),
        ),
    )
    return Step(table.logical, StepName.ROUTE, statements)


def child_snapshot_route(table: TablePlan, parent: TablePlan, mapping: RowMapping, *, recorded: Origin | None) -> Step:
    """`keys` reads view `chunk_rows` and makes the target's rows; `route` reads `found_rows`: the same with the
    parent's shard and part from the lookup table of places, and whether the row was excluded since. `recorded` is the
    last part of the key of rows that are excluded, where the child has several source tables."""
    key = [key_identity(value_in_spark(table, column, "after"), column.type) for column in table.key_columns]
    if recorded is not None:
        key.append(origin_in_spark(recorded))
    row: exp.Expr = sql.alias(sql.column("seen"), "row")
    if not mapping.is_plain:
        row = sql.alias(fill("ARRAY(hole_values)", "spark", values=mapping.spark("after")), "row")
    keys = fill(
        _CHUNK_KEYS,
        "spark",
        row=row,
        via=via_of_image(table, parent, "after"),
        key=key,
        image=[sql.element("seen", index, column.name) for index, column in enumerate(table.source.reads)],
    )
    placed = fill(
        _CHUNK_ROUTE,
        "spark",
        logical=sql.text(table.logical),
        orphan_shard=sql.number(ORPHANS[0]),
        orphan_part=sql.number(ORPHANS[1]),
    )
    statements = (
        Statement("keys", "Each row of a chunk with its parent's key and its own.", sql.to_sql(keys, "spark")),
        Statement("route", "Each row goes where its parent is.", sql.to_sql(placed, "spark")),
    )
    return Step(table.logical, StepName.SNAPSHOT_ROUTE, statements)


def child_lookup(table: TablePlan) -> Step:
    """The look-up of any table, and the rows of parents that move."""
    return Step(table.logical, StepName.LOOKUP, (*lookup(table).statements, children_of(table)))


def children_of(table: TablePlan) -> Statement:
    """`${keys}` is a list of parents' keys. Where rows have owners, the number of the owner ends each row, and @sw_part
    is the number of the physical table."""
    columns = [canonical_text(sql.column(column.target, "t"), column.type) for column in table.columns]
    owner: dict[str, exp.Expr] = {}
    if table.ours.owner is not None:
        columns.append(sql.column("sw_source", "o"))
        owner = {"owner": sql.table(table.ours.owner), "same": same_key(table, "o", "t")}
    tree = fill(
        _CHILDREN.format(owner=_AND_OWNER if owner else ""),
        "mysql",
        columns=columns,
        target=physical_table(table),
        via=as_one([sql.column(column.target, "t") for column in table.via_columns]),
        **owner,
    )
    return Statement("children", "Whole rows of parents that move, as chunks read them.", sql.to_sql(tree, "mysql"))


def child_elsewhere(table: TablePlan, parent: TablePlan) -> exp.Expr:
    """MySQL, over a physical table of the child: its parent is in none of the same number here, and it is no orphan
    in the orphans' table."""
    link, physical = _link(table), table.logical + "${suffix}"
    pairs = list(zip(table.via_columns, parent.key, strict=True))
    return fill(
        _ELSEWHERE,
        "mysql",
        parent=physical_table(parent),
        parent_of=sql.all_of(sql.column(key, "p").eq(sql.column(via.target, physical)) for via, key in pairs),
        orphan_shard=sql.number(ORPHANS[0]),
        orphan_part=sql.number(ORPHANS[1]),
        lookup_table=sql.table(link.places),
        place_of=sql.all_of(sql.column(key, "b").eq(sql.column(via.target, physical)) for via, key in pairs),
    )


def row_key(table: TablePlan) -> list[exp.Expr]:
    """Spark: the key, as the server compares it, from an array of the row's values."""
    positions = {column.target: index for index, column in enumerate(table.columns)}
    return [key_identity(_in_row(positions[column.target]), column.type) for column in table.key_columns]


def _source_of_moved(table: TablePlan) -> exp.Expr:
    """Spark: the source table of a row that moves with its parent: of several its owner, or what its key says."""
    if table.identity.origin is None:
        return sql.text(str(table.sources[0])) if len(table.sources) == 1 else sql.column("source_table")
    index = next(i for i, column in enumerate(table.columns) if table.identity.origin.column == column.target)
    return source_in_spark(table.identity.origin, _in_row(index), source=table.sources[0])


def _in_row(index: int) -> exp.Expr:
    return exp.Bracket(this=sql.column("row"), expressions=[sql.number(index)])


def _link(table: TablePlan) -> ParentLink:
    assert table.placement.parent is not None
    return table.placement.parent
