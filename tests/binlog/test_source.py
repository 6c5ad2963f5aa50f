"""The log as a Spark source: micro-batches are whole ranges of transactions, and failures keep their code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

from shardwright.runtime.binlog.source import binlog_source
from tests.binlog.log_source import Source

pytestmark = [pytest.mark.server, pytest.mark.spark]


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable  # workers must find this project, installed or not on the PATH
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    yield session
    session.stop()


def stream(spark: SparkSession, reader: Any, folder: Path) -> list[list[Any]]:
    """Runs until everything present was read; the rows of each batch."""
    spark.dataSource.register(reader)
    batches: list[list[Any]] = []

    def keep(frame: DataFrame, number: int) -> None:
        batches.append(frame.orderBy("file", "offset", "row").collect())

    query = (
        spark.readStream.format(reader.name())
        .load()
        .writeStream.foreachBatch(keep)
        .option("checkpointLocation", str(folder))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination(120)
    return batches


def test_a5_batches_are_whole_transactions_and_failures_keep_their_code(
    source: Source, spark: SparkSession, tmp_path: Path
) -> None:
    source.run("CREATE OR REPLACE TABLE spark_t (id INT PRIMARY KEY, v VARCHAR(20), b BLOB)")
    start, tables = source.head(), source.followed("spark_t")
    for n in range(6):
        rows = ", ".join(f"({n * 100 + k}, 'v{k}', NULL)" for k in range(50))
        source.run(
            "BEGIN", f"INSERT INTO spark_t VALUES {rows}", f"UPDATE spark_t SET v = 'é' WHERE id = {n * 100}", "COMMIT"
        )
    until = source.head()
    source.run("INSERT INTO spark_t VALUES (9999, 'after', NULL)")
    reader = binlog_source(source.settings, tables, start=start, until=until, max_rows=120, name="log_limited")
    batches = stream(spark, reader, tmp_path / "limited")
    assert [len(batch) for batch in batches] == [102, 102, 102]
    got = [
        (row.op, row.before and tuple(row.before), row.after and tuple(row.after)) for batch in batches for row in batch
    ]
    assert got == [(c["op"], c["before"], c["after"]) for c in source.changes(start, "spark_t", end=until)]

    source.run("SET SESSION binlog_row_image = MINIMAL", "UPDATE spark_t SET v = 'partial' WHERE id = 1")
    failing = binlog_source(source.settings, tables, start=until, name="log_failing")
    with pytest.raises(StreamingQueryException, match=r"SW8111: the rows of shop\.spark_t"):
        stream(spark, failing, tmp_path / "failing")
