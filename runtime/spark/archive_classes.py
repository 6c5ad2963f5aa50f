"""Which classes of Spark the archive (`archive`) holds: those that these queries load. The queries are of the kind that
batches and chunks have, on rows of no meaning, with Python beside them.

Runs as a process of its own, which `archive` starts; Java writes the archive when it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from shardwright.runtime.spark.session import start_spark
from shardwright.specs.environment.environment import SparkSettings

_MERGE = """
WITH ranked AS (
  SELECT *, row_number() OVER (PARTITION BY id % 7 ORDER BY id DESC) AS rank, crc32(cast(id AS string)) AS hash FROM changes
), merged AS (
  SELECT max_by(id, rank) AS id, name, cast(max(rank) AS int) AS rank, collect_list(struct(id, raw)) AS all_of_it
  FROM ranked GROUP BY name
)
SELECT m.id, m.name, m.rank, f.note FROM merged m LEFT JOIN found f ON f.id = m.id
WHERE NOT EXISTS (SELECT 1 FROM ranked r WHERE r.id = m.id AND r.rank > 5)
UNION ALL SELECT id, name, 0, CASE WHEN note IS NULL THEN 'none' ELSE upper(note) END FROM found
"""  # noqa: E501


def load_classes() -> None:
    """Run the queries, then end Java. Java writes the archive when it ends, which may take a minute."""
    from pyspark.sql import functions as F

    spark = start_spark(SparkSettings(master="local[2]"), name="classes to archive")
    same: Callable[[Any], Any] = lambda rows: rows  # noqa: E731

    def batch(rows: Any) -> None:
        rows = rows.persist()
        rows.count()
        rows.createOrReplaceTempView("changes")
        session = rows.sparkSession
        other = session.createDataFrame([(3, "n3", None)], "id bigint, name string, note string")
        other.createOrReplaceTempView("found")
        session.sql(_MERGE).mapInArrow(same, "id bigint, name string, rank int, note string").collect()
        rows.groupBy("name").applyInArrow(same, rows.schema).collect()
        rows.repartitionById(2, (F.col("id") % 2).cast("int")).select("*").collect()
        rows.unpersist()

    numbers = [(number, f"n{number}", b"x") for number in range(20)]
    batch(spark.createDataFrame(numbers, "id bigint, name string, raw binary"))
    batch(spark.newSession().range(0, 2, 1, 2).mapInArrow(_add_names, "id bigint, name string, raw binary"))
    spark.stop()
    end_jvm(seconds=600)


def end_jvm(*, seconds: float = 120) -> None:
    """End the JVM of this process, if there is one; wait at most `seconds`."""
    from pyspark import SparkContext

    context: Any = SparkContext
    if context._active_spark_context is not None:
        context._active_spark_context.stop()
    if context._gateway is not None:
        process = context._gateway.proc
        context._gateway.shutdown()
        process.stdin.close()  # the launcher ends when its standard input is closed
        process.wait(timeout=seconds)
    context._gateway = context._jvm = None


def _add_names(batches: Iterator[Any]) -> Iterator[Any]:
    import pyarrow as pa

    for batch in batches:
        ids = batch.column(0)
        yield pa.RecordBatch.from_arrays(
            [ids, ids.cast("string"), ids.cast("string").cast("binary")], ["id", "name", "raw"]
        )


if __name__ == "__main__":
    load_classes()
