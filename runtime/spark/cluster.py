"""What a session on a cluster needs before its first job: our packages on the executors, as one archive made of what
this process runs, and the number of cores.

Runs in the driver; writes the archive to scratch.
"""

from __future__ import annotations

import importlib.util
import marshal
import sys
import time
import zipfile
from collections.abc import Collection, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shardwright.runtime.failures import Unreachable

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession


_SHUFFLE = "spark.sql.shuffle.partitions"
_PATIENCE_SECONDS = 300
_SETTLING_SECONDS = 5
_prepared: set[str] = set()


def prepare_cluster(session: SparkSession, folder: Path, *, asked: Collection[str]) -> None:
    """Prepare each application once, however often its session is asked for. `asked`: the names of the settings of the
    environment, which are kept. Raises Unreachable (SW8107) when no executor comes."""
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
    """Wait for the first executor, and until no more have come for a while: a master gives them one after the other."""
    end = time.monotonic() + _PATIENCE_SECONDS
    known, since = 0, time.monotonic()
    while known == 0 or time.monotonic() < since + _SETTLING_SECONDS:
        executors = len(context._jsc.sc().statusTracker().getExecutorInfos()) - 1  # one of them is the driver
        if executors > known:
            known, since = executors, time.monotonic()
        if time.monotonic() > end:
            if known:
                return
            message = (
                f"no executor of {context.master} has come within {_PATIENCE_SECONDS} s: the master's page says "
                "what is missing"
            )
            raise Unreachable("SW8107", message)
        time.sleep(0.1)


OURS = ("specs", "compiler", "runtime")
CARRIED = ("pymysql", "sqlglot", "tenacity", "yaml")
"""What our code imports in tasks, beside what the executors' Python must have: pyarrow, pandas, numpy and
cryptography."""
_ARCHIVE = "shardwright-tasks.zip"
_UNCHECKED = (0b01).to_bytes(4, "little") + bytes(8)
"""Flags in a .pyc: do not compare this code with its source."""


def ship_packages(context: SparkContext, folder: Path) -> Path:
    """Let every task of `context` import our packages as they are in this process. `folder` keeps the archive while the
    session lives."""
    archive = make_archive(folder / _ARCHIVE)
    before = list(sys.path)
    context.addPyFile(str(archive))
    sys.path[:] = before  # it is for tasks: this process imports the packages from their old place
    return archive


def make_archive(file: Path) -> Path:
    """Put the sources into an archive, each with its compiled form of this Python. A worker of another Python (3.x)
    reads the source instead."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        # A package of its own. Otherwise an executor that has ours installed would search that one for what the archive
        # lacks.
        archive.writestr("shardwright/__init__.py", "")
        for package in OURS:
            _add(archive, f"shardwright.{package}", Path("shardwright", package))
        for package in CARRIED:
            _add(archive, package, Path(package))
    return file


def _add(archive: zipfile.ZipFile, package: str, place: Path) -> None:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return  # `yaml` and others may be elsewhere: a task that lacks one names it
    root = Path(next(iter(spec.submodule_search_locations)))
    for source in _sources(root):
        inside = place / source.relative_to(root)
        archive.write(source, str(inside))
        if source.suffix == ".py":
            code = SourceFileLoader(".".join(inside.with_suffix("").parts), str(source)).get_code(
                ".".join(inside.with_suffix("").parts)
            )
            compiled = importlib.util.MAGIC_NUMBER + _UNCHECKED + marshal.dumps(code)
            archive.writestr(str(inside.with_suffix(".pyc")), compiled)


def _sources(root: Path) -> Iterator[Path]:
    """Code and its data files; nothing that is compiled for this machine."""
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.suffix in {".py", ".json"} and "__pycache__" not in path.parts:
            yield path
