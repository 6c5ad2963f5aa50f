"""A JVM of its own for a module's Spark: jars are on the class path only of a JVM that was started with them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pyspark import SparkContext

from shardwright.runtime.spark import start_spark
from shardwright.specs.environment import SparkSettings

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


def end_jvm(*, seconds: float = 120) -> None:
    """End the JVM of this process, if there is one; it may take so long."""
    context: Any = SparkContext
    if context._active_spark_context is not None:
        context._active_spark_context.stop()
    if context._gateway is not None:
        process = context._gateway.proc
        context._gateway.shutdown()
        process.stdin.close()  # the launcher ends with its standard input
        process.wait(timeout=seconds)
    context._gateway = context._jvm = None
