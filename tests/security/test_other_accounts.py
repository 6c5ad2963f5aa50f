"""What another account of this machine can have of a process that uses Spark: no block, no file (findings 1, 5 and 27
of the review)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.spark

_HERE = Path(__file__).parent
_NO_ONE = 65534
_WORK = """
import os, sys
from pathlib import Path
from shardwright.runtime.spark.scratch import scratch_below, scratch_folder
from shardwright.runtime.spark.session import start_spark
from shardwright.specs.environment.environment import SparkSettings

os.umask(0o022)
scratch_below(sys.argv[1])
spark = start_spark(SparkSettings("local[2]", {"spark.broadcast.compress": "false", **eval(sys.argv[2])}), name="canary")
secret = "canary-" + "secret" * 2000
def work(rows):
    return [secret for _ in rows]
assert spark.sparkContext.parallelize(range(8), 4).mapPartitions(work).count() == 8
kept = spark.sparkContext.broadcast(secret)
pairs = spark.range(0, 200_000).repartition(3, "id").sortWithinPartitions("id")
assert pairs.selectExpr("id", "'CANARYROW' AS word").groupBy("word").count().collect()[0][1] == 200_000
java = spark.sparkContext._gateway.proc.pid
print(java, scratch_folder(), flush=True)
sys.stdin.readline()
spark.stop()
"""
requires_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another account")


class _Running:
    """A process that holds a secret in tasks and rows in shuffles; ends when the test does."""

    def __init__(self, folder: Path, conf: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _WORK, str(folder), repr(conf)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2],
        )  # fmt: skip
        assert self._process.stdout is not None
        java, scratch = self._process.stdout.readline().split()
        self.java, self.scratch = int(java), Path(scratch)

    def ports(self) -> list[int]:
        """On which its Java listens."""
        mine = {os.readlink(item) for item in Path(f"/proc/{self.java}/fd").iterdir() if item.is_symlink()}
        found = []
        for table in ("tcp", "tcp6"):
            for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == "0A" and f"socket:[{fields[9]}]" in mine:
                    found.append(int(fields[1].rpartition(":")[2], 16))
        return found

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.close()
        assert self._process.wait(60) == 0


def _as_other_account(*command: str) -> str:
    done = subprocess.run(
        ["setpriv", f"--reuid={_NO_ONE}", f"--regid={_NO_ONE}", "--clear-groups", *command],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return done.stdout


def _blocks(running: _Running) -> int:
    program = (_HERE / "blocks.py").read_text(encoding="utf-8")
    asked = [_as_other_account("/usr/bin/python3", "-c", program, str(port), "0", "4") for port in running.ports()]
    return sum(int(count or 0) for count in asked)


@pytest.mark.in_turn
@requires_root
def test_another_account_gets_no_block_and_reads_no_file(tmp_path: Path) -> None:
    running = _Running(tmp_path / "work", {})
    try:
        assert len(running.ports()) >= 2
        assert _blocks(running) == 0
        assert list(running.scratch.rglob("blockmgr-*/*/shuffle_*")), "there is something to be read"
        assert _as_other_account("grep", "-rl", "CANARY", str(running.scratch)) == ""
        for place in (running.scratch, *running.scratch.rglob("*")):
            assert not place.lstat().st_mode & 0o077 or place.is_symlink(), place
    finally:
        running.end()
    assert not running.scratch.exists()


@requires_root
@pytest.mark.long
def test_the_stranger_would_get_blocks_without_the_secret(tmp_path: Path) -> None:
    running = _Running(tmp_path / "work", {"spark.authenticate": "false"})
    try:
        assert _blocks(running) > 0
    finally:
        running.end()
