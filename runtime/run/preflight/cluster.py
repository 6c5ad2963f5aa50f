"""Can strangers read what a Spark cluster holds? Passwords travel in its tasks, and rows are in its blocks.

Runs in the driver; asks no server.
"""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.runtime.mysql.check import Check, warned
from shardwright.runtime.spark.session import on_this_machine
from shardwright.specs.environment.environment import SparkSettings

_OPTION = "spark.authenticate"


def cluster_authentication(settings: SparkSettings) -> Iterator[Check]:
    """Warns when Spark's authentication is off. Yields nothing for a local master, where Spark always authenticates
    unless the environment switches it off."""
    local = on_this_machine(settings)
    on = settings.conf.get(_OPTION, str(local)).lower() == "true"
    if on and local:
        return
    yield warned(
        "spark", settings.master,
        warning=None if on else f"{_OPTION} is off: anyone who reaches its ports can read passwords and rows",
        way_out=f"{_OPTION}: 'true' under spark.conf, and spark.network.crypto.enabled (docs/cluster.md, Secrets)",
        otherwise=f"{_OPTION} is on",
    )  # fmt: skip
