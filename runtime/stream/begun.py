"""Which events count already: those of a weight whose stream has begun (see `ledger.weights`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from shardwright.compiler.plan import Plan
from shardwright.runtime.stream.position import StreamPosition
from shardwright.runtime.stream.sources import Sources


def begun(changes: DataFrame, plan: Plan, sources: Sources, begins: Mapping[int, StreamPosition]) -> DataFrame:
    """The events at or behind the position where their table's weight begins; a weight without one has not begun."""
    counting = reduce(lambda left, right: left | right, _conditions(plan, sources, begins), F.lit(False))
    return changes.where(counting)


def _conditions(plan: Plan, sources: Sources, begins: Mapping[int, StreamPosition]) -> Iterator[Column]:
    for weight, position in begins.items():
        weighing = {str(name) for table in plan.tables if table.weight == weight for name in table.sources}
        for source in sources:
            tables = sorted(weighing & source.tables)
            if tables:
                yield F.col("table").isin(tables) & source.behind(position.parts[source.name])
