"""Spark's start: Java maps the archive of classes that is there, and says nothing about one that is worth nothing;
workers are forked from a process that has imported what they need.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.spark import worker_daemon
from shardwright.runtime.spark.archive import archive_options, make_archive
from tests.support.waiting import wait_until

pytestmark = pytest.mark.spark

_START = """
from pathlib import Path
from shardwright.runtime.spark.session import start_spark
from shardwright.specs.environment.environment import SparkSettings

def _parent(_):
    import gc, os, pyspark, sys
    assert Path(pyspark.__file__).exists()  # not in a zip file
    # Neither is read nor looked at again by each worker: Spark's archives, and what was imported before the fork.
    assert not [entry for entry in sys.path_importer_cache if Path(entry).suffix in (".zip", ".jar")]
    assert gc.get_freeze_count() > 50_000
    return os.getppid(), Path(f"/proc/{os.getppid()}/cmdline").read_bytes().split(bytes(1))[2].decode()

def _of_sql(batches):
    import pyarrow as pa
    for _ in batches:
        yield pa.RecordBatch.from_pydict({"pid": [_parent(None)[0]]})

spark = start_spark(SparkSettings(master="local[1]"), name="archive")
assert spark.range(3).count() == 3
java = spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid()
lines = Path(f"/proc/{java}/maps").read_text().splitlines()
pid, module = next(iter(spark.sparkContext.parallelize([1], 1).map(_parent).collect()))
# Chunks have no SQL and batches have: they share one such process.
assert [row.pid for row in spark.range(0, 1, 1, 1).mapInArrow(_of_sql, "pid bigint").collect()] == [pid]
print(module)
print(["none", *(line.split()[-1] for line in lines if line.endswith(".jsa"))][-1])
"""


def _start(**environ: str) -> tuple[str, str]:
    """What Spark's Python workers are forked from, and which archive of classes Java has mapped last."""
    done = _python(_START, **environ)
    assert done.returncode == 0, done.stderr
    daemon, archive = done.stdout.splitlines()
    return daemon, archive


def _python(script: str, **environ: str) -> subprocess.CompletedProcess[str]:
    plain = {name: value for name, value in os.environ.items() if name != "PYSPARK_SUBMIT_ARGS"}
    command = [sys.executable, "-c", script]
    return subprocess.run(command, env={**plain, **environ}, capture_output=True, text=True, check=False, timeout=300)


def test_spark_starts_from_the_archive_and_leaves_no_scratch_files_behind(tmp_path: Path) -> None:
    made = make_archive()
    file = made.rpartition(":")[0]
    assert _start(TMPDIR=str(tmp_path)) == (worker_daemon.MODULE, file)
    assert list(tmp_path.iterdir()) == []


_UNUSED = """
from shardwright.runtime.spark import java
from shardwright.runtime.spark.session import begin_spark
from shardwright.specs.environment.environment import SparkSettings

begin_spark(SparkSettings(master="local[1]"))
print(java._begun.process.pid)
"""
_REFUSED = """
from shardwright.runtime.spark.session import start_spark
from shardwright.specs.environment.environment import SparkSettings

start_spark(SparkSettings("local[1]", {"spark.driver.memory": "1k"}), name="refused")
"""


def test_java_that_no_one_needed_ends_with_its_process(tmp_path: Path) -> None:
    done = _python(_UNUSED, TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)
    assert list(tmp_path.iterdir()) == []


_KILLED = (
    _UNUSED
    + """
import os, shutil, signal, sys
from shardwright.runtime.spark.scratch import scratch_folder
sys.stdout.flush()
shutil.rmtree(scratch_folder())  # as the next start does with that of a process that was killed
os.kill(os.getpid(), signal.SIGKILL)
"""
)


def test_a1_java_of_a_run_that_is_killed_at_its_start_ends(tmp_path: Path) -> None:
    done = _python(_KILLED, TMPDIR=str(tmp_path))
    assert done.returncode == -signal.SIGKILL, done.stderr
    wait_until("Java has ended", lambda: not Path(f"/proc/{int(done.stdout)}").exists(), seconds=60)


def test_java_that_ends_at_once_says_why() -> None:
    done = _python(_REFUSED)
    assert "SW8011: Java ended when Spark was started: " in done.stderr and "heap" in done.stderr


def test_nothing_is_forked_from_a_process_with_threads() -> None:
    script = "from shardwright.runtime.spark.worker_daemon import import_all; print(import_all())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.split() == ["1"]


@pytest.mark.long
def test_an_archive_that_is_worth_nothing_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = Path(make_archive().rpartition(":")[0])
    monkeypatch.setenv("SHARDWRIGHT_SPARK", str(tmp_path))
    assert archive_options() is None
    (tmp_path / file.name).write_bytes(b"")
    assert archive_options() is None
    with pytest.raises(RuntimeFailure, match="SW8009"):
        make_archive()
    (tmp_path / file.name).write_bytes(b"worth nothing" * 1000)
    assert archive_options() is not None
    _, mapped = _start(SHARDWRIGHT_SPARK=str(tmp_path))
    assert not mapped.startswith(str(tmp_path))
