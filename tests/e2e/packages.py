"""Our packages as users install them: an sdist, the wheel made of it, and bare environments outside the checkout. What
these need of others is copied from the environment of the tests, so that no registry is asked.
"""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from email.parser import Parser
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

ROOT: Final = Path(__file__).resolve().parents[2]
PARTS: Final = ("specs", "compiler", "runtime")
PROJECT_FILES: Final = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
_PATTERNS: Final = ("*.py", "py.typed", "schemas/*.json", "codes/*.md", "*.sha256", "*.j2", "*.html")


def sources() -> list[Path]:
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


def build(place: Path) -> tuple[Path, Path]:
    """The sdist, and the wheel that is built from it. Both come from a copy of the sources, so that a build folder left
    in the tree cannot lend them files."""
    tree = place / "tree"
    tree.mkdir()
    for file in [*(ROOT / name for name in PROJECT_FILES), *sources()]:
        copy = tree / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(place / "dist"), str(tree)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    (sdist,), (wheel,) = (place / "dist").glob("*.tar.gz"), (place / "dist").glob("*.whl")
    return sdist, wheel


@dataclass(frozen=True)
class Bare:
    """An environment with our wheel and what it asks for, and nothing else."""

    folder: Path
    packages: Mapping[str, int]
    """The packages of others, with the bytes of their files."""
    ours: int
    """The bytes of our files."""

    @property
    def size(self) -> int:
        return self.ours + sum(self.packages.values())

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    def call(self, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """The command, without anything of the environment of the tests."""
        return self._run([str(self.folder / "bin" / "shardwright"), *arguments], cwd)

    def python_says(self, code: str) -> str:
        done = self._run([str(self.python), "-c", code], self.folder)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def _run(self, command: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "JAVA_HOME") if name in os.environ}
        return subprocess.run(
            command,
            cwd=cwd,
            env=kept,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


def install(wheel: Path, folder: Path, *, extra: str = "") -> Bare:
    """A new environment with the wheel and what it asks for with `extra`."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=300)
    (site,) = folder.glob("lib/python3*/site-packages")
    sizes = {name: _copy(name, site) for name in sorted(_closure(wheel, extra))}
    command = ["pip", "--python", str(folder / "bin" / "python"), "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-m", *command, "--no-deps", "--no-index", "--no-compile", str(wheel)], check=True, timeout=300
    )
    with zipfile.ZipFile(wheel) as archive:
        ours = sum(each.file_size for each in archive.infolist())
    return Bare(folder, sizes, ours)


def _copy(name: str, site: Path) -> int:
    """Copies what the package's record lists, without scripts and bytecode; returns the bytes."""
    size = 0
    for file in importlib.metadata.distribution(name).files or ():
        if file.suffix == ".pyc" or ".." in file.parts:
            continue
        to = site / str(file)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(str(file.locate()), to)
        size += to.stat().st_size
    return size


def _closure(wheel: Path, extra: str) -> set[str]:
    found: set[str] = set()
    waiting = list(_requirements_for(_requirements(wheel), {"", *_extras(_requirements(wheel), extra)}))
    while waiting:
        one = waiting.pop()
        if one.name.lower() not in found:
            found.add(one.name.lower())
            asked = [Requirement(line) for line in importlib.metadata.requires(one.name) or ()]
            waiting += _requirements_for(asked, {"", *one.extras})
    return found


def _requirements(wheel: Path) -> list[Requirement]:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode())
    return [Requirement(line) for line in metadata.get_all("Requires-Dist", [])]


def _extras(asked: Collection[Requirement], extra: str) -> set[str]:
    """With those that the extra takes in: runtime has all of mysql."""
    taken = {
        name for one in _requirements_for(asked, {extra}, ours=True) for name in one.extras if one.name == "shardwright"
    }
    return {extra, *taken} if extra else set()


def _requirements_for(
    asked: Collection[Requirement], extras: Collection[str], *, ours: bool = False
) -> Iterator[Requirement]:
    for one in asked:
        wanted = one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in extras)
        if wanted and (ours or one.name != "shardwright"):
            yield one
