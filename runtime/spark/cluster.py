"""What a session on a cluster needs before its first job: our packages on the executors, and to know how many cores there are."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shardwright.runtime.failures import Unreachable
from shardwright.runtime.spark.packaging import ship_packages

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SHUFFLE = "spark.sql.shuffle.partitions"
_PATIENCE_SECONDS = 300
_SETTLING_SECONDS = 5
_prepared: set[str] = set()


def prepare_cluster(session: SparkSession, folder: Path, *, asked: Mapping[str, str]) -> None:
    """Once for each application, however often its session is asked for. `asked`: the environment's own settings, which stand. Raises
    Unreachable (SW8107) when nobody works for us."""
    context = session.sparkContext
    if context.applicationId in _prepared:
        return
    ship_packages(context, folder)
    _wait_for_executors(context)
    if _SHUFFLE not in asked:
        # The context's own settings: every session that is made from this one begins with them.
        untyped: Any = context
        untyped._jsc.sc().conf().set(_SHUFFLE, str(context.defaultParallelism))
        session.conf.set(_SHUFFLE, str(context.defaultParallelism))
    _prepared.add(context.applicationId)


def _wait_for_executors(context: Any) -> None:
    """For the first one, and until no more have come for a while: a master gives them one after the other."""
    end = time.monotonic() + _PATIENCE_SECONDS
    known, since = 0, time.monotonic()
    while known == 0 or time.monotonic() < since + _SETTLING_SECONDS:
        executors = len(context._jsc.sc().statusTracker().getExecutorInfos()) - 1  # one of them is the driver
        if executors > known:
            known, since = executors, time.monotonic()
        if time.monotonic() > end:
            if known:
                return
            message = f"no executor of {context.master} has come within {_PATIENCE_SECONDS} s: the master's page says what is missing"
            raise Unreachable("SW8107", message)
        time.sleep(0.1)
