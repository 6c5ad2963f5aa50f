"""Spark waits ten seconds for a Python process to come up. On a busy machine that is too short: the stream begins again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.e2e.driver import SMALL_CHUNKS
from tests.e2e.test_policies import EXAMPLE
from tests.servers.testbed import Arena
from tests.workload.job import Job

pytestmark = [pytest.mark.server, pytest.mark.spark]

SLOW_ONCE = """#!/bin/sh
case "$*" in
  *python_streaming_source_runner*) mkdir "{mark}" 2>/dev/null && sleep 13 ;;
esac
exec "{python}" "$@"
"""


def test_the_stream_begins_again(arena: Arena, tmp_path: Path) -> None:
    mark, python = tmp_path / "was-slow", tmp_path / "slow-once"
    python.write_text(SLOW_ONCE.format(mark=mark, python=sys.executable), "utf-8")
    python.chmod(0o755)
    spark = {**SMALL_CHUNKS["spark"]["conf"], "spark.pyspark.python": str(python)}
    settings = {**SMALL_CHUNKS, "spark": {**SMALL_CHUNKS["spark"], "conf": spark}}
    job = Job(arena, EXAMPLE, tmp_path, settings=settings)
    arena.source.run_script(EXAMPLE / "schema" / "town.sql", database="town")
    arena.source.query("INSERT INTO user VALUES (1, 1, 'n1', 'FR', NULL), (2, 2, 'n2', NULL, NULL)", database="town")
    job.call("compile")
    job.run_until_caught_up()
    assert mark.exists(), "no process was slow"
    arena.source.query("UPDATE user SET name = 'late' WHERE id = 1", database="town")
    job.run_until_caught_up()
    found = [
        name
        for shard in ("quarter_0", "quarter_1")
        for suffix in ("_0", "_1")
        for (name,) in arena.placement[shard].query(f"SELECT name FROM user{suffix}", database=shard)
    ]
    assert sorted(found) == ["late", "n2"]
