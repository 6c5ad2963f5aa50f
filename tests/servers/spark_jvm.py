"""A JVM of its own for a module's Spark: jars are on the class path only of a JVM that was started with them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from shardwright.runtime.spark.archive_classes import end_jvm
from shardwright.runtime.spark.session import start_spark
from shardwright.specs.environment.environment import SparkSettings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@contextmanager
def own_jvm(settings: SparkSettings, *, name: str) -> Iterator[SparkSession]:
    """Within, a session in a JVM that was started for it; before and afterwards none runs."""
    end_jvm()
    session = start_spark(settings, name=name)
    try:
        yield session
    finally:
        session.stop()
        end_jvm()
