"""Spark's classes, loaded and checked once a machine: `python -m tests.servers.spark_archive` makes an archive that Java maps.

A start of Spark then costs half the processor time, and a run of the tests has more than a hundred of them. Without the
archive (nobody made it, Java cannot, or pyspark was installed again since) everything works, only slower.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.servers.jars import cache_folder, locked

_SUBMIT = "PYSPARK_SUBMIT_ARGS"
_QUIET = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xlog:disable"
"""Java would tell of an archive that does not fit on standard output, which is the command's. Runs here are too short to be worth the
full compiler."""
_KEPT = 3


def use_archive() -> None:
    """Every JVM that PySpark starts in this process or a child of it uses the archive, if there is one."""
    file = _file()
    if file is not None and file.exists() and file.stat().st_size:
        os.environ.setdefault(_SUBMIT, _submit(f"-XX:SharedArchiveFile={file}"))


def make_archive() -> str:
    """Make it when it is not there. Returns what to tell."""
    file = _file()
    if file is None:
        return "no Java, no pyspark, or a cache folder with spaces in its path: no archive"
    with locked(file.parent):
        if not file.exists():
            _make(file)
    return f"{file.name}: {file.stat().st_size >> 20} MiB"


def _make(file: Path) -> None:
    with tempfile.TemporaryDirectory(dir=file.parent) as scratch:
        made = Path(scratch) / file.name
        environ = {**os.environ, _SUBMIT: _submit(f"-XX:ArchiveClassesAtExit={made}"), "TMPDIR": scratch}
        command = [sys.executable, "-m", "tests.servers.spark_archive", "--load-classes"]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=900)
        if done.returncode:
            print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
        made.touch()  # an empty one says that it cannot be made here: nobody tries again
        made.rename(file)
    by_age = sorted(file.parent.glob("*.jsa"), key=lambda each: each.stat().st_mtime_ns, reverse=True)
    for old in by_age[_KEPT:]:
        old.unlink(missing_ok=True)


def _submit(option: str) -> str:
    return f"--conf spark.driver.defaultJavaOptions='{option} {_QUIET}' pyspark-shell"


def _file() -> Path | None:
    """Where the archive is or would be; Java refuses one that was made with another Java or other jars."""
    java_home = os.environ.get("JAVA_HOME")
    java = str(Path(java_home) / "bin" / "java") if java_home else shutil.which("java")
    spark = find_spec("pyspark")
    if java is None or spark is None or spark.origin is None:
        return None
    jars = sorted((Path(spark.origin).parent / "jars").glob("*.jar"))
    version = subprocess.run([java, "-version"], capture_output=True, check=False, timeout=60).stderr
    told = [version.decode(), Path(__file__).read_text("utf-8"), *(f"{jar} {jar.stat().st_mtime_ns}" for jar in jars)]
    file = cache_folder("spark") / f"spark-{hashlib.sha256(repr(told).encode()).hexdigest()[:16]}.jsa"
    return file if shlex.quote(str(file)) == str(file) else None  # Spark splits options at spaces


def _load_classes() -> None:
    """What runs do, on rows of no meaning: queries as batches have them, and Python beside them."""
    from pyspark.sql import functions as F

    from shardwright.runtime.spark import start_spark
    from shardwright.specs.environment import SparkSettings
    from tests.servers.spark_jvm import end_jvm

    spark = start_spark(SparkSettings(master="local[2]"), name="classes to archive")
    same: Callable[[Any], Any] = lambda rows: rows  # noqa: E731

    def batch(rows: Any) -> None:
        rows = rows.persist()
        rows.count()
        rows.createOrReplaceTempView("changes")
        session = rows.sparkSession
        other = session.createDataFrame([(3, "n3", None)], "id bigint, name string, note string")
        other.createOrReplaceTempView("found")
        session.sql(_MERGE).mapInArrow(same, "id bigint, name string, rank int, note string").collect()
        rows.groupBy("name").applyInArrow(same, rows.schema).collect()
        rows.repartitionById(2, (F.col("id") % 2).cast("int")).select("*").collect()
        rows.unpersist()

    numbers = [(number, f"n{number}", b"x") for number in range(20)]
    batch(spark.createDataFrame(numbers, "id bigint, name string, raw binary"))
    batch(spark.range(0, 2, 1, 2).mapInArrow(_named, "id bigint, name string, raw binary"))
    spark.stop()
    end_jvm(seconds=600)  # the archive is written when it ends


def _named(batches: Iterator[Any]) -> Iterator[Any]:
    import pyarrow as pa

    for batch in batches:
        ids = batch.column(0)
        yield pa.RecordBatch.from_arrays(
            [ids, ids.cast("string"), ids.cast("string").cast("binary")], ["id", "name", "raw"]
        )


_MERGE = """
WITH ranked AS (
  SELECT *, row_number() OVER (PARTITION BY id % 7 ORDER BY id DESC) AS rank, crc32(cast(id AS string)) AS hash FROM changes
), merged AS (
  SELECT max_by(id, rank) AS id, name, cast(max(rank) AS int) AS rank, collect_list(struct(id, raw)) AS all_of_it
  FROM ranked GROUP BY name
)
SELECT m.id, m.name, m.rank, f.note FROM merged m LEFT JOIN found f ON f.id = m.id
WHERE NOT EXISTS (SELECT 1 FROM ranked r WHERE r.id = m.id AND r.rank > 5)
UNION ALL SELECT id, name, 0, CASE WHEN note IS NULL THEN 'none' ELSE upper(note) END FROM found
"""


if __name__ == "__main__":
    if sys.argv[1:] == ["--load-classes"]:
        _load_classes()
    else:
        print(make_archive(), file=sys.stderr)
