"""A query that is planned once and executed many times reads what its frames hold then; one that has been run up to its
last exchange does not do so again when its rows are collected.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

from shardwright.runtime.spark.job_properties import set_task_parameters, task_parameters
from shardwright.runtime.spark.planned_query import Execution, KeptFrame, PlannedQuery
from shardwright.runtime.spark.session import STREAM_POOL, assign_pool
from tests.support.waiting import wait_until

pytestmark = pytest.mark.spark


def _note_tasks(frame: DataFrame, folder: Path, what: str) -> DataFrame:
    """The same rows; each task that reads them leaves a file."""

    def note(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        (folder / f"{what}-{time.monotonic_ns()}").touch()
        yield from batches

    return frame.mapInArrow(note, frame.schema)


def _query(spark: SparkSession, folder: Path) -> DataFrame:
    before = _note_tasks(spark.range(0, 1_000, 1, 1), folder, "before")
    return _note_tasks(before.repartition(1, "id"), folder, "after")


def _execution(frame: DataFrame) -> Execution:
    planned = PlannedQuery.of(frame)
    assert planned is not None
    return planned.execution()


def test_spark_knows_where_jobs_come_from_without_a_look_at_the_stack(spark: SparkSession) -> None:
    """Also after a call of PySpark, which names its caller and forgets the name."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        thread.submit(assign_pool, spark.sparkContext, STREAM_POOL).result()
        assert thread.submit(lambda: spark.range(3).collect()).result()
        assert thread.submit(_call_site, spark).result() == (STREAM_POOL, STREAM_POOL)


def _call_site(spark: SparkSession) -> tuple[str, str]:
    internals: Any = spark.sparkContext
    site = internals._jsc.sc().getCallSite()
    return site.shortForm(), site.longForm()


def test_what_comes_before_the_exchange_is_done_once(spark: SparkSession, tmp_path: Path) -> None:
    execution = _execution(_query(spark, tmp_path))
    assert execution.run_up_to_last_exchange()
    wait_until("it has begun", lambda: list(tmp_path.glob("before-*")), seconds=60)
    assert not list(tmp_path.glob("after-*"))
    assert sorted(row["id"] for row in execution.collect()) == list(range(1_000))
    assert [len(list(tmp_path.glob(f"{what}-*"))) for what in ("before", "after")] == [1, 1]


def test_what_fails_early_fails_again_when_it_is_asked_for(spark: SparkSession, tmp_path: Path) -> None:
    wire = tmp_path / "wire"
    wire.touch()

    def fail(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        if wire.exists():
            raise ValueError("tripped")
        yield from batches

    numbers = spark.range(0, 10, 1, 1)
    execution = _execution(numbers.mapInArrow(fail, numbers.schema).repartition(1, "id"))
    assert execution.run_up_to_last_exchange()
    with pytest.raises(Exception, match="tripped"):
        execution.collect()
    wire.unlink()
    assert len(execution.collect()) == 10


def test_a_plan_without_an_exchange_cannot_be_begun(spark: SparkSession) -> None:
    assert not _execution(spark.range(5).select("id")).run_up_to_last_exchange()


def _read_property(spark: SparkSession, first: int, folder: Path) -> DataFrame:
    """The number that the job's property has; each task leaves a file."""

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for _ in batches:
            (folder / f"read-{time.monotonic_ns()}").touch()
            yield pa.RecordBatch.from_pydict({"id": pa.array([task_parameters("told")], pa.int64())})

    return spark.range(first, first + 1, 1, 1).mapInArrow(read, "id bigint")


def _sides(frame: DataFrame) -> DataFrame:
    """Two branches that read the frame, and an exchange behind them."""
    return frame.union(frame.selectExpr("id + 1000")).repartition(1, "id")


def test_each_execution_reads_what_its_job_is_given(spark: SparkSession, tmp_path: Path) -> None:
    planned = PlannedQuery.of(_sides(_read_property(spark, 0, tmp_path)))
    assert planned is not None

    def execute(number: int) -> list[int]:
        set_task_parameters(spark.sparkContext, "told", number)
        return sorted(row["id"] for row in planned.execution().collect())

    for number in (1, 2, 3):
        assert execute(number) == [number, number + 1000]
    with ThreadPoolExecutor() as pool:
        assert pool.submit(execute, 4).result() == [4, 1004], "a thread in which nothing of Spark's has run yet"


def test_kept_rows_are_read_once_and_forgotten(spark: SparkSession, tmp_path: Path) -> None:
    """Beside the same query over a frame whose rows nobody keeps, which goes on reading for itself."""
    once, kept = _read_property(spark, 0, tmp_path), KeptFrame(_read_property(spark, 1, tmp_path))
    again, alone = PlannedQuery.of(_sides(kept.frame), kept), PlannedQuery.of(_sides(once))
    assert again is not None and alone is not None
    for number in (1, 2, 3):
        set_task_parameters(spark.sparkContext, "told", number)
        before = len(list(tmp_path.glob("read-*")))
        assert sorted(row["id"] for row in again.execution().collect()) == [number, number + 1000]
        assert kept.frame.count() == 1
        assert len(list(tmp_path.glob("read-*"))) == before + 1, "Spark keeps the rows for all that read them"
        set_task_parameters(spark.sparkContext, "told", 90 + number)
        assert sorted(row["id"] for row in alone.execution().collect()) == [90 + number, 1090 + number]
        kept.forget()
    kept.close()


def test_a_plan_over_rows_that_are_kept_for_others_is_not_used_again(spark: SparkSession, tmp_path: Path) -> None:
    kept = KeptFrame(_read_property(spark, 1, tmp_path))
    assert PlannedQuery.of(_sides(kept.frame)) is None
    kept.close()
    assert PlannedQuery.of(_sides(kept.frame)) is not None
