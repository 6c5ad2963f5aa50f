"""The steps of a family's books (see `compiler.books`): their tables, how they begin, and how a batch advances them."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan.bookkeeping_names import ORPHANS, PART, SHARD
from shardwright.compiler.plan.plan import Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.sql.transport import canonical_text, printed_text
from shardwright.compiler.steps.bookkeeping import column_definition, stage
from shardwright.compiler.steps.filter import lookup
from shardwright.compiler.steps.keys import after, in_order, key_names
from shardwright.compiler.steps.snapshot import matching

FILL_ROWS = 50_000
"""Rows that are read at once when a book begins. LIMIT takes no variables, so it is fixed."""

_BOOK = "CREATE TABLE IF NOT EXISTS hole_name (hole_columns, PRIMARY KEY (hole_key)) ENGINE=InnoDB"

_FILL = """
SELECT hole_key, hole_shard AS sw_at_shard, hole_part AS sw_at_part
FROM hole_source WHERE hole_range ORDER BY hole_order LIMIT hole_rows
"""

_PLACES = "SELECT hole_columns, sw_at_shard, sw_at_part FROM hole_book AS t WHERE hole_key IN (`${keys}`)"

_ROUTE_PLACES = """
SELECT
  hole_book AS `table`,
  source_table,
  hole_home_shard AS shard,
  hole_home_part AS part,
  IF(op = 'D', 'delete', 'upsert') AS action,
  op,
  key,
  position,
  committed_at,
  IF(op = 'D', NULL, ARRAY(hole_key, CAST(after_place.shard AS STRING), CAST(after_place.part AS STRING))) AS `row`,
  CAST(NULL AS STRING) AS version_before,
  CAST(NULL AS STRING) AS version
FROM merged
WHERE op <> 'U' OR SIZE(places) > 1
"""

_WHEREABOUTS = """
SELECT
  s.book,
  s.key,
  STRUCT(COALESCE(s.shard, hole_orphan_shard) AS shard, COALESCE(s.part, hole_orphan_part) AS part) AS at_start,
  IF(
    c.key IS NULL,
    STRUCT(COALESCE(s.shard, hole_orphan_shard) AS shard, COALESCE(s.part, hole_orphan_part) AS part),
    COALESCE(c.place, STRUCT(hole_orphan_shard AS shard, hole_orphan_part AS part))
  ) AS at_end,
  c.position,
  c.committed_at
FROM stood AS s
LEFT JOIN (
  SELECT
    `table` AS book,
    key,
    MAX(position) AS position,
    MAX(committed_at) AS committed_at,
    MAX_BY(
      STRUCT(CAST(ELEMENT_AT(`row`, -2) AS INT) AS shard, CAST(ELEMENT_AT(`row`, -1) AS INT) AS part), position
    ) FILTER (WHERE action = 'upsert') AS place
  FROM book_changes
  GROUP BY `table`, key
) AS c ON c.book = s.book AND c.key = s.key
WHERE s.book = hole_book
"""

_ROUTE_DEPARTED = """
SELECT
  hole_book AS `table`,
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
FROM unplaced
WHERE op = 'D' OR SIZE(places) > 1
GROUP BY key
"""


def book_tables(book: TablePlan, *, kinds: Mapping[str, exp.DataType]) -> Step:
    """On every shard, though only the first one's has rows: `verify` asks it there by the same statement."""
    integer = exp.DataType.build("INT")
    columns = [
        column_definition(column.target, kinds.get(column.target, integer), column.type, nullable=False)
        for column in book.columns
    ]
    key = [sql.identifier(name) for name in book.key]
    tree = fill(_BOOK, "mysql", name=sql.table(book.logical), columns=columns, key=key)
    made = Statement("book", "Kept beside the rows, advanced with each batch.", sql.to_sql(tree, "mysql"))
    staged = stage(book, kinds={column.target: kinds.get(column.target, integer) for column in book.columns})
    return Step(book.logical, StepName.BOOKKEEPING, (made, staged))


def fill_places(book: TablePlan, parent: TablePlan, mapping: RowMapping, *, place: tuple[exp.Expr, exp.Expr]) -> Step:
    """MySQL, at the source, in the one transaction that proves the start: key and place of every parent that is moved. `place` is over
    the source's columns."""

    def read(condition: exp.Expr) -> str:
        tree = fill(
            _FILL,
            "mysql",
            key=[canonical_text(sql.column(column.source), column.type) for column in parent.key_columns],
            shard=place[0],
            part=place[1],
            source=sql.table("${source_table}", database="${source_database}"),
            range=matching(mapping, condition),
            order=in_order(key_names(parent, "source")),
            rows=sql.number(FILL_ROWS),
        )
        return sql.to_sql(tree, "mysql")

    return Step(
        book.logical,
        StepName.CHUNK_READ,
        (
            Statement("first", "Where the parents stand: the first ones by key.", read(exp.true())),
            Statement("next", "The ones after @sw_low.", read(after(parent, "source", "sw_low"))),
        ),
    )


def places_lookup(book: TablePlan) -> Step:
    """The look-up of any table, and the one that says where parents stand. `${keys}` is the key list."""
    names = [sql.column(name, "t") for name in book.key]
    tree = fill(
        _PLACES,
        "mysql",
        columns=[printed_text(sql.column(column.target, "t"), column.type) for column in book.key_columns],
        book=sql.table(book.logical),
        key=names[0] if len(names) == 1 else exp.Tuple(expressions=names),
    )
    places = Statement("places", "Where parents stand at the stream's position.", sql.to_sql(tree, "mysql"))
    return Step(book.logical, StepName.LOOKUP, (*lookup(book).statements, places))


def places_route(book: TablePlan, parent: TablePlan) -> Step:
    """`route` reads the parent's `merged`. `whereabouts` reads `stood` (book, key, shard, part: the look-up's answer) and
    `book_changes` (all that was routed to books) and says where each parent stands at the batch's start and end."""
    keys = [sql.column(column.source, "after") for column in parent.key_columns]
    routed = fill(
        _ROUTE_PLACES, "spark", book=sql.text(book.logical), key=keys, home_shard=_HOME[0], home_part=_HOME[1]
    )
    whereabouts = fill(
        _WHEREABOUTS, "spark", book=sql.text(book.logical), orphan_shard=_ORPHAN[0], orphan_part=_ORPHAN[1]
    )
    return Step(
        book.logical,
        StepName.ROUTE,
        (
            Statement("route", "Parents that came, went or changed their place.", sql.to_sql(routed, "spark")),
            Statement(
                "whereabouts",
                "Where parents stand when the batch begins and when it ends.",
                sql.to_sql(whereabouts, "spark"),
            ),
        ),
    )


def departed_route(book: TablePlan) -> Step:
    """Reads `unplaced`: of these rows the stream knows all; what a chunk has read earlier counts no more."""
    tree = fill(
        _ROUTE_DEPARTED,
        "spark",
        book=sql.text(book.logical),
        source=sql.text(str(book.sources[0])),
        home_shard=_HOME[0],
        home_part=_HOME[1],
    )
    comment = "Rows that were deleted or went to another parent: no chunk brings them back."
    return Step(book.logical, StepName.ROUTE, (Statement("route", comment, sql.to_sql(tree, "spark")),))


_HOME = (sql.number(0), sql.number(0))
_ORPHAN = tuple(sql.number(number) for number in ORPHANS)
assert {SHARD, PART} == {"sw_at_shard", "sw_at_part"}  # as the templates write them
