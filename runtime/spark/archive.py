"""Where Spark's loaded and checked classes are kept, once for each machine: in an archive that Java maps, so that Spark
starts for half the processor time.

Runs in the driver before Spark starts; writes to a folder among the user's caches, for all projects and runs.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.spark.java import require_pyspark

OPTION = "spark.driver.defaultJavaOptions"
"""The option that we set; `extraJavaOptions` is the user's."""
QUIET = "-Xlog:disable -Xlog:all=error:stderr"
"""Otherwise Java reports an archive that does not fit on standard output, which belongs to the command."""
_SUBMIT = "PYSPARK_SUBMIT_ARGS"
_KEPT = 3
_PATIENCE = 900


def archive_options() -> str | None:
    """Java's options to use this machine's archive; None where there is no archive."""
    file = _file()
    if file is None or not file.exists() or not file.stat().st_size:
        return None
    with suppress(OSError):
        os.utime(file)  # the archives that were used last are kept
    return f"-XX:SharedArchiveFile={file} {QUIET}"


def make_archive() -> str:
    """Make the archive when it does not exist, which takes up to a minute. Returns the command's output. Raises
    RuntimeFailure (SW8059, SW8009)."""
    require_pyspark()
    file = _file()
    if file is None:
        raise RuntimeFailure(
            "SW8009", "there is no java on the PATH and no JAVA_HOME, or the cache folder's path has spaces"
        )
    with lock(file.parent):
        if not file.exists():
            _make(file)
    size = file.stat().st_size
    if not size:
        raise RuntimeFailure("SW8009", f"this Java made none; {file} says so, remove it to try again")
    return f"{file}: {size >> 20} MiB"


def _make(file: Path) -> None:
    with tempfile.TemporaryDirectory(dir=file.parent) as scratch:
        made = Path(scratch) / file.name
        options = f"-XX:ArchiveClassesAtExit={made} -XX:+UseSerialGC -XX:TieredStopAtLevel=1 {QUIET}"
        environ = {**os.environ, _SUBMIT: f"--conf {OPTION}='{options}' pyspark-shell", "TMPDIR": scratch}
        command = [sys.executable, "-m", "shardwright.runtime.spark.archive_classes"]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=_PATIENCE)
        if done.returncode:
            raise RuntimeFailure("SW8009", f"Spark did not run: {done.stderr.strip()[-2000:]}")
        made.touch()  # an empty one says that it cannot be made here: no later run tries again
        made.rename(file)
    by_use = sorted(file.parent.glob("*.jsa"), key=lambda each: each.stat().st_mtime_ns, reverse=True)
    for old in by_use[_KEPT:]:
        old.unlink(missing_ok=True)


def _file() -> Path | None:
    """Where the archive is or would be; None where there can be none. Java refuses one that was made with another Java
    or other jars."""
    java_home = os.environ.get("JAVA_HOME")
    java = str(Path(java_home) / "bin" / "java") if java_home else shutil.which("java")
    spark = find_spec("pyspark")
    if java is None or spark is None or spark.origin is None:
        return None
    home = Path(os.environ.get("SPARK_HOME") or Path(spark.origin).parent)
    jars = sorted((home / "jars").glob("*.jar"))
    classes = Path(__file__).with_name("archive_classes.py").read_text("utf-8")
    inputs = [_version(java), classes, *(f"{jar} {jar.stat().st_mtime_ns}" for jar in jars)]
    file = cache_folder("spark") / f"spark-{hashlib.sha256(repr(inputs).encode()).hexdigest()[:16]}.jsa"
    return file if shlex.quote(str(file)) == str(file) else None  # Spark splits options at spaces


def _version(java: str) -> str:
    program = Path(java).resolve()
    release = program.parent.parent / "release"
    if release.exists():
        return f"{program} {release.read_text('utf-8', 'replace')}"
    asked = subprocess.run([java, "-version"], capture_output=True, text=True, check=False, timeout=60)
    return f"{program} {asked.stderr}"


def cache_folder(name: str) -> Path:
    """A folder among the user's caches, or that of the variable SHARDWRIGHT_`NAME`. It need not exist."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get(f"SHARDWRIGHT_{name.upper()}") or base / "shardwright" / name)


@contextmanager
def lock(folder: Path) -> Iterator[None]:
    """A context that one process at a time enters; the folder exists in it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
