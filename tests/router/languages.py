"""A generated library in its own language: compiled once, asked for the places of many keys."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

RUNNERS = Path(__file__).parent / "runners"
Key = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Toolchain:
    """`file` is what the library is called; `build` and `ask` are commands, in the folder that has it; `tools` are what
    has to be on the path."""

    tools: tuple[str, ...]
    file: str
    runner: str
    build: tuple[str, ...]
    ask: tuple[str, ...]

    def missing(self) -> str | None:
        absent = [tool for tool in self.tools if shutil.which(tool) is None]
        return f"there is no {' and no '.join(absent)} here" if absent else None


TOOLCHAINS: Mapping[str, Toolchain] = {
    "python": Toolchain((), "router.py", "run.py", (), (sys.executable, "run.py")),
    "java": Toolchain(
        ("javac", "java"), "ShardRouter.java", "Runner.java",
        ("javac", "-J-XX:TieredStopAtLevel=1", "-nowarn", "-proc:none", "-encoding", "UTF-8", "ShardRouter.java",
         "Runner.java"),
        ("java", "-XX:TieredStopAtLevel=1", "-cp", ".", "Runner"),
    ),
    "go": Toolchain(("go",), "shardrouter/router.go", "main.go", ("go", "build", "-o", "run", "."), ("./run",)),
    "javascript": Toolchain(("node",), "router.mjs", "run.mjs", (), ("node", "run.mjs")),
    "php": Toolchain(("php",), "ShardRouter.php", "run.php", (), ("php", "-n", "run.php")),
}  # fmt: skip


def build(language: str, library: str, folder: Path) -> None:
    chain = TOOLCHAINS[language]
    place = folder / chain.file
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(library, encoding="utf-8")
    shutil.copy(RUNNERS / chain.runner, folder)
    if language == "go":
        (folder / "go.mod").write_text("module example\n\ngo 1.21\n", encoding="utf-8")
    if chain.build:
        done = subprocess.run(chain.build, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[:4000] + done.stderr[:4000]


def ask(language: str, folder: Path, keys: Sequence[tuple[str, Key]]) -> list[str]:
    """`database.table` of each, or `refused`."""
    lines = "".join("\t".join([table, *(_cell(name, value) for name, value in key.items())]) + "\n"
                    for table, key in keys)  # fmt: skip
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
    done = subprocess.run(TOOLCHAINS[language].ask, cwd=folder, input=lines, capture_output=True, text=True,
                          encoding="utf-8", check=False, env=environment)  # fmt: skip
    assert done.returncode == 0, done.stderr[:4000]
    return done.stdout.splitlines()


def _cell(name: str, value: object) -> str:
    match value:
        case int():
            return f"{name}=integer={value}"
        case str():
            return f"{name}=text={value.encode().hex()}"
        case bytes():
            return f"{name}=bytes={value.hex()}"
    return f"{name}=null="
