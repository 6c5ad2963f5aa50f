"""The wheel holds what the tree holds: a package that setup.py does not find works here and is missing there."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("specs", "compiler", "runtime")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of the sources, so that a build folder left in the tree cannot lend it files."""
    place = tmp_path_factory.mktemp("packaging")
    tree = place / "tree"
    tree.mkdir()
    tracked = [ROOT / name for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE")]
    for file in [*(file for file in tracked if file.exists()), *_sources()]:
        copy = tree / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(place / "dist"), str(tree)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    (built,) = (place / "dist").glob("*.whl")
    return built


def test_wheel_holds_the_tree(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    wanted = {f"shardwright/{file.relative_to(ROOT).as_posix()}" for file in _sources()}
    assert sorted(wanted - held) == [], "missing from the wheel: see setup.py, and package-data in pyproject.toml"
    assert sorted(held - wanted) == [], "in the wheel, not in the tree"


def test_wheel_offers_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (entry_points,) = (name for name in archive.namelist() if name.endswith("/entry_points.txt"))
        assert "shardwright = shardwright.runtime.cli.program:main" in archive.read(entry_points).decode()


@pytest.fixture(scope="module")
def compiling_only(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's packages and those that compiling needs, nothing of the extra `runtime`."""
    place = tmp_path_factory.mktemp("compiling-only")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    for name in _COMPILING:
        module = _place_of(name)
        (place / module.name).symlink_to(module)
    (info,) = _place_of("sqlglot").parent.glob("sqlglot-*.dist-info")  # its version is part of a plan
    (place / info.name).symlink_to(info)
    return place


def _place_of(name: str) -> Path:
    """The folder or the file of a module."""
    found = importlib.util.find_spec(name)
    assert found is not None and found.origin is not None
    file = Path(found.origin)
    return file.parent if file.stem == "__init__" else file


_COMPILING = (
    *("yaml", "jsonschema", "jsonschema_specifications", "referencing", "rpds", "attr", "attrs", "typing_extensions"),
    "sqlglot",
)
_ALONE = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from shardwright.runtime.cli.main import main
sys.exit(main())
"""


@pytest.mark.parametrize("arguments", [("validate",), ("compile",), ("compile", "--check"), ("diff",)], ids=" ".join)
def test_compiling_needs_no_spark(compiling_only: Path, shop: Path, arguments: tuple[str, ...]) -> None:
    done = _alone(compiling_only, shop, *arguments)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("arguments", [("dry-run",), ("test",), ("run", "--env", "staging")], ids=" ".join)
def test_what_needs_spark_says_how_to_get_it(compiling_only: Path, shop: Path, arguments: tuple[str, ...]) -> None:
    done = _alone(compiling_only, shop, *arguments)
    assert done.returncode == 2
    assert "error SW8004: " in done.stderr and 'pip install "shardwright[runtime]"' in done.stderr


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = tmp_path_factory.mktemp("shop") / "shop"
    shutil.copytree(ROOT / "examples" / "shop", project, ignore=shutil.ignore_patterns("build", "__pycache__"))
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")
    for arguments in (("init", "--quiet"), ("add", "--all"), (*who, "commit", "--quiet", "--message", "A version")):
        subprocess.run(["git", *arguments], cwd=project, check=True, timeout=300)
    return project


def _alone(packages: Path, project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command without the packages installed here."""
    command = [sys.executable, "-I", "-S", "-c", _ALONE, str(packages), *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=300, check=False)


_PATTERNS = ("*.py", "py.typed", "schemas/*.json", "codes/*.md", "*.sha256", "*.j2", "*.html")


def _sources() -> list[Path]:
    """The files of the three packages that are meant to be installed."""
    files = [
        file
        for part in PARTS
        for pattern in (*_PATTERNS, "starter/**/*.*", "starter/gitignore")
        for file in (ROOT / part).rglob(pattern)
        if "__pycache__" not in file.parts
    ]
    assert len(files) > 50
    return files
