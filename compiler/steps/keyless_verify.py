"""Comparing a table without a key (`TablePlan.counted`): the rows of both sides are multisets. They are compared by
count and sum of row hashes in 64 buckets of hashes, then by the number of rows of each hash. Nothing depends on the
order in which a server reads.
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan.plan import Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.keys import Side
from shardwright.compiler.steps.snapshot import add_row_filter
from shardwright.compiler.steps.verify_statements import (
    count,
    display_value,
    name_part,
    row_hash,
    table_to_read,
    values_of,
    write_part,
)

_ROWS = "SELECT hole_hash AS sw_hash, hole_misplaced AS sw_misplaced FROM hole_table WHERE hole_matching"
_SUM = """
SELECT sw_hash % 64 AS sw_bucket, COUNT(*) AS sw_rows, SUM(sw_hash) AS sw_hash, SUM(sw_misplaced) AS sw_misplaced
FROM (hole_rows) AS r GROUP BY sw_bucket
"""
_HASHES = """
SELECT sw_hash, COUNT(*) AS sw_rows, SUM(sw_misplaced) AS sw_misplaced
FROM (hole_rows) AS r WHERE sw_hash % 64 = @sw_bucket GROUP BY sw_hash
"""
_ROW = "SELECT hole_columns FROM hole_table WHERE (hole_matching) AND hole_hash = @sw_hash LIMIT 1"


def keyless_verify_source(table: TablePlan, mapping: RowMapping) -> Step:
    return _step(table, "source", mapping, misplaced=sql.number(0))


def keyless_verify_target(table: TablePlan, *, misplaced: exp.Expr | None) -> Step:
    """`misplaced`: the row does not belong to this physical table; None where every place is right."""
    wrong = sql.number(0) if misplaced is None else misplaced
    return _step(table, "target", None, misplaced=wrong)


def _step(table: TablePlan, side: Side, mapping: RowMapping | None, *, misplaced: exp.Expr) -> Step:
    values, asked = values_of(side, mapping), table_to_read(table, side)
    within, hashed = add_row_filter(mapping, exp.true()), name_part("hash")
    rows = fill(_ROWS, "mysql", hash=hashed, misplaced=misplaced, table=asked, matching=within)
    columns = [display_value(values(column), column) for column in table.columns]
    row = fill(_ROW, "mysql", columns=columns, table=asked, matching=within, hash=hashed)
    statements = (
        Statement("sum", "All rows by buckets of hashes.", sql.to_sql(fill(_SUM, "mysql", rows=rows), "mysql")),
        count(table, side, mapping),
        Statement(
            "hashes",
            "How many equal rows bucket @sw_bucket has.",
            sql.to_sql(fill(_HASHES, "mysql", rows=rows), "mysql"),
        ),
        Statement("row", "One row for display, by its hash.", sql.to_sql(row, "mysql")),
    )
    part = write_part("hash", "The row as one number.", row_hash(table, values))
    name = StepName.VERIFY_SOURCE if side == "source" else StepName.VERIFY_TARGET
    return Step(table.logical, name, statements, (part,))
