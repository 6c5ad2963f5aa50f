"""Whether jars that Spark fetched by itself for a queue are those that were reviewed, by their digests.

Runs in the driver; reads the files.

`fetched_jars.sha256` has the form of sha256sum. After a change of versions in `kafka/source.py`, run with an empty
folder as `spark.jars.ivy` and compare.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.queue.kafka.connector import CONNECTOR, ROCKETMQ, with_connector
from shardwright.runtime.spark import worker_daemon
from shardwright.runtime.spark.session import start_spark
from shardwright.specs.environment.environment import Environment

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_DIGESTS = Path(__file__).with_name("fetched_jars.sha256")
_SHOWN = 3


def start_with_queue(environment: Environment, *, name: str, daemon: str = worker_daemon.MODULE) -> SparkSession:
    """A session that can read the environment's queues; `daemon` as for `start_spark`. Raises what `start_spark`
    raises, and Refused (SW8459)."""
    settings = with_connector(environment)
    session = start_spark(settings, name=name, daemon=daemon, workers=True)
    if settings.conf.get("spark.jars.packages") in (CONNECTOR, ROCKETMQ):
        _require_known_once(jar_files(session))
    return session


@cache
def _require_known_once(jars: tuple[Path, ...]) -> None:
    """Check once: the process has loaded the files, whatever happens to them later. The next attempt of a run does not
    read them again."""
    require_known(jars)


def jar_files(session: SparkSession) -> tuple[Path, ...]:
    """The jars on the session's class path beside Spark's own."""
    named = session.sparkContext.getConf().get("spark.jars", "") or ""
    return tuple(Path(jar.removeprefix("file://")) for jar in named.split(",") if jar)


def require_known(jars: tuple[Path, ...]) -> None:
    """Raises Refused (SW8459) when a jar has other content than the reviewed one, or is none of the reviewed ones."""
    if wrong := list(_find_unknown(jars)):
        more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        raise Refused(
            "SW8459",
            "Spark fetched jars that are not those that this version was made with: "
            f"{', '.join(wrong[:_SHOWN])}{more}. Look where they come from (Spark's Ivy folder, its repositories); "
            "jars that you trust are named under spark.jars",
        )


@cache
def _read_digests() -> Mapping[str, str]:
    """File name -> SHA-256."""
    return {name: digest for digest, name in (line.split() for line in _DIGESTS.read_text("utf-8").splitlines())}


def _find_unknown(jars: tuple[Path, ...]) -> Iterator[str]:
    for jar in jars:
        with jar.open("rb") as opened:
            if file_digest(opened, "sha256").hexdigest() != _read_digests().get(jar.name):
                yield jar.name
