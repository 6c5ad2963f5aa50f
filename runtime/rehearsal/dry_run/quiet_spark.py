"""How is Spark kept from logging refused queries? PySpark writes each with Java's whole stack to stderr, and the
finding says it better.

Runs in the driver; changes the level of two loggers for a while.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.logger import PySparkLogger

_LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")


@contextmanager
def quiet_spark() -> Iterator[None]:
    """Within this context, a query that fails raises and logs nothing."""
    loggers = [PySparkLogger.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
