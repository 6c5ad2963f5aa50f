"""How long `shardwright compile` takes for 1,000 tables (256,000 physical ones), cold and unchanged, beside sqlglot
parsing the same schema once. Each figure is the median of several runs, all of them processes of their own, taken in
turn.

Every cold run writes into a folder of its own, and all of them are deleted at the very end: ext4 takes ten times as
long to create files right after as many were deleted, which is not what is measured here.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.bench.compile.memory import PeakMemory
from tests.bench.compile.project import write_project

_PARSE = "import sys, sqlglot; sqlglot.parse(open(sys.argv[1]).read(), dialect='mysql')"
_SHOP = Path(__file__).parents[3] / "examples" / "shop"


@dataclass(frozen=True, slots=True)
class Run:
    """`seconds` by the wall clock, `busy` of the processor: on a machine with other work the second compares better.
    The peak is that of all its processes together."""

    seconds: float
    busy: float
    peak_mib: float


def main(tables: int = 1000, rounds: int = 5) -> None:
    runs = measure(tables, rounds)
    yardstick = statistics.median(run.busy for run in runs["parse"])
    for name, taken in runs.items():
        seconds = statistics.median(run.seconds for run in taken)
        peak = max(run.peak_mib for run in taken)
        busy = statistics.median(run.busy for run in taken)
        print(
            f"{name:>15}: {seconds:6.2f} s, {busy:6.2f} s of processor time = {busy / yardstick:5.2f} x sqlglot.parse, "
            f"peak {peak:4.0f} MiB"
        )


def measure(tables: int, rounds: int) -> dict[str, list[Run]]:
    """ "parse" is the yardstick; "cold" and "unchanged" are of the large project, those with "shop" of the example."""
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as folder:
        project = Path(folder) / "large"
        schema = write_project(project, tables=tables)
        columns = schema.count("\n") - tables * 2
        print(
            f"compile: {tables} tables onto 16 x 16, {len(schema) / 1e6:.1f} MB of CREATE TABLEs, about {columns} lines"
        )
        runs: dict[str, list[Run]] = {"parse": [], "cold": [], "unchanged": [], "shop cold": [], "shop unchanged": []}
        shop = Path(folder) / "shop"
        for part in ("specs", "schema", "ddl"):
            shutil.copytree(_SHOP / part, shop / part)
        _compile(shop, "warm", folder)  # Python's own compiled files are there when the first run that counts begins
        for number in range(rounds):
            runs["parse"].append(_run(folder, sys.executable, "-c", _PARSE, str(project / "schema" / "shop.sql")))
            for name, root in (("", project), ("shop ", shop)):
                for kind in ("cold", "unchanged"):
                    runs[f"{name}{kind}"].append(_compile(root, f"built-{number}", folder))
    return runs


def _compile(root: Path, output: str, folder: str) -> Run:
    command = (sys.executable, "-m", "shardwright.runtime.cli.main", "-q", "--project", str(root), "compile")
    return _run(folder, *command, "--output", str(root / output))


def _run(folder: str, *command: str) -> Run:
    """One process and those it starts. Raises RuntimeError when it fails. Python's compiled files stand in `folder`."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": f"{folder}/compiled"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    started = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    with PeakMemory(process.pid) as peak:
        said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{said[-2000:]}")
    return Run(seconds, usage.ru_utime + usage.ru_stime, peak.mib)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
