"""A Spark session as `test` starts it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from shardwright.runtime.rehearsal.dry_run.dry_run import SPARK_CONF
from shardwright.runtime.spark.session import start_spark
from shardwright.specs.environment.environment import SparkSettings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    session = start_spark(SparkSettings(master="local[2]"), name="spec tests", extra=SPARK_CONF)
    for name, value in SPARK_CONF.items():
        if name.startswith("spark.sql."):
            session.conf.set(name, value)
    yield session
    session.stop()
