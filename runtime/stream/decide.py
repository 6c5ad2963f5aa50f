"""Deciding a batch: the plan's Spark SQL over the batch's events, up to the stages on the shards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from shardwright.compiler.plan import Plan, StepName
from shardwright.runtime.stream.lookup import FOUND_COLUMNS, looker
from shardwright.runtime.stream.stage import RESULT_SCHEMA, BatchContext, Summary, stager

_CHAIN = (
    (StepName.DECODE, "decode", "changes"),
    (StepName.MERGE, "merge", "decoded"),
    (StepName.ROUTE, "route", "merged"),
)


@dataclass(frozen=True, slots=True)
class EventCounts:
    """Events per source table, and the newest commit time among them (seconds since 1970)."""

    by_table: Mapping[str, int]
    committed_at: int | None


def count_events(changes: DataFrame) -> EventCounts:
    rows = changes.groupBy("table").agg(F.count("*").alias("events"), F.max("committed_at").alias("at")).collect()
    newest = [row["at"] for row in rows if row["at"] is not None]
    return EventCounts({row["table"]: row["events"] for row in rows}, max(newest, default=None))


def routed_changes(spark: SparkSession, plan: Plan, changes: DataFrame, *, logical: str) -> DataFrame:
    """Decode, merge and route the events of one logical table with the plan's own SQL."""
    current = changes
    for step, statement, view in _CHAIN:
        current.createOrReplaceTempView(view)
        current = spark.sql(plan.step(logical, step).statement(statement))
    return current


def filtered_changes(spark: SparkSession, plan: Plan, looked_up: DataFrame, *, logical: str) -> DataFrame:
    looked_up.createOrReplaceTempView("looked_up")
    return spark.sql(plan.step(logical, StepName.FILTER).statement("filter"))


def stage_batch(
    spark: SparkSession,
    plan: Plan,
    changes: DataFrame,
    *,
    logicals: tuple[str, ...],
    context: BatchContext,
    snapshot_open: bool,
) -> Mapping[int, Summary]:
    """Decide and stage the whole batch in one Spark job. Returns what each shard owes; shards without work are absent."""
    routed = reduce(DataFrame.unionByName, (routed_changes(spark, plan, changes, logical=name) for name in logicals))
    lookups = {name: plan.step(name, StepName.LOOKUP).statement("lookup") for name in logicals}
    look_up = looker(context, lookups=lookups, suffixes=plan.suffixes)
    schema = f"{_ddl(routed)}, {FOUND_COLUMNS}"
    looked_up = (
        routed.repartition("shard").mapInArrow(look_up, schema).withColumn("snapshot_open", F.lit(snapshot_open))
    )
    # Every table's filter reads the same look-up: asked once.
    looked_up = looked_up.persist()
    try:
        decided = reduce(
            DataFrame.unionByName, (filtered_changes(spark, plan, looked_up, logical=name) for name in logicals)
        )
        staged = decided.where("decision <> 'skip'").groupBy("shard").applyInArrow(stager(context), RESULT_SCHEMA)
        return {row["shard"]: json.loads(row["summary"]) for row in staged.collect()}
    finally:
        looked_up.unpersist()


def _ddl(frame: DataFrame) -> str:
    return ", ".join(f"`{field.name}` {field.dataType.simpleString()}" for field in frame.schema.fields)
