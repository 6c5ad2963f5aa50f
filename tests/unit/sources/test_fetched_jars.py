"""Jars that Spark fetches by itself are compared with those that were looked at (finding 24 of the security review)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.queue import fetched_jars

_FETCH = """
import sys
from shardwright.runtime.sources.queue.kafka.connector import CONNECTOR, ROCKETMQ
from shardwright.runtime.sources.queue.fetched_jars import jar_files, require_known
from shardwright.runtime.spark.session import start_spark
from shardwright.specs.environment.environment import SparkSettings

packages = {"kafka": CONNECTOR, "rocketmq": ROCKETMQ}[sys.argv[1]]
session = start_spark(SparkSettings("local[1]", {"spark.jars.packages": packages, "spark.jars.ivy": sys.argv[2]}), name="jars")
jars = jar_files(session)
require_known(jars)
print(len(jars))
"""


def test_another_content_and_another_jar_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = tmp_path / "one.jar", tmp_path / "other.jar"
    one.write_bytes(b"abc")
    other.write_bytes(b"abc")
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    monkeypatch.setattr(fetched_jars, "_read_digests", lambda: {"one.jar": digest})
    fetched_jars.require_known((one,))
    with pytest.raises(Refused, match=r"SW8459.*: other\.jar\. "):
        fetched_jars.require_known((one, other))
    one.write_bytes(b"abd")
    with pytest.raises(Refused, match=r"SW8459.*: one\.jar\. "):
        fetched_jars.require_known((one,))


@pytest.mark.long
@pytest.mark.spark
@pytest.mark.parametrize(("queue", "count"), [("kafka", 11), ("rocketmq", 104)])
def test_what_spark_fetches_today_is_what_was_looked_at(queue: str, count: int, tmp_path: Path) -> None:
    command = [sys.executable, "-c", _FETCH, queue, str(tmp_path / "ivy")]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=600, check=False, cwd=Path(__file__).parents[3]
    )
    assert done.stdout.split() == [str(count)], done.stdout + done.stderr
