"""The log, range after range, read by Spark: ranges are of whole transactions, and failures keep their code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from shardwright.runtime.failures import CROSSING_SECRET, CROSSING_VARIABLE, Refused
from shardwright.runtime.sources.binlog.log import Log, Tables
from shardwright.runtime.sources.binlog.log_frame import LogFrame
from shardwright.runtime.sources.binlog.reading import LogReading, _evenly
from shardwright.runtime.sources.binlog.scan import ROWS_IN_A_PART
from shardwright.runtime.sources.positions.log_position import LogPosition, LogRange
from shardwright.runtime.spark.failures import as_failure
from shardwright.specs.environment.environment import BatchLimits
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
        .config(f"spark.executorEnv.{CROSSING_VARIABLE}", CROSSING_SECRET)
        .getOrCreate()
    )
    yield session
    session.stop()


def reading(source: Source, tables: Tables, *, max_rows: int, tasks: int = 1) -> LogReading:
    return LogReading("shop", Log(source.settings, tables), BatchLimits(max_rows=max_rows), tasks)


def batches(spark: SparkSession, log: LogReading, start: LogPosition) -> list[list[Any]]:
    """The rows of each range, until everything present was read. Every range is read by the same query."""
    frame = LogFrame(spark, {"shop": log.log})
    queries: dict[int, DataFrame] = {}
    found: list[list[Any]] = []
    while (ahead := log.fetch(start)) is not None:
        events = frame.events(ahead.ranges).begin()
        query = queries.setdefault(id(events), events.orderBy("file", "offset", "row"))
        rows = query.select("*").collect()
        assert ahead.counts is not None and (sum(ahead.counts.by_table.values()) > 0) == bool(rows)
        changed = {row.table for row in rows if row.op != "I"}
        assert ahead.counts.only_inserts == {row.table for row in rows} - changed
        if rows:  # a server may write events of its own kinds, a checkpoint say, after the last transaction
            found.append(rows)
        start = ahead.end  # type: ignore[assignment]
    log.close()
    assert len(queries) <= 2
    return found


@pytest.mark.in_turn
def test_a5_batches_are_whole_transactions_and_failures_keep_their_code(source: Source, spark: SparkSession) -> None:
    source.run("CREATE OR REPLACE TABLE spark_t (id INT PRIMARY KEY, v VARCHAR(20), b BLOB)")
    start, tables = source.head(), source.columns_of("spark_t")
    for n in range(6):
        rows = ", ".join(f"({n * 100 + k}, 'v{k}', NULL)" for k in range(50))
        source.run(
            "BEGIN", f"INSERT INTO spark_t VALUES {rows}", f"UPDATE spark_t SET v = 'é' WHERE id = {n * 100}", "COMMIT"
        )
    until = source.head()
    found = batches(spark, reading(source, tables, max_rows=120), start)
    assert [len(batch) for batch in found] == [102, 102, 102]
    got = [
        (row.op, row.before and tuple(row.before), row.after and tuple(row.after)) for batch in found for row in batch
    ]
    assert got == [(c["op"], c["before"], c["after"]) for c in source.changes(start, "spark_t", end=until)]

    source.run("SET SESSION binlog_row_image = MINIMAL", "UPDATE spark_t SET v = 'partial' WHERE id = 1")
    with pytest.raises(Refused, match=r"the rows of shop\.spark_t") as refused:
        reading(source, tables, max_rows=120).fetch(until)
    assert refused.value.code == "SW8111"
    frame = LogFrame(spark, {"shop": Log(source.settings, tables)})
    with pytest.raises(PySparkException) as failed:  # should a task be the first to meet it
        frame.events([LogRange("shop", until, source.head())]).begin().collect()
    assert getattr(as_failure(failed.value), "code", None) == "SW8111"


def test_a5_a_large_range_is_read_in_parts_between_transactions(source: Source, spark: SparkSession) -> None:
    """Several tasks read it at the same time; the parts meet at transaction boundaries, in another file of the log
    too."""
    source.run("CREATE OR REPLACE TABLE spark_wide (id INT PRIMARY KEY, v VARCHAR(20))")
    start, tables = source.head(), source.columns_of("spark_wide")
    transactions = 2 * ROWS_IN_A_PART // 500 + 3
    for n in range(transactions):
        rows = ", ".join(f"({n * 500 + k}, 'v{n}')" for k in range(500))
        source.run("BEGIN", f"INSERT INTO spark_wide VALUES {rows}", "COMMIT")
        if n == transactions // 2:
            source.run("FLUSH BINARY LOGS")
    until = source.head()
    wide = reading(source, tables, max_rows=1 << 30, tasks=8)
    ahead = wide.fetch(start)
    assert ahead is not None and len(ahead.ranges) == 3 and ahead.ranges[0].start == start and ahead.end >= until
    assert all(one.end == other.start for one, other in pairwise(ahead.ranges))
    assert len({part.start.file for part in ahead.ranges}) == 2
    (found,) = batches(spark, wide, start)
    assert [int(row.after[0]) for row in found] == list(range(transactions * 500))


@pytest.mark.parametrize(
    ("cuts", "tasks", "expected"), [(9, 2, [4]), (9, 10, list(range(9))), (2, 4, [0, 1]), (5, 1, []), (7, 4, [1, 3, 5])]
)
def test_parts_of_a_range_are_of_about_one_size(cuts: int, tasks: int, expected: list[int]) -> None:
    places = [LogPosition("binlog.000001", 100 + number) for number in range(cuts)]
    assert [place.offset - 100 for place in _evenly(places, tasks - 1)] == expected
