"""The steps of a family's lookup tables (see `Plan.lookup_tables`): how they are created and filled, and how a batch
advances them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan.plan import FROM, ORPHANS, PART, SHARD, Statement, Step, StepName, TablePlan
from shardwright.compiler.plan.table_parts import Origin
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.origin import origin_text, source_table, value_at_source
from shardwright.compiler.sql.template import Filling, fill
from shardwright.compiler.sql.transport import canonical_text, text_form
from shardwright.compiler.steps.bookkeeping import column_definition, stage
from shardwright.compiler.steps.child import children_of
from shardwright.compiler.steps.joined_places import Joins
from shardwright.compiler.steps.key_lookup import key_lookup_statements
from shardwright.compiler.steps.keys import after, as_one, in_order, key_names
from shardwright.compiler.steps.lookup import is_collapsed_by_server, lookup
from shardwright.compiler.steps.parents_of_sources import key_values, placements_of_sources, whole_key
from shardwright.compiler.steps.snapshot import add_row_filter

FILL_ROWS = 50_000
"""Rows that are read at once when a lookup table begins. LIMIT takes no variables, so it is fixed."""

_LOOKUP_TABLE = "CREATE TABLE IF NOT EXISTS hole_name (hole_columns, PRIMARY KEY (hole_key)) ENGINE=InnoDB"

_LOOKUP_TABLE_BELOW = """
CREATE TABLE IF NOT EXISTS hole_name (
  hole_columns, PRIMARY KEY (hole_key), KEY sw_above (hole_via)
) ENGINE=InnoDB
"""

_FILL = "SELECT hole_columns FROM hole_source WHERE hole_range ORDER BY hole_order LIMIT hole_rows"

_PLACES = """
SELECT hole_columns, hole_found FROM hole_lookup_table AS t{joins} WHERE hole_key IN (`${{keys}}`){order}
"""

_OF_EACH_SOURCE = f"CASE WHEN NOT t.{FROM} IS NULL THEN COALESCE(hole_found, hole_orphan) END"
"""A source table may have the parent, and what is above it may be missing."""

_ROUTE_PLACES = """
SELECT
  hole_lookup_table AS `table`,
  source_table,
  hole_home_shard AS shard,
  hole_home_part AS part,
  IF(op = 'D', 'delete', 'upsert') AS action,
  op,
  hole_whole_key,
  position,
  committed_at,
  IF(op = 'D', NULL, ARRAY(hole_key, CAST(after_place.shard AS STRING), CAST(after_place.part AS STRING))) AS `row`,
  CAST(NULL AS STRING) AS version_before,
  CAST(NULL AS STRING) AS version
FROM merged
WHERE op <> 'U' OR SIZE(places) > 1
"""

_PLACED = """
SELECT
  s.lookup_table,
  s.key,
  STRUCT(COALESCE(s.shard, hole_orphan_shard) AS shard, COALESCE(s.part, hole_orphan_part) AS part) AS at_start,
  IF(
    c.{same} IS NULL,
    STRUCT(COALESCE(s.shard, hole_orphan_shard) AS shard, COALESCE(s.part, hole_orphan_part) AS part),
    COALESCE(c.place, STRUCT(hole_orphan_shard AS shard, hole_orphan_part AS part))
  ) AS at_end,
  c.position,
  c.committed_at
FROM recorded_places AS s
LEFT JOIN (
{changes}
) AS c ON c.lookup_table = s.lookup_table AND c.{same} = s.{same}
WHERE s.lookup_table = hole_lookup_table
"""
_PLACEMENTS = _PLACED.format(
    same="key",
    changes="""
  SELECT
    `table` AS lookup_table,
    key,
    MAX(position) AS position,
    MAX(committed_at) AS committed_at,
    MAX_BY(
      STRUCT(CAST(ELEMENT_AT(`row`, -2) AS INT) AS shard, CAST(ELEMENT_AT(`row`, -1) AS INT) AS part), position
    ) FILTER (WHERE action = 'upsert') AS place
  FROM lookup_changes
  GROUP BY `table`, key
""",
)
_PLACEMENTS_SPELT = _PLACED.format(
    same="same",
    changes="""
  SELECT
    r.lookup_table,
    r.same,
    MAX(l.position) AS position,
    MAX(l.committed_at) AS committed_at,
    IF(
      MAX(l.position) FILTER (WHERE l.action = 'upsert') = MAX(l.position),
      MAX_BY(
        STRUCT(CAST(ELEMENT_AT(l.`row`, -2) AS INT) AS shard, CAST(ELEMENT_AT(l.`row`, -1) AS INT) AS part), l.position
      ) FILTER (WHERE l.action = 'upsert'),
      NULL
    ) AS place
  FROM lookup_changes AS l
  JOIN recorded_places AS r ON r.lookup_table = l.`table` AND r.key = l.key
  GROUP BY r.lookup_table, r.same
