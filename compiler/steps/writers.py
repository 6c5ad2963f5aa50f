"""In which bucket is a row? For the triggers that keep one side's writers out of the buckets of the other, and for rows
that are asked for by their keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlglot import exp

from shardwright.compiler.expressions.expression import IntegerExpression
from shardwright.compiler.plan.digests import digest
from shardwright.compiler.plan.plan import Plan, Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.steps.verify_statements import rows_in_list

SOURCE_NEW, SOURCE_OLD, TARGET_NEW, TARGET_OLD = "source_new", "source_old", "target_new", "target_old"
OF_ROWS: Final = "of_rows"


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
        ),
    )


def writers_back(table: TablePlan, forward: TablePlan, bucket: IntegerExpression) -> Step:
    """The same of a backward plan's table, whose rows are read on the shards. `bucket` is as above, and `forward` the
    table in the plan of that."""
    targets = {column.source: column.target for column in forward.columns}
    return Step(table.logical, StepName.WRITERS, (_of_rows(table, bucket, targets),))


def bucket_digest(plan: Plan) -> str:
    """SHA-256 in hexadecimal digits of what says in which bucket a row of each table is. `plan`: of the way to the
    shards."""
    return digest([str(plan.buckets), *(part for pair in sorted(bucket_texts(plan).items()) for part in pair)])


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
