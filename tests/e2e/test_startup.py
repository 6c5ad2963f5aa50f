"""Commands that need no server start without what only servers and Spark need: asserted on modules, never on time."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workload.shop import PROJECT

DRIVERS = ("pyspark", "pymysql", "pyarrow", "pandas", "numpy", "rich", "tenacity", "shtab", "prometheus_client")
HEAVY = ("yaml", "jsonschema", "sqlglot", *DRIVERS)

_PROBE = """
import sys
from shardwright.runtime.cli.main import main

try:
    code = main(sys.argv[1:])
except SystemExit as ended:
    code = ended.code
print("loaded:", *sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
sys.exit(code)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The shop, without an environment and without a plan."""
    for part in ("specs", "schema", "ddl"):
        shutil.copytree(PROJECT / part, tmp_path / part)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        pytest.param(("--help",), HEAVY, id="help"),
        pytest.param(("run", "--help"), HEAVY, id="help of a verb"),
        pytest.param(("explain", "SW2104"), HEAVY, id="explain"),
        pytest.param(("jsonschema", "spec"), HEAVY, id="jsonschema"),
        pytest.param(("completion", "bash"), tuple({*HEAVY} - {"shtab"}), id="completion"),
        pytest.param(("init", "elsewhere"), HEAVY, id="init"),
        pytest.param(("validate",), ("sqlglot", *DRIVERS), id="validate"),
        pytest.param(("compile",), DRIVERS, id="compile"),
        pytest.param(("compile", "--check"), DRIVERS, id="compile --check"),
        pytest.param(("-q", "compile"), HEAVY, id="compile again"),
        pytest.param(("route", "--table", "users", "--key", "id=4711"), DRIVERS, id="route"),
        pytest.param(("route", "--table", "users", "--key", "id=4711", "--format", "sql"), DRIVERS, id="route as SQL"),
        pytest.param(
            ("conform", "--statements", "schema/shop.sql", "--format", "json", "--fail-on", "never"),
            DRIVERS,
            id="conform",
        ),
    ],
)
def test_light(project: Path, arguments: tuple[str, ...], unwanted: tuple[str, ...]) -> None:
    if "--check" in arguments or "-q" in arguments:
        _imports_of(project, "compile")
    loaded = _imports_of(project, *arguments)
    assert not loaded & set(unwanted)


@pytest.mark.parametrize(
    "verb", ["verify", "ddl", "status", "preflight", "exporter", "page", "control", "dead-letters"]
)
def test_what_asks_servers_without_spark_loads_no_arrow(verb: str) -> None:
    code = f"import sys, shardwright.runtime.cli.verb_{verb.replace('-', '_')}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert "pymysql" in loaded and not loaded & {"pyspark", "pyarrow", "pandas", "numpy"}


def test_a_run_gives_its_first_line_before_it_loads_what_is_slow() -> None:
    code = "import sys, shardwright.runtime.cli.verb_run; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {*loaded} & {*HEAVY}


@pytest.mark.parametrize(
    ("module", "most"), [("verb_cutover", 185), ("cutover_status", 240), ("cutover_end", 285), ("cutover_switch", 385)]
)
def test_an_action_of_a_cutover_loads_no_more_of_ours_than_it_needs(module: str, most: int) -> None:
    """The verb loads the module of the action that was asked for; 479 were loaded for each of them."""
    code = f"import sys, shardwright.runtime.cli.{module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert sum(name.startswith("shardwright.") for name in loaded) <= most


def test_the_probe_sees_what_is_loaded(project: Path) -> None:
    assert {"yaml", "sqlglot"} <= _imports_of(project, "compile")


def _imports_of(project: Path, *arguments: str) -> set[str]:
    """Run a command that succeeds and return the packages it imported."""
    command = [sys.executable, "-c", _PROBE, "--project", str(project), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=project)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.rpartition("loaded:")[2].split())
