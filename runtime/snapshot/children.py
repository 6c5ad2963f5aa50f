"""Chunks of tables that are placed through their parent: which rows they have, and which begun ones are written again.

Runs in the driver: composes the Spark query whose tasks ask the lookup tables, and deletes ledger rows of begun chunks
on every shard.

Rows go where the lookup table says at the moment of writing, not where the parent was when they were read. From then on
they are rows like those of the stream, and move when a batch moves the parent. A row that the stream has deleted or
given another parent in the meantime is left out: the stream has all its events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.chunks_done import forget_chunk
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.ledger.parent_places import FOUND_ROWS_SCHEMA, Family, chunk_looker
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.snapshot.chunks import Chunk, read_known_chunks

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def locate_children(rows: DataFrame, plan: Plan, table: TablePlan, *, family: Family) -> DataFrame:
    """`rows` as chunks are read, routed in the form that any chunk's rows have."""
    step = plan.step(table.logical, StepName.SNAPSHOT_ROUTE)
    spark = rows.sparkSession
    rows.createOrReplaceTempView("chunk_rows")
    found = spark.sql(step.statement("keys")).mapInArrow(chunk_looker(family, table), FOUND_ROWS_SCHEMA)
    found.createOrReplaceTempView("found_rows")
    return spark.sql(step.statement("route"))


def forget_started_chunks(plan: Plan, servers: Servers, control: Connection[Any], *, writer: Writer) -> None:
    """A chunk that an earlier run has written to some shards only is written again to all of them. Its rows' parents
    may have moved since, from a shard that has not written the chunk to one that has recorded it as done. Rows that
    exist already stay."""
    begun = [
        item.chunk
        for table in plan.children
        for source in table.sources
        for item in read_known_chunks(control, plan.migration, table, source)
        if not item.done
    ]
    if begun:
        forget_written(plan, servers, begun, writer=writer)


def forget_written(plan: Plan, servers: Servers, chunks: Sequence[Chunk], *, writer: Writer) -> None:
    """No shard has any of these chunks: they are written again to all."""

    def forget(connection: Connection[Any]) -> None:
        for chunk in chunks:
            forget_chunk(connection, (plan.migration, *chunk.identity))

    for _, connection in servers.each_shard():
        writer.transaction(connection, forget)
        failpoint("after-chunks-forgotten")
