"""docs/tutorials/first-migration.md, command by command: its blocks are executed in one shell, on real servers and with
Spark, and what the page shows of their output is what they print.

Packages come from the environment of the tests, so that `pip install` asks no registry.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "tutorials" / "first-migration.md"
_BLOCK: Final = re.compile(r"^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_VARIES: Final = re.compile(r"[0-9a-f]{16}|\d[\d.,]*")
"""Fingerprints, ports, positions, seconds: each number of the page stands for some number."""


@dataclass
class Step:
    """Commands of the page, and the lines that it shows of their output."""

    commands: str
    shown: list[str] = field(default_factory=list)


def read_steps(page: str) -> list[Step]:
    """A block without a language has commands; `text` after it has output. There is nothing else on the page."""
    steps: list[Step] = []
    for block in _BLOCK.finditer(page):
        if block["kind"] == "text":
            steps[-1].shown += block["text"].splitlines()
        else:
            assert block["kind"] == "", block["kind"]
            steps.append(Step(block["text"]))
    return steps


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A reader's home folder. What the page has started there has ended afterwards."""
    yield tmp_path
    for pid in tmp_path.glob("sandbox/**/*.pid"):
        with suppress(ProcessLookupError, ValueError):
            os.kill(int(pid.read_text()), signal.SIGKILL)


@pytest.mark.server
@pytest.mark.spark
@pytest.mark.long
def test_the_page_does_what_it_says(home: Path) -> None:
    steps = read_steps(PAGE.read_text(encoding="utf-8"))
    assert len(steps) > 8 and sum(len(step.shown) for step in steps) > 7
    said = _carry_out(home, steps)
    for step, output in zip(steps, said, strict=True):
        rest = output
        for line in step.shown:
            found = re.search(_pattern_of(line), rest)
            assert found, f"{line!r} is not in what these print:\n{step.commands}\n{output}"
            rest = rest[found.end() :]


def _pattern_of(line: str) -> str:
    return r"(?:[0-9a-f]{16}|\d[\d.,]*)".join(re.escape(part) for part in _VARIES.split(line))


def _carry_out(home: Path, steps: list[Step]) -> list[str]:
    """What each step prints, on both streams. The first command that fails ends the shell."""
    mark = "== the next step =="
    script = "set -eo pipefail\n" + "".join(f"{step.commands}\necho '{mark}'\n" for step in steps)
    file, output = home / "page.sh", home / "page.out"
    file.write_text(script, encoding="utf-8")
    environ = {
        **os.environ,
        "HOME": str(home),
        "PYTHONPATH": sysconfig.get_path("purelib"),
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip's way to say: without isolation
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    with output.open("wb") as stream:
        shell = subprocess.Popen(
            ["bash", str(file)], cwd=ROOT, env=environ, stdin=subprocess.DEVNULL, stdout=stream,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        try:
            code = shell.wait(timeout=540)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)
    said = output.read_text(encoding="utf-8")
    assert code == 0, said[-6000:]
    return said.split(f"{mark}\n")[:-1]
