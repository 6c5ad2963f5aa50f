"""A Spark session for each file of the compiler's tests, as the dry run starts it. (Pytest ends what a package shares
with the run: another file would meet a session that a third one has stopped.)
"""

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
    session = start_spark(SparkSettings(master="local[2]"), name="compiler tests", extra=SPARK_CONF)
    yield session
    session.stop()
