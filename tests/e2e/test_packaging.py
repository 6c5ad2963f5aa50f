"""The wheel holds what the tree holds: a package left out of pyproject.toml works here and is missing there."""

from __future__ import annotations

import subprocess
import sys
import tomllib
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
    tracked = [ROOT / name for name in ("pyproject.toml", "README.md", "LICENSE")]
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
    assert sorted(wanted - held) == [], "missing from the wheel: see packages and package-data in pyproject.toml"
    assert sorted(held - wanted) == [], "in the wheel, not in the tree"


def test_wheel_offers_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (entry_points,) = (name for name in archive.namelist() if name.endswith("/entry_points.txt"))
        assert "shardwright = shardwright.runtime.cli.main:main" in archive.read(entry_points).decode()


def test_every_package_is_listed() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    found = {"shardwright." + ".".join(file.parent.relative_to(ROOT).parts) for file in _sources(".py")}
    assert sorted(found) == sorted(listed)


def _sources(suffix: str = "") -> list[Path]:
    """The files of the three packages that are meant to be installed."""
    files = [
        file
        for part in PARTS
        for pattern in ("*.py", "py.typed", "schemas/*.json", "starter/**/*.*", "starter/gitignore")
        for file in (ROOT / part).rglob(pattern)
        if "__pycache__" not in file.parts and file.name.endswith(suffix)
    ]
    assert len(files) > 50 or suffix
    return files
