"""The statements of `ids`: which number is the largest, which one a counter gives next, and how it is set behind."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from shardwright.compiler.plan.next_ids import NEXT, NextIds
from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.specs.spec.model import IdsSpec, Segment, Spec

_LARGEST = "SELECT MAX(hole_column) AS sw_largest FROM hole_table"
_READ_SEGMENT = "SELECT hole_next AS sw_next FROM hole_table WHERE hole_column = hole_name"
_SEED_SEGMENT = (
    "INSERT INTO hole_table (hole_column, hole_next) VALUES (hole_name, hole_number) "
    "ON DUPLICATE KEY UPDATE hole_next = GREATEST(hole_next, hole_number)"
)
_READ_COUNTER = (
    "SELECT AUTO_INCREMENT AS sw_next FROM information_schema.tables "
    "WHERE table_schema = @sw_database AND table_name = @sw_table"
)
_NUMBER = sql.column(NEXT.strip("`"))


def next_ids(spec: Spec, plan: Plan) -> tuple[NextIds, ...]:
    """Those of the plan's target, in the spec's order: of the shards, or of the source in a backward plan."""
    return tuple(_next_ids(spec, entry, plan) for entry in spec.ids)


def _next_ids(spec: Spec, entry: IdsSpec, plan: Plan) -> NextIds:
    table = plan.table(entry.table)
    if plan.direction == "forward":
        counter, column = entry.shards, entry.column
    else:
        counter = entry.source or "auto_increment"
        column = next(each.target for each in table.columns if each.source == entry.column)
    physical = sql.table(table.physical, database="${database}")
    largest = fill(_LARGEST, "mysql", column=sql.column(column), table=physical)
    found = NextIds(
        table=entry.table,
        column=column,
        margin=entry.margin,
        kind="auto_increment",
        database=_home(table, plan),
        counter=table.physical,
        row="",
        row_column="",
        largest=sql.to_sql(largest, "mysql"),
        read=sql.to_sql(fill(_READ_COUNTER, "mysql"), "mysql"),
        seed=sql.to_sql(_set_counter(physical), "mysql"),
    )
    return _from_segment(found, counter, plan) if isinstance(counter, Segment) else found


def _set_counter(table: exp.Expr) -> exp.Expr:
    """In place, so that the server refuses it where it would copy the table."""
    options = [exp.AutoIncrementProperty(this=_NUMBER), exp.AlgorithmProperty(this=exp.Var(this="INPLACE"))]
    return exp.Alter(this=table, kind="TABLE", options=options)


def _from_segment(ids: NextIds, segment: Segment, plan: Plan) -> NextIds:
    """The same column, counted in a segment table."""
    table = sql.table(segment.table, database=segment.database)
    column, name, following = (
        sql.column(segment.name_column), sql.text(segment.name), sql.column(segment.next_id_column)
    )  # fmt: skip
    holes = {"table": table, "column": column, "name": name, "next": following}
    return replace(
        ids,
        kind="segment",
        database=plan.databases.index(segment.database),
        counter=segment.table,
        row=segment.name,
        row_column=segment.name_column,
        read=sql.to_sql(fill(_READ_SEGMENT, "mysql", **holes), "mysql"),
        seed=sql.to_sql(fill(_SEED_SEGMENT, "mysql", **holes, number=_NUMBER), "mysql"),
    )


def _home(table: TablePlan, plan: Plan) -> int | None:
    """Rows of a broadcast table are born in its home, and copied from there with their numbers."""
    if plan.direction == "backward":
        return None
    return 0 if table.placement.has_copies else table.placement.only_database
