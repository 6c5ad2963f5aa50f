"""Which events count already: those of a weight whose stream has begun (see `ledger.weights`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from shardwright.compiler.plan import Plan
from shardwright.runtime.binlog.position import LogPosition


def begun(changes: DataFrame, plan: Plan, begins: Mapping[int, LogPosition]) -> DataFrame:
    """The events at or behind the position where their table's weight begins; a weight without one has not begun."""
    conditions = [F.lit(False)]
    for weight, position in begins.items():
        tables = [str(name) for table in plan.tables if table.weight == weight for name in table.sources]
        behind = (F.col("file") > position.file_number) | (
            (F.col("file") == position.file_number) & (F.col("offset") >= position.offset)
        )
        conditions.append(F.col("table").isin(tables) & behind)
    return changes.where(reduce(lambda left, right: left | right, conditions))
