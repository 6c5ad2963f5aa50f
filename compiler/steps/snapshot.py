"""Snapshot: where a chunk ends, reading it, placing its rows, and inserting them where no row is (contract C4)."""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.columns.row_mapping import RowMapping, plain_mapping
from shardwright.compiler.plan.plan import Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.origin import source_table
from shardwright.compiler.sql.printer import share
from shardwright.compiler.sql.template import fill
from shardwright.compiler.sql.transport import canonical_text, text_form
from shardwright.compiler.steps.decode import Place
from shardwright.compiler.steps.keys import (
    Side,
    after,
    as_one,
    at,
    between,
    in_order,
    key_names,
    physical_table,
    same_columns,
    same_key,
    up_to,
)
from shardwright.compiler.steps.owners import around_chunk_insert, chunk_exclusions, same_tombstone
from shardwright.compiler.steps.route import EVERY_SHARD

CHUNK = "_sw_chunk"

_BOUND = "SELECT hole_key FROM hole_source WHERE hole_range ORDER BY hole_order LIMIT 1 OFFSET `${chunk_rows}`"
_BYTES = "SELECT hole_bytes AS row_bytes FROM hole_source WHERE hole_same"
_READ_BY_KEYS = "SELECT hole_columns FROM hole_source WHERE hole_key IN (`${keys}`)"
_LONG_VALUE = "COALESCE(OCTET_LENGTH(hole_value), 0)"
_READ = "SELECT hole_columns FROM hole_source WHERE hole_range"

_ROUTE = """
WITH images AS (
  SELECT source_table, chunk, `row`, STRUCT(hole_image) AS after
  FROM chunk_rows
)
SELECT hole_logical AS `table`, source_table, chunk, place.shard AS shard, place.part AS part, hole_row
FROM images
LATERAL VIEW EXPLODE(hole_places) places AS place
"""

_ONE_PLACE = "ARRAY(STRUCT(hole_shard AS shard, hole_part AS part))"

_CHUNK_TABLE = "CREATE TEMPORARY TABLE hole_chunk LIKE hole_stage"
_INSERT = """
INSERT INTO hole_target (hole_names)
SELECT hole_values FROM hole_chunk AS c
WHERE c.sw_part = @sw_part
  AND NOT EXISTS (SELECT 1 FROM hole_target AS t WHERE hole_same)
  AND NOT EXISTS (SELECT 1 FROM hole_tombstone AS d WHERE d.sw_part = c.sw_part AND hole_gone)
  AND hole_free
"""
_INSERT_UNLESS_TAKEN = f"{_INSERT} ON DUPLICATE KEY UPDATE hole_unchanged = hole_kept"
"""The server's index finds the rows that begin alike; no condition on how values begin can use it. The row that is
there stays as it is."""
_VALUE_FREE = "NOT EXISTS (SELECT 1 FROM hole_target AS u WHERE hole_same_value)"
_REMOVE_DELETED = """
DELETE t FROM (SELECT hole_key FROM hole_tombstone WHERE sw_part = @sw_part AND hole_range) AS d
STRAIGHT_JOIN hole_target AS t ON hole_same
"""
"""From the few tombstones to the many rows, whatever the server believes of their numbers: the table may have been
filled just now."""
_DROP_CHUNK = "DROP TEMPORARY TABLE hole_chunk"


def chunk_bound(table: TablePlan) -> Step:
    """MySQL: the key that ends the next chunk, asked of the source (`first`, then `next` after @sw_low_n). Where values
    may be long, `bytes` says how long those of the row @sw_low_n are: one row of many is looked at, which costs next to
    nothing."""
    names = key_names(table, "source")
    text = [text_form(sql.column(name), c.type) for name, c in zip(names, table.key_columns, strict=True)]
    order = in_order(names)

    def bound_sql(condition: exp.Expr) -> str:
        tree = fill(_BOUND, "mysql", key=text, source=source_table(table), range=condition, order=order)
        return sql.to_sql(tree, "mysql")

    statements = [
        Statement("first", "End of the first chunk.", bound_sql(exp.true())),
        Statement("next", "End of the chunk after @sw_low.", bound_sql(after(table, "source", "sw_low"))),
    ]
    if long := [column for column in table.source.reads if column.type.may_be_long]:
        values = [fill(_LONG_VALUE, "mysql", value=sql.column(column.name)) for column in long]
        tree = fill(
            _BYTES, "mysql", bytes=sql.sum_of(values), source=source_table(table), same=at(table, "source", "sw_low")
        )
        statements.append(
            Statement("bytes", "Length of the long values of the row @sw_low.", sql.to_sql(tree, "mysql"))
        )
    return Step(table.logical, StepName.CHUNK_BOUND, tuple(statements))


