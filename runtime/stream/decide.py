"""Deciding a batch: the plan's Spark SQL over the batch's events, up to the stages on the shards."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from shardwright.compiler.plan import Plan, StepName
from shardwright.runtime.stream.lookup import FOUND_COLUMNS, looker
from shardwright.runtime.stream.parents import RoutedFamilies
from shardwright.runtime.stream.stage import RESULT_SCHEMA, BatchContext, Summary, stager


@dataclass(frozen=True, slots=True)
class EventCounts:
    """Events per source table, and the newest commit time among them (seconds since 1970)."""

    by_table: Mapping[str, int]
    committed_at: int | None


def count_events(changes: DataFrame) -> EventCounts:
    rows = changes.groupBy("table").agg(F.count("*").alias("events"), F.max("committed_at").alias("at")).collect()
    newest = [row["at"] for row in rows if row["at"] is not None]
    return EventCounts({row["table"]: row["events"] for row in rows}, max(newest, default=None))


def routing_sql(plan: Plan, logicals: Sequence[str]) -> str:
    """The plan's decode, merge and route of several tables as one query over view `changes`: each DataFrame made on
    the way would be analysed by Spark again, which costs more than running a small batch."""
    return "\nUNION ALL\n".join(f"({_chain(plan, logical)})" for logical in logicals)


def filter_sql(plan: Plan, logicals: Sequence[str]) -> str:
    """The plan's filters of several tables as one query over view `looked_up`."""
    filters = [plan.step(logical, StepName.FILTER).statement("filter") for logical in logicals]
    return "\nUNION ALL\n".join(f"({sql})" for sql in filters)


def _chain(plan: Plan, logical: str) -> str:
    decode = plan.step(logical, StepName.DECODE).statement("decode")
    merge = plan.step(logical, StepName.MERGE).statement("merge")
    route = plan.step(logical, StepName.ROUTE).statement("route")
    return f"WITH decoded AS ({decode}), merged AS ({merge}) {route}"


def stage_batch(
    spark: SparkSession,
    plan: Plan,
    changes: DataFrame,
    *,
    logicals: tuple[str, ...],
    families: RoutedFamilies | None,
    context: BatchContext,
    snapshot_open: bool,
) -> Mapping[int, Summary]:
    """Decide and stage the whole batch in one Spark job: the changes of `logicals` and those of `families`, which are routed
    already. Returns what each shard owes; shards without work are absent."""
    changes.createOrReplaceTempView("changes")
    frames = [spark.sql(routing_sql(plan, logicals))] if logicals else []
    if families is not None:
        frames.append(families.changes)
        logicals = (*logicals, *families.logicals)
    routed = reduce(DataFrame.unionAll, frames)
    lookups = {name: plan.step(name, StepName.LOOKUP).statement("lookup") for name in logicals}
    look_up = looker(context, lookups=lookups, snapshot_open=snapshot_open)
    # Every table's filter reads the same look-up: asked once.
    looked_up = routed.repartition("shard").mapInArrow(look_up, f"{_ddl(routed)}, {FOUND_COLUMNS}").persist()
    try:
        looked_up.createOrReplaceTempView("looked_up")
        decided = spark.sql(filter_sql(plan, logicals)).where("decision <> 'skip'")
        staged = decided.groupBy("shard").applyInArrow(stager(context), RESULT_SCHEMA)
        return {row["shard"]: json.loads(row["summary"]) for row in staged.collect()}
    finally:
        looked_up.unpersist()


def _ddl(frame: DataFrame) -> str:
    return ", ".join(f"`{field.name}` {field.dataType.simpleString()}" for field in frame.schema.fields)
