"""Deciding a batch: the plan's Spark SQL over the batch's events, up to the stages on the shards."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from shardwright.compiler.plan import Plan, StepName
from shardwright.runtime.stream.lookup import FOUND_COLUMNS, asks_shards, looker
from shardwright.runtime.stream.parents import RoutedFamilies
from shardwright.runtime.stream.stage import RESULT_SCHEMA, STAGED, BatchContext, Summary, stager


@dataclass(frozen=True, slots=True)
class EventCounts:
    """By source table: events, and the newest commit time among them (seconds since 1970)."""

    by_table: Mapping[str, int]
    committed_at: Mapping[str, int]


def count_events(changes: DataFrame) -> EventCounts:
    rows = changes.groupBy("table").agg(F.count("*").alias("events"), F.max("committed_at").alias("at")).collect()
    newest = {row["table"]: row["at"] for row in rows if row["at"] is not None}
    return EventCounts({row["table"]: row["events"] for row in rows}, newest)


def routing_sql(plan: Plan, logicals: Sequence[str], holding: Collection[str] = ()) -> str:
    """The plan's decode, merge and route of several tables as one query over view `changes`: each DataFrame made on
    the way would be analysed by Spark again, which costs more than running a small batch. Events of tables in `holding` are
    left out where view `dead_keys` has their key, up to the position from which on it lets them through."""
    return _all(f"{_routed(plan, logical, held=logical in holding)} SELECT * FROM routed" for logical in logicals)


def filter_sql(plan: Plan, logicals: Sequence[str]) -> str:
    """The plan's filters of several tables as one query over view `looked_up`."""
    return _all(plan.step(logical, StepName.FILTER).statement("filter") for logical in logicals)


def unasked_sql(plan: Plan, logicals: Sequence[str], holding: Collection[str] = (), *, snapshot_open: bool) -> str:
    """Decode, merge, route and filter of tables whose shards are not asked (see `asks_shards`): every row may stand there."""
    unasked = f"looked_up AS (SELECT *, {_MAY_STAND}, {str(snapshot_open).upper()} AS snapshot_open FROM routed)"
    return _all(
        f"{_routed(plan, logical, held=logical in holding)}, {unasked} "
        f"{plan.step(logical, StepName.FILTER).statement('filter')}"
        for logical in logicals
    )


_MAY_STAND = "TRUE AS found, CAST(NULL AS STRING) AS found_version"


def _all(queries: Iterable[str]) -> str:
    return "\nUNION ALL\n".join(f"({query})" for query in queries)


def _routed(plan: Plan, logical: str, *, held: bool) -> str:
    decode = plan.step(logical, StepName.DECODE).statement("decode")
    if held:
        decode = (
            f"SELECT d.* FROM ({decode}) d LEFT ANTI JOIN dead_keys k ON k.logical = '{logical}' AND k.key = d.key "
            "AND (k.until IS NULL OR d.position < k.until)"
        )
    merge = plan.step(logical, StepName.MERGE).statement("merge")
    route = plan.step(logical, StepName.ROUTE).statement("route")
    return f"WITH decoded AS ({decode}), merged AS ({merge}), routed AS ({route})"


def stage_batch(
    spark: SparkSession,
    plan: Plan,
    changes: DataFrame,
    *,
    logicals: tuple[str, ...],
    families: RoutedFamilies | None,
    context: BatchContext,
    snapshot_open: bool,
    holding: Collection[str] = (),
    also: Callable[[DataFrame], DataFrame] | None = None,
) -> Mapping[int, Summary]:
    """Decide and stage the whole batch in one Spark job: the changes of `logicals` and those of `families`, which are routed
    already, and what `also` adds to them. Returns what each shard owes; shards without work are absent."""
    changes.createOrReplaceTempView("changes")
    asked = tuple(name for name in logicals if also is not None or asks_shards(plan.table(name)))
    unasked = tuple(name for name in logicals if name not in asked)
    frames = [spark.sql(unasked_sql(plan, unasked, holding, snapshot_open=snapshot_open))] if unasked else []
    looked_up = None
    if asked or families is not None:
        routed = _all_routed(spark, plan, asked, families=families, holding=holding)
        names = asked + (families.logicals if families is not None else ())
        routed = routed if also is None else also(routed)
        looked_up = _looked_up(routed, plan, names, context=context, snapshot_open=snapshot_open)
        frames.append(spark.sql(filter_sql(plan, names)))
    try:
        decided = reduce(DataFrame.unionAll, frames).where("decision <> 'skip'").select(*STAGED)
        return {row["shard"]: json.loads(row["summary"]) for row in _by_shard(decided, context).collect()}
    finally:
        if looked_up is not None:
            looked_up.unpersist()


def _by_shard(decided: DataFrame, context: BatchContext) -> DataFrame:
    """All rows of a shard come to one task, and the tasks share the shards evenly: hashes of few numbers do not."""
    untyped: Any = decided
    tasks = min(len(context.servers.databases), decided.sparkSession.sparkContext.defaultParallelism)
    placed: DataFrame = untyped.repartitionById(tasks, F.col("shard") % tasks)
    return placed.mapInArrow(stager(context), RESULT_SCHEMA)


def _all_routed(
    spark: SparkSession,
    plan: Plan,
    logicals: tuple[str, ...],
    *,
    families: RoutedFamilies | None,
    holding: Collection[str],
) -> DataFrame:
    frames = [spark.sql(routing_sql(plan, logicals, holding))] if logicals else []
    if families is not None:
        frames.append(families.changes)
    return reduce(DataFrame.unionAll, frames)


def _looked_up(
    routed: DataFrame, plan: Plan, logicals: tuple[str, ...], *, context: BatchContext, snapshot_open: bool
) -> DataFrame:
    """Makes view `looked_up`. Every table's filter reads it: the shards are asked once."""
    lookups = {name: plan.step(name, StepName.LOOKUP).statement("lookup") for name in logicals}
    look_up = looker(context, lookups=lookups, snapshot_open=snapshot_open)
    looked_up = routed.repartition("shard").mapInArrow(look_up, f"{_ddl(routed)}, {FOUND_COLUMNS}").persist()
    looked_up.createOrReplaceTempView("looked_up")
    return looked_up


def _ddl(frame: DataFrame) -> str:
    return ", ".join(f"`{field.name}` {field.dataType.simpleString()}" for field in frame.schema.fields)
