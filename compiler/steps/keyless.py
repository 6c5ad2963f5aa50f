"""The steps of a table without a key (`TablePlan.counted`). A row is identified by all of its target columns, and equal
rows are only counted: the table is a multiset. Each step reads and yields what the step of that name does for any other
table, but for two things.

* `merge` adds up: an insert counts one, a delete takes one away, and an update does both. What is left of a row is
  how many copies come or go. A batch says nothing about rows whose number stays the same.
* `30-delete` deletes single rows. LIMIT is what tells one of several equal rows from the others. So the runtime
  executes the statement for one staged row at a time, and each execution has to find one row.

Counting is exact only where every event counts once. There is no step that may be repeated: the chunk is read at the
position where the stream begins (`11-chunk-read`), and everything takes effect from the stages.
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import CopiedColumn, Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.origin import source_table
from shardwright.compiler.sql.template import fill
from shardwright.compiler.sql.transport import canonical_text
from shardwright.compiler.steps.keys import physical_table
from shardwright.compiler.steps.route import EVERY_SHARD
from shardwright.compiler.steps.snapshot import add_row_filter
from shardwright.compiler.steps.verify_statements import Place, display_value, values_of

_READ = "SELECT hole_shard AS sw_shard, hole_part AS sw_part, hole_columns FROM hole_source WHERE hole_matching"

_MERGE = """
SELECT
  source_table,
  key,
  IF(SUM(copies) > 0, 'I', 'D') AS op,
  ABS(SUM(copies)) AS copies,
  MAX(position) AS position,
  MAX(committed_at) AS committed_at,
  MAX(home) AS home
FROM (
  SELECT
    source_table,
    key,
    IF(op = 'I', 1, -1) AS copies,
    position,
    committed_at,
    COALESCE(after_place, before_place) AS home
  FROM decoded
  WHERE op <> 'U'
  DISTRIBUTE BY source_table, key
) AS gathered
GROUP BY source_table, key
HAVING SUM(copies) <> 0
"""

_ROUTE = """
SELECT
  hole_logical AS `table`,
  source_table,
  place.shard AS shard,
  place.part AS part,
  IF(op = 'D', 'delete', 'upsert') AS action,
  op,
  key,
  position,
  committed_at,
  IF(op = 'D', NULL, key) AS `row`,
  CAST(NULL AS STRING) AS version_before,
  CAST(NULL AS STRING) AS version
