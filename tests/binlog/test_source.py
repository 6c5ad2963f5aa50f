"""The log as a Spark source: micro-batches are whole ranges of transactions, and failures keep their code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from shardwright.runtime.binlog.position import LogPosition
from shardwright.runtime.binlog.scan import ROWS_IN_A_PART
from shardwright.runtime.binlog.source import _evenly, binlog_source
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


def test_a5_a_large_range_is_read_in_parts_between_transactions(
    source: Source, spark: SparkSession, tmp_path: Path
) -> None:
    """Several tasks read it at the same time; the parts meet at transaction boundaries, in another file of the log too."""
    source.run("CREATE OR REPLACE TABLE spark_wide (id INT PRIMARY KEY, v VARCHAR(20))")
    start, tables = source.head(), source.followed("spark_wide")
    transactions = 2 * ROWS_IN_A_PART // 500 + 3
    for n in range(transactions):
        rows = ", ".join(f"({n * 500 + k}, 'v{n}')" for k in range(500))
        source.run("BEGIN", f"INSERT INTO spark_wide VALUES {rows}", "COMMIT")
        if n == transactions // 2:
            source.run("FLUSH BINARY LOGS")
    until = source.head()
    wide = binlog_source(source.settings, tables, start=start, until=until, max_rows=1 << 30, tasks=8, name="log_wide")
    reader: Any = wide({}).streamReader(StructType())
    end = reader.latestOffset(reader.initialOffset(), reader.getDefaultReadLimit())
    parts = reader.partitions(reader.initialOffset(), end)
    assert len(parts) == 3 and parts[0].start == start and parts[-1].end == until
    assert all(one.end == other.start for one, other in pairwise(parts))
    assert len({part.start.file for part in parts}) == 2
    (rows,) = stream(spark, wide, tmp_path / "wide")
    assert [int(row.after[0]) for row in rows] == list(range(transactions * 500))


@pytest.mark.parametrize(
    ("cuts", "tasks", "expected"), [(9, 2, [4]), (9, 10, list(range(9))), (2, 4, [0, 1]), (5, 1, []), (7, 4, [1, 3, 5])]
)
def test_parts_of_a_range_are_of_about_one_size(cuts: int, tasks: int, expected: list[int]) -> None:
    places = [LogPosition("binlog.000001", 100 + number) for number in range(cuts)]
    assert [place.offset - 100 for place in _evenly(places, tasks - 1)] == expected
