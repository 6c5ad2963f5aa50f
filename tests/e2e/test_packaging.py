"""What users install: sdist and wheel hold what the tree holds, and each extra is enough for its verbs, in a bare
environment outside the checkout.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from shardwright.runtime.cli.extras import GROUPS, PACKAGES, Group, group_of
from shardwright.runtime.cli.help_form import VERBS_BY_USE
from tests.e2e.packages import PROJECT_FILES, ROOT, Bare, build, install, sources

ARGUMENTS = {
    "explain-row": ("--table", "orders", "--key", "1", "--env", "staging"),
    "control": ("status", "--env", "staging"),
    "ddl": ("status", "--env", "staging"),
    "conflicts": ("list", "--env", "staging"),
    "dead-letters": ("list", "--env", "staging"),
    "notify": ("--test", "--env", "staging"),
    "page": ("--env", "staging"),
    "report": ("--env", "staging"),
    "repair": ("result.json", "--env", "staging"),
    "sandbox": ("up", "--folder", "servers"),
    "dry-run": (),
    "test": (),
    "spark-cache": (),
}
"""Verbs and actions that ask for something else than an environment."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return build(tmp_path_factory.mktemp("packaging"))


@pytest.fixture(scope="module")
def wheel(built: tuple[Path, Path]) -> Path:
    return built[1]


@pytest.fixture(scope="module")
def plain(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Bare:
    """Without an extra."""
    return install(wheel, tmp_path_factory.mktemp("plain") / "environment")


@pytest.fixture(scope="module")
def with_mysql(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Bare:
    return install(wheel, tmp_path_factory.mktemp("with-mysql") / "environment", extra="mysql")


@pytest.fixture(scope="module")
def started(plain: Bare, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that the installed command has made and compiled."""
    place = tmp_path_factory.mktemp("started")
    assert plain.call("init", "orders", cwd=place).returncode == 0
    done = plain.call("compile", cwd=place / "orders")
    assert done.returncode == 0, done.stderr
    return place / "orders"


def test_wheel_holds_the_tree(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    wanted = {f"shardwright/{file.relative_to(ROOT).as_posix()}" for file in sources()}
    assert sorted(wanted - held) == [], "missing from the wheel: see setup.py, and package-data in pyproject.toml"
    assert sorted(held - wanted) == [], "in the wheel, not in the tree"


def test_sdist_holds_the_tree_and_no_more(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[0]) as archive:
        held = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    wanted = {*PROJECT_FILES, *(file.relative_to(ROOT).as_posix() for file in sources())}
    assert sorted(wanted - held) == []
    made = {"PKG-INFO", "setup.cfg"}
    assert [name for name in sorted(held - wanted - made) if not name.startswith("shardwright.egg-info/")] == []


def test_wheel_offers_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (entry_points,) = (name for name in archive.namelist() if name.endswith("/entry_points.txt"))
        assert "shardwright = shardwright.runtime.cli.program:main" in archive.read(entry_points).decode()


def test_the_extras_are_those_that_the_program_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    written = {Group.COMPILE: project["dependencies"], **project["optional-dependencies"]}
    for group in Group:
        names = {Requirement(line).name for line in written[group]} - {"shardwright"}
        assert names == set(PACKAGES[group].values()), group
    assert "shardwright[mysql]" in written[Group.RUNTIME]


def test_an_extra_brings_no_more_than_it_promises(plain: Bare, with_mysql: Bare) -> None:
    """In bytes of the packages' files. The bytecode that pip makes doubles the part that is Python."""
    assert plain.size < 16_000_000 and with_mysql.size < 40_000_000
    assert {"pymysql", "pyspark", "pyarrow"}.isdisjoint(plain.packages)
    assert "pymysql" in with_mysql.packages and {"pyspark", "pyarrow", "numpy"}.isdisjoint(with_mysql.packages)


def test_nothing_but_the_extra_can_be_imported(plain: Bare, with_mysql: Bare) -> None:
    code = "from importlib.util import find_spec; print(*(n for n in {} if find_spec(n)))"
    names = [module for packages in PACKAGES.values() for module in packages]
    assert plain.python_says(code.format(names)).split() == [*PACKAGES[Group.COMPILE]]
    assert with_mysql.python_says(code.format(names)).split() == [*PACKAGES[Group.COMPILE], *PACKAGES[Group.MYSQL]]
    assert str(ROOT) not in plain.python_says("import shardwright.specs; print(shardwright.specs.__file__)")


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (("--help",), "look after:"),
        (("validate",), ""),
        (("compile", "--check"), ""),
        (("explain", "SW5001"), "SW5001: the shard may be NULL"),
        (("explain", "--list"), "SW8059"),
        (("jsonschema", "environment"), '"$schema"'),
        (("show", "orders"), "shard"),
        (("route", "--table", "orders", "--key", "user_id=4711"), "order_db_"),
        (("completion", "bash"), "_shardwright"),
        (("doctor",), "mysql: not ready"),
        (("version",), "shardwright 0."),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else "",
)
def test_no_extra_is_needed_without_servers(plain: Bare, started: Path, arguments: tuple[str, ...], shown: str) -> None:
    done = plain.call(*arguments, cwd=started)
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout


def test_no_extra_is_needed_to_compare_versions(plain: Bare, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    shutil.copytree(ROOT / "examples" / "shop", project, ignore=shutil.ignore_patterns("build", "__pycache__"))
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")
    for arguments in (("init", "--quiet"), ("add", "--all"), (*who, "commit", "--quiet", "--message", "A version")):
        subprocess.run(["git", *arguments], cwd=project, check=True, timeout=300)
    done = plain.call("diff", cwd=project)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("verb", GROUPS)
def test_a_verb_says_which_extra_it_needs(plain: Bare, started: Path, verb: str) -> None:
    done = plain.call(*verb.split(), *ARGUMENTS.get(verb, ("--env", "staging")), cwd=started)
    assert done.returncode == 2
    assert re.match("error SW8059: .* not installed: ", done.stderr.splitlines()[-2])
    assert f'pip install "shardwright[{GROUPS[verb]}]"' in done.stderr and "Traceback" not in done.stderr


def test_the_extra_mysql_is_enough_for_its_verbs(with_mysql: Bare) -> None:
    """Each verb's module is imported, and that of each action: what they import later is for options that say so."""
    modules = [f"verb_{verb.replace('-', '_')}" for verb in VERBS_BY_USE if group_of(verb) is not Group.RUNTIME]
    modules += ["cutover_status", "ddl_plan", "ddl_apply", "ddl_status", "ddl_drift", "ddl_new", "watching"]
    code = f"import importlib\nfor name in {modules}: importlib.import_module('shardwright.runtime.cli.' + name)"
    with_mysql.python_says(code)


@pytest.mark.parametrize("verb", ["run", "cutover", "test"])
def test_with_the_extra_mysql_the_others_ask_for_runtime(with_mysql: Bare, started: Path, verb: str) -> None:
    done = with_mysql.call(verb, *ARGUMENTS.get(verb, ("--env", "staging")), cwd=started)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "error SW8059: " in done.stderr and 'pip install "shardwright[runtime]"' in done.stderr
    assert "PyMySQL" not in done.stderr


def test_doctor_ends_by_what_was_asked_for(plain: Bare, with_mysql: Bare, tmp_path: Path) -> None:
    codes = [
        [bare.call("doctor", *words, cwd=tmp_path).returncode for words in ((), ("--for", "mysql"), ("--for", "run"))]
        for bare in (plain, with_mysql)
    ]
    assert codes == [[0, 2, 2], [0, 0, 2]]
