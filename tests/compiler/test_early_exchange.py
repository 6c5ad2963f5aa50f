"""A query that has been run up to its last exchange does not do so again when its result is asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

from shardwright.runtime.spark.prefetch import run_up_to_last_exchange

pytestmark = pytest.mark.spark


def _noting(frame: DataFrame, folder: Path, what: str) -> DataFrame:
    """The same rows; each task that reads them leaves a file."""

    def note(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        (folder / f"{what}-{time.monotonic_ns()}").touch()
        yield from batches

    return frame.mapInArrow(note, frame.schema)


def _query(spark: SparkSession, folder: Path) -> DataFrame:
    before = _noting(spark.range(0, 1_000, 1, 1), folder, "before")
    return _noting(before.repartition(1, "id"), folder, "after")


def test_what_comes_before_the_exchange_is_done_once(spark: SparkSession, tmp_path: Path) -> None:
    frame = _query(spark, tmp_path)
    assert run_up_to_last_exchange(frame)
    end = time.monotonic() + 60
    while not list(tmp_path.glob("before-*")):
        assert time.monotonic() < end, "nothing was begun"
        time.sleep(0.05)
    assert not list(tmp_path.glob("after-*"))
    assert sorted(row["id"] for row in frame.collect()) == list(range(1_000))
    assert [len(list(tmp_path.glob(f"{what}-*"))) for what in ("before", "after")] == [1, 1]


def test_what_fails_early_fails_again_when_it_is_asked_for(spark: SparkSession, tmp_path: Path) -> None:
    wire = tmp_path / "wire"
    wire.touch()

    def fail(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        if wire.exists():
            raise ValueError("tripped")
        yield from batches

    numbers = spark.range(0, 10, 1, 1)
    frame = numbers.mapInArrow(fail, numbers.schema).repartition(1, "id")
    assert run_up_to_last_exchange(frame)
    with pytest.raises(Exception, match="tripped"):
        frame.collect()
    wire.unlink()
    assert frame.count() == 10


def test_a_plan_without_an_exchange_cannot_be_begun(spark: SparkSession) -> None:
    assert not run_up_to_last_exchange(spark.range(5).select("id"))