""",
)
"""The same where one key may be spelt in several ways: changes of one parent are those of keys that the server calls
the same. Where one event deletes a spelling and inserts another, the insert stays, as `steps.filter` has it."""

_ROUTE_EXCLUDED = """
SELECT
  hole_lookup_table AS `table`,
  hole_source AS source_table,
  hole_home_shard AS shard,
  hole_home_part AS part,
  'upsert' AS action,
  'I' AS op,
  key,
  MAX(position) AS position,
  MAX(committed_at) AS committed_at,
  key AS `row`,
  CAST(NULL AS STRING) AS version_before,
  CAST(NULL AS STRING) AS version
FROM hole_unplaced
WHERE op = 'D' OR SIZE(places) > 1
GROUP BY key
"""
_OF_ITS_SOURCE = "(SELECT hole_whole_key, places, op, position, committed_at FROM unplaced)"


def create_lookup_table(lookup_table: TablePlan, *, kinds: Mapping[str, exp.DataType]) -> Step:
    """On every shard, though only the first one's has rows: `verify` asks it there by the same statement."""
    integer = exp.DataType.build("INT")
    columns = [
        column_definition(column.target, kinds.get(column.target, integer), column.type, nullable=False)
        for column in lookup_table.columns
    ]
    holes: dict[str, Filling] = {
        "name": sql.table(lookup_table.logical),
        "columns": columns,
        "key": [sql.identifier(name) for name in lookup_table.key],
    }
    if lookup_table.placement.parent is None:
        tree = fill(_LOOKUP_TABLE, "mysql", **holes)
    else:
        via = [sql.identifier(name) for name in lookup_table.placement.parent.via]
        tree = fill(_LOOKUP_TABLE_BELOW, "mysql", via=via, **holes)
    made = Statement("lookup_table", "Kept beside the rows, advanced with each batch.", sql.to_sql(tree, "mysql"))
    staged = stage(
        lookup_table, kinds={column.target: kinds.get(column.target, integer) for column in lookup_table.columns}
    )
    return Step(lookup_table.logical, StepName.BOOKKEEPING, (made, staged))


def fill_places(
    lookup_table: TablePlan, parent: TablePlan, mapping: RowMapping, *, place: tuple[exp.Expr, exp.Expr] | None
) -> Step:
    """MySQL, at the source, in the one transaction that proves the start: key and place of every parent that is moved.
    `mapping` is the lookup table's. `place` is over the source's columns; None for one that has a parent itself, whose
    key is read instead."""
    columns = [canonical_text(value_at_source(parent, column), column.type) for column in parent.key_columns]
    if lookup_table.source_record is not None:
        columns.append(origin_text(lookup_table.source_record))
    if place is None:
        columns += [canonical_text(mapping.mysql(column.target), column.type) for column in lookup_table.via_columns]
    else:
        columns += [sql.alias(value, name) for value, name in zip(place, (SHARD, PART), strict=True)]

    def read(condition: exp.Expr) -> str:
        tree = fill(
            _FILL,
            "mysql",
            columns=columns,
            source=source_table(parent),
            range=add_row_filter(mapping, condition),
            order=in_order(key_names(parent, "source")),
            rows=sql.number(FILL_ROWS),
        )
        return sql.to_sql(tree, "mysql")

    return Step(
        lookup_table.logical,
        StepName.CHUNK_READ,
        (
            Statement("first", "Where the parents are: the first ones by key.", read(exp.true())),
            Statement("next", "The ones after @sw_low.", read(after(parent, "source", "sw_low"))),
        ),
    )