def chunk_read(table: TablePlan, mapping: RowMapping | None = None, *, place: Place | None = None) -> Step:
    """MySQL: the rows of one chunk that the filter lets through, what is read of them as canonical text; exclusive
    lower, inclusive upper bound, either may be open. With a `place` each row begins with it, as two integers. `by_keys`
    has the rows of given keys whether the filter lets them through or not: they become events, and decode applies
    it."""
    columns, source = _read_texts(table), source_table(table)
    if place is not None:
        columns = [sql.alias(place[0], "sw_shard"), sql.alias(place[1], "sw_part"), *columns]
    ranges = {name: add_row_filter(mapping, condition) for name, condition in _ranges(table, "source").items()}
    statements = tuple(
        Statement(name, f"Chunk with bounds '{name}'.",
                  sql.to_sql(fill(_READ, "mysql", columns=columns, source=source, range=condition), "mysql"))
        for name, condition in ranges.items()
    )  # fmt: skip
    return Step(table.logical, StepName.CHUNK_READ, (*statements, _by_keys(table)))


def read_by_keys(table: TablePlan) -> Step:
    """The same of a table of which no chunk is read."""
    return Step(table.logical, StepName.CHUNK_READ, (_by_keys(table),))


def _by_keys(table: TablePlan) -> Statement:
    key = as_one([sql.column(name) for name in key_names(table, "source")])
    tree = fill(_READ_BY_KEYS, "mysql", columns=_read_texts(table), source=source_table(table), key=key)
    return Statement("by_keys", "Rows that are read again; decode applies the row filter.", sql.to_sql(tree, "mysql"))


def _read_texts(table: TablePlan) -> list[exp.Expr]:
    return [share(canonical_text(sql.column(column.name), column.type)) for column in table.source.reads]


def _ranges(table: TablePlan, side: Side) -> dict[str, exp.Expr]:
    """The forms of a chunk's bounds (`Chunk.bounds`): @sw_low < key <= @sw_high, either end may be open."""
    low, high = after(table, side, "sw_low"), up_to(table, side, "sw_high")
    return {"all": exp.true(), "up_to": high, "after": low, "between": between(table, side)}


def add_row_filter(mapping: RowMapping | None, condition: exp.Expr) -> exp.Expr:
    """MySQL: `condition` and the row filter. A row for which the filter is NULL is not selected."""
    if mapping is None or mapping.row_filter is None:
        return condition
    return sql.all_of([exp.paren(condition), exp.paren(mapping.row_filter.mysql())])


def snapshot_route(table: TablePlan, mapping: RowMapping | None = None, *, place: Place, shards: int) -> Step:
    """Spark: reads view `chunk_rows` (source_table, chunk, seen, row), yields table, chunk, shard, part, row. `seen`
    are the values of `table.spark_columns`. A row that travels whole is passed on as it is, whatever holds its values;
    any other is made of what is seen."""
    image = [sql.element("seen", index, column.name) for index, column in enumerate(table.spark_columns)] or [
        sql.alias(exp.null(), "nothing")
    ]
    if table.placement.has_copies:
        places = fill(EVERY_SHARD, "spark", last=sql.number(shards - 1))
    else:
        places = fill(_ONE_PLACE, "spark", shard=place[0], part=place[1])
    mapping = mapping or plain_mapping(table)
    row: exp.Expr = sql.column("row")
    if not table.travels_whole:
        row = sql.alias(fill("ARRAY(hole_values)", "spark", values=mapping.spark("after")), "row")
    tree = fill(_ROUTE, "spark", image=image, logical=sql.text(table.logical), row=row, places=places)
    comment = "Where each row of a chunk belongs" + (
        "." if table.travels_whole else ", and its values as the target has them."
    )
    if table.placement.is_read:
        comment += " The dry run and spec tests ask this; a run takes it from 11-chunk-read."
    return Step(table.logical, StepName.SNAPSHOT_ROUTE, (Statement("route", comment, sql.to_sql(tree, "spark")),))


