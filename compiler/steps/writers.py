"""In which bucket is a row? For the triggers that keep one side's writers out of the buckets of the other, for rows
that are asked for by their keys, and for staged rows that came past the triggers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlglot import exp

from shardwright.compiler.expressions.expression import IntegerExpression
from shardwright.compiler.plan.digests import digest
from shardwright.compiler.plan.plan import BUCKET_OWNERS, Plan, Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.keys import physical_table, same_key
from shardwright.compiler.steps.verify_statements import rows_in_list

SOURCE_NEW, SOURCE_OLD, TARGET_NEW, TARGET_OLD = "source_new", "source_old", "target_new", "target_old"
OF_ROWS: Final = "of_rows"
FOREIGN_NEW, FOREIGN_THERE = "foreign_new", "foreign_there"

_FOREIGN = """
SELECT hole_key, b.bucket AS sw_bucket FROM hole_stage AS s
JOIN hole_ledger AS b ON b.migration = @sw_migration AND b.bucket = hole_bucket AND b.writer = @sw_side
WHERE s.sw_batch = @sw_batch AND s.sw_action = 'upsert'
"""
_FOREIGN_THERE = """
SELECT hole_key, b.bucket AS sw_bucket FROM hole_stage AS s
JOIN hole_target AS t ON hole_same
JOIN hole_ledger AS b ON b.migration = @sw_migration AND b.bucket = hole_bucket AND b.writer = @sw_side
WHERE s.sw_batch = @sw_batch AND s.sw_part = @sw_part
"""


def writers(table: TablePlan, bucket: IntegerExpression) -> Step:
    """`bucket` is over the source's columns. The plan's own direction reads the source."""
    targets = {column.source: column.target for column in table.columns}
    return Step(
        table.logical,
        StepName.WRITERS,
        (
            _in_trigger(SOURCE_NEW, bucket, "NEW", {}),
            _in_trigger(SOURCE_OLD, bucket, "OLD", {}),
            _in_trigger(TARGET_NEW, bucket, "NEW", targets),
            _in_trigger(TARGET_OLD, bucket, "OLD", targets),
            _of_rows(table, bucket, {}),
            *_foreign(table, bucket, targets),
        ),
    )


def writers_back(table: TablePlan, forward: TablePlan, bucket: IntegerExpression) -> Step:
    """The same of a backward plan's table, whose rows are read on the shards. `bucket` is as above, and `forward` the
    table in the plan of that."""
    targets = {column.source: column.target for column in forward.columns}
    return Step(table.logical, StepName.WRITERS, (_of_rows(table, bucket, targets), *_foreign(table, bucket, {})))


def _foreign(table: TablePlan, bucket: IntegerExpression, names: dict[str, str]) -> tuple[Statement, ...]:
    """Staged rows of buckets that the side which they would be written to may write itself (@sw_side): no trigger kept
    the other side's writer out. `names`: source column to column of the stage. None for a table without a key."""
    if table.identity.counts_rows:
        return ()

    def statement(name: str, comment: str, template: str, alias: str) -> Statement:
        tree = fill(
            template,
            "mysql",
            key=[sql.column(column, "s") for column in table.key],
            stage=sql.table(table.ours.stage),
            ledger=sql.table(BUCKET_OWNERS),
            bucket=bucket.mysql(lambda column: sql.column(names.get(column, column), alias)),
            **({} if alias == "s" else {"target": physical_table(table), "same": same_key(table, "t", "s")}),
        )
        return Statement(name, comment, sql.to_sql(tree, "mysql"))

    return (
        statement(FOREIGN_NEW, "Rows that the other side has written and may not, by their new values.", _FOREIGN, "s"),
        statement(FOREIGN_THERE, "The same, by the rows that they would replace or delete.", _FOREIGN_THERE, "t"),
    )


def bucket_digest(plan: Plan) -> str:
    """SHA-256 in hexadecimal digits of what says in which bucket a row of each table is. `plan`: of the way to the
    shards."""
    writers = ["both"] if plan.both_write else []
    return digest(
        [str(plan.buckets), *writers, *(part for pair in sorted(bucket_texts(plan).items()) for part in pair)]
    )


def bucket_texts(plan: Plan) -> Mapping[str, str]:
    """The bucket of a row of each table, by logical name, as SQL of the source; empty without buckets."""
    tables = plan.tables if plan.buckets else ()
    return {one.logical: plan.step(one.logical, StepName.WRITERS).statement(SOURCE_NEW) for one in tables}


def _in_trigger(name: str, bucket: IntegerExpression, row: str, names: dict[str, str]) -> Statement:
    side = "a source table" if name.startswith("source") else "a physical table"
    node = bucket.mysql(lambda column: sql.column(names.get(column, column), row))
    return Statement(name, f"The bucket of a trigger's {row} row, of {side}.", sql.to_sql(node, "mysql"))


def _of_rows(table: TablePlan, bucket: IntegerExpression, names: dict[str, str]) -> Statement:
    node: exp.Expr = bucket.mysql(lambda column: sql.column(names.get(column, column)))
    text = rows_in_list(table, "source", None, [sql.alias(node, "sw_bucket")])
    return Statement(OF_ROWS, "The buckets of rows that are asked for.", text)