FROM merged
LATERAL VIEW EXPLODE(hole_places) places AS place
"""
_COPIES = "ARRAY_REPEAT(home, CAST(copies AS INT))"
_COPIES_EVERYWHERE = "FLATTEN(ARRAY_REPEAT(hole_everywhere, CAST(copies AS INT)))"

_STAGED = "s.sw_batch = @sw_batch AND s.sw_part = @sw_part AND s.sw_action = @sw_action"
_INSERT = f"INSERT INTO hole_target (hole_names) SELECT hole_values FROM hole_stage AS s WHERE {_STAGED}"
_LEAVING = f"SELECT s.sw_line, s.sw_file, s.sw_offset FROM hole_stage AS s WHERE {_STAGED} ORDER BY s.sw_line"
_ROW = f"SELECT hole_columns FROM hole_stage AS s WHERE {_STAGED} AND s.sw_line = @sw_line"
_REMOVE_ONE = "DELETE FROM hole_target WHERE hole_same LIMIT 1"
# Numbers, for which the runtime replaces the placeholders: a server computes a subquery over variables for every row
# that it looks at, and MySQL uses no index then.
_SAME = """
hole_ours <=> (
  SELECT hole_theirs FROM hole_stage AS s
  WHERE s.sw_batch = `${batch}` AND s.sw_part = `${part}` AND s.sw_action = 'delete' AND s.sw_line = `${line}`
)
"""


def keyless_read(table: TablePlan, mapping: RowMapping, *, place: Place) -> Step:
    """MySQL, at the source, in the transaction that proves the start position: every row with its place and the
    target's values. `place` is over the source's columns; a broadcast row goes to all shards."""
    values = values_of("source", mapping)
    tree = fill(
        _READ,
        "mysql",
        shard=place[0],
        part=place[1],
        columns=[sql.alias(canonical_text(values(column), column.type), column.target) for column in table.columns],
        source=source_table(table),
        matching=add_row_filter(mapping, exp.true()),
    )
    comment = "The whole table, read where the stream begins: no event is counted twice."
    return Step(table.logical, StepName.CHUNK_READ, (Statement("whole", comment, sql.to_sql(tree, "mysql")),))


def keyless_merge(table: TablePlan) -> Step:
    comment = "How many copies of each row come or go. Rows whose number stays the same are left out."
    statement = Statement("merge", comment, sql.to_sql(fill(_MERGE, "spark"), "spark"))
    return Step(table.logical, StepName.MERGE, (statement,))


def keyless_route(table: TablePlan, *, shards: int) -> Step:
    places = fill(_COPIES, "spark")
    if table.placement.has_copies:
        everywhere = fill(EVERY_SHARD, "spark", last=sql.number(shards - 1))
        places = fill(_COPIES_EVERYWHERE, "spark", everywhere=everywhere)
    tree = fill(_ROUTE, "spark", logical=sql.text(table.logical), places=places)
    comment = "Where each copy goes to or leaves: the place follows from the row's values."
    return Step(table.logical, StepName.ROUTE, (Statement("route", comment, sql.to_sql(tree, "spark")),))


def keyless_insert(table: TablePlan) -> Step:
    names = [column.target for column in table.columns]
    tree = fill(
        _INSERT,
        "mysql",
        target=physical_table(table),
        names=[sql.identifier(name) for name in names],
        values=[sql.column(name, "s") for name in names],
        stage=sql.table(table.ours.stage),
    )
    statement = Statement("insert_copies", "Every staged copy, whatever rows exist.", sql.to_sql(tree, "mysql"))
    return Step(table.logical, StepName.UPSERT, (statement,))


def keyless_delete(table: TablePlan) -> Step:
    """Statements `leaving`, `remove_one`, which is executed for each line of the first, and `row`."""
    stage = sql.table(table.ours.stage)
    row = fill(_ROW, "mysql", columns=[display_value(sql.column(c.target), c) for c in table.columns], stage=stage)
    leaving = fill(_LEAVING, "mysql", stage=stage)
    same = [condition for column in table.columns for condition in _same(table, column)]
    remove = fill(_REMOVE_ONE, "mysql", target=physical_table(table), same=sql.all_of(same))
    return Step(
        table.logical,
        StepName.DELETE,
        (
            Statement("leaving", "The lines of the stage that leave, and their events.", sql.to_sql(leaving, "mysql")),
            Statement(
                "remove_one",
                "One of the rows that equal line `${line}` of the stage. Where none is there, the run stops.",
                sql.to_sql(remove, "mysql"),
            ),
            Statement("row", "Line @sw_line for display, when no row equals it.", sql.to_sql(row, "mysql")),
        ),
    )


def _same(table: TablePlan, column: CopiedColumn) -> list[exp.Expr]:
    """`<=>`, so that NULL equals NULL and an index can find the row; and where the server calls different values equal,
    the values' own form besides."""

    def condition(ours: exp.Expr, theirs: exp.Expr) -> exp.Expr:
        return fill(_SAME, "mysql", ours=ours, theirs=theirs, stage=sql.table(table.ours.stage))

    ours, theirs = sql.column(column.target), sql.column(column.target, "s")
    found = [condition(ours, theirs)]
    if own := _own_form(column.type):
        found.append(condition(sql.cast(ours, own, "mysql"), sql.cast(theirs, own, "mysql")))
    return found


def _own_form(kind: ColumnType) -> str | None:
    """The type as which values are compared besides: a collation may ignore letter case, accents and spaces at the end,
    and 0 equals -0."""
    if kind.is_text or kind.name in ("enum", "set"):
        return "BINARY"
    return "CHAR" if kind.name in ("float", "double") else None


def why_value_is_refused(kind: ColumnType) -> str | None:
    """Why a value of this type cannot be found again by itself; None when it can."""
    if kind.name == "json":
        return "documents are equal for a server that are written differently, and it keeps them otherwise than it read"
    plain = kind.is_integer or kind.is_text or kind.name in _EXACT
    return None if plain else f"values of type {kind.name.upper()} are not compared by servers"


_EXACT = frozenset(
    {"decimal", "float", "double", "date", "datetime", "timestamp", "time", "year", "enum", "set", "bit"}
    | {"binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "uuid", "inet4", "inet6"}
)