def places_lookup(
    lookup_table: TablePlan, above: Sequence[TablePlan] = (), *, kinds: Mapping[str, exp.DataType]
) -> Step:
    """The look-up of any table, and the one that says where parents are. `${keys}` is the key list. `above` are the
    lookup tables of the parent's parent, of its parent and so on: the topmost one has the place. Where several source
    tables may have a parent, each row found ends with the name of its own, and the first one counts."""
    joins, several = Joins.up((lookup_table, *above)), lookup_table.source_record is not None
    found: list[exp.Expr] = [sql.column(name, joins.last if above else None) for name in (SHARD, PART)]
    if several:
        found = [*(_of_each_source(found) if above else found), sql.column(FROM, "t")]
    tree = fill(
        _PLACES.format(joins=joins.text("LEFT JOIN" if several else "JOIN"), order=joins.order),
        "mysql",
        columns=[text_form(sql.column(column.target, "t"), column.type) for column in lookup_table.lookup_columns],
        found=found,
        lookup_table=sql.table(lookup_table.logical),
        key=as_one([sql.column(column.target, "t") for column in lookup_table.lookup_columns]),
        **joins.holes,
    )
    statements = [
        *lookup(lookup_table).statements,
        Statement("places", "Where parents are at the stream's position.", sql.to_sql(tree, "mysql")),
    ]
    if above:
        statements.append(children_of(lookup_table))
    if not several:
        found = [sql.column(name, joins.last) for name in (SHARD, PART)]
    statements += key_lookup_statements(lookup_table, kinds=kinds, found=found, joins=joins)
    return Step(lookup_table.logical, StepName.LOOKUP, tuple(statements))


def _of_each_source(found: Sequence[exp.Expr]) -> list[exp.Expr]:
    pairs = zip(found, ORPHANS, strict=True)
    return [fill(_OF_EACH_SOURCE, "mysql", found=value, orphan=sql.number(orphan)) for value, orphan in pairs]


def lookup_of_excluded(lookup_table: TablePlan, *, kinds: Mapping[str, exp.DataType]) -> Step:
    """The look-up of any table: which rows are excluded."""
    found = [sql.column(lookup_table.key[0], "t")]
    asked = key_lookup_statements(lookup_table, kinds=kinds, found=found, joins=Joins.up((lookup_table,)))
    return Step(lookup_table.logical, StepName.LOOKUP, (*lookup(lookup_table).statements, *asked))


def places_route(lookup_table: TablePlan, parent: TablePlan) -> Step:
    """`route` reads the parent's `merged`. `placements` reads `recorded_places` (lookup table, key, shard, part, and
    `same`, which is equal for keys that are one: the look-up's answer) and `lookup_changes` (all that was routed to
    lookup tables). It says where each parent is at the batch's start and end."""
    routed = fill(
        _ROUTE_PLACES,
        "spark",
        lookup_table=sql.text(lookup_table.logical),
        whole_key=whole_key(lookup_table.source_record),
        key=key_values(lookup_table, parent),
        home_shard=_HOME[0],
        home_part=_HOME[1],
    )
    if lookup_table.source_record is not None:
        placements = placements_of_sources(lookup_table)
    else:
        placements = fill(
            _PLACEMENTS_SPELT if is_collapsed_by_server(lookup_table) else _PLACEMENTS,
            "spark",
            lookup_table=sql.text(lookup_table.logical),
            orphan_shard=_ORPHAN[0],
            orphan_part=_ORPHAN[1],
        )
    return Step(
        lookup_table.logical,
        StepName.ROUTE,
        (
            Statement(
                "route", "Parents that were inserted, deleted or changed their place.", sql.to_sql(routed, "spark")
            ),
            Statement(
                "placements",
                "Where parents are when the batch begins and when it ends.",
                sql.to_sql(placements, "spark"),
            ),
        ),
    )


def route_of_excluded(lookup_table: TablePlan, recorded: Origin | None) -> Step:
    """Reads `unplaced`: of these rows the stream knows all; what a chunk has read earlier counts no more. `recorded` is
    the last part of the lookup table's key, where the child has several source tables."""
    unplaced = sql.table("unplaced")
    if recorded is not None:
        unplaced = fill(_OF_ITS_SOURCE, "spark", whole_key=whole_key(recorded))
    tree = fill(
        _ROUTE_EXCLUDED,
        "spark",
        lookup_table=sql.text(lookup_table.logical),
        source=sql.text(str(lookup_table.sources[0])),
        unplaced=unplaced,
        home_shard=_HOME[0],
        home_part=_HOME[1],
    )
    comment = "Rows that were deleted or went to another parent: no chunk brings them back."
    return Step(lookup_table.logical, StepName.ROUTE, (Statement("route", comment, sql.to_sql(tree, "spark")),))


_HOME = (sql.number(0), sql.number(0))
_ORPHAN = tuple(sql.number(number) for number in ORPHANS)
assert {SHARD, PART} == {"sw_at_shard", "sw_at_part"}  # as the templates write them