def snapshot_insert(table: TablePlan) -> Step:
    """MySQL: a chunk's rows for one physical table, inserted where no row exists and no tombstone forbids it.

    Rows that LOAD DATA puts straight into the physical table skip rows that exist there, too (LOCAL means IGNORE);
    `remove_deleted_...` deletes those that a tombstone forbids before they are visible.

    Under REPEATABLE READ an INSERT ... SELECT reads with shared next-key locks, so both checks hold until commit. A
    row whose unique value is taken is left out: the value's two owners have events in the stream that settle it. Not so
    where they are of two source tables: both may have it for ever, and `left_out` names them. Where a unique key is
    over how values begin or over an expression, the INSERT itself finds that the value is taken.
    """
    target, chunk = physical_table(table), sql.table(CHUNK)
    names = [column.target for column in table.columns]
    free = sql.all_of(
        [
            fill(_VALUE_FREE, "mysql", target=target, same_value=same_columns(key.columns, "u", "c"))
            for key in table.identity.unique_keys
        ]
        or [exp.true()]
    )
    taken: dict[str, exp.Expr] = {}
    if table.identity.prefix_keys:
        name = table.key[0]
        taken = {"unchanged": sql.column(name), "kept": sql.column(name, table.physical)}
    insert = fill(
        _INSERT_UNLESS_TAKEN if taken else _INSERT,
        "mysql",
        **taken,
        target=target,
        names=[sql.identifier(name) for name in names],
        values=[sql.column(name, "c") for name in names],
        chunk=chunk,
        same=same_key(table, "t", "c"),
        tombstone=sql.table(table.ours.tombstone),
        gone=same_tombstone(table, "d", "c"),
        free=free,
    )
    create = fill(_CHUNK_TABLE, "mysql", chunk=chunk, stage=sql.table(table.ours.stage))
    drop = fill(_DROP_CHUNK, "mysql", chunk=chunk)
    return Step(
        table.logical,
        StepName.SNAPSHOT_INSERT,
        (
            Statement(
                "chunk_table", "Before the transaction: where the chunk's rows are loaded.", sql.to_sql(create, "mysql")
            ),
            Statement("insert", "Only where no row exists and no tombstone forbids it.", sql.to_sql(insert, "mysql")),
            *around_chunk_insert(table, target=target, chunk=chunk),
            *chunk_exclusions(table, target=target, chunk=chunk),
            *_remove_deleted(table, target=target),
            Statement("drop_chunk_table", "After the transaction.", sql.to_sql(drop, "mysql")),
        ),
    )


def _remove_deleted(table: TablePlan, *, target: exp.Expr) -> tuple[Statement, ...]:
    """One for each form of a chunk's bounds; none where deletes leave no tombstones, nor where rows have owners: such
    rows are never loaded in place."""
    if not table.deletes.are_remembered or table.ours.owner is not None:
        return ()
    comment = "After rows were loaded in place: rows that a tombstone forbids are deleted again."
    return tuple(
        Statement(
            f"remove_deleted_{name}",
            comment,
            sql.to_sql(
                fill(
                    _REMOVE_DELETED,
                    "mysql",
                    target=target,
                    key=[sql.column(column) for column in table.key],
                    tombstone=sql.table(table.ours.tombstone),
                    range=condition,
                    same=same_key(table, "t", "d"),
                ),
                "mysql",
            ),
        )
        for name, condition in _ranges(table, "target").items()
    )
