"""A lab whose source changes its tables while the stream follows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.lab import Lab

MakeLab = Callable[[str], "DdlLab"]


class DdlLab:
    """`stream` is what the spec says of the stream, `settings` the environment of more."""

    def __init__(self, arena: Arena, folder: Path, stream: str, settings: Mapping[str, Any] | None = None) -> None:
        self.lab = Lab(arena, folder, settings=settings)
        self.project = self.lab.job.project
        spec = self.project / "specs" / "lab.yaml"
        text = spec.read_text(encoding="utf-8")
        spec.write_text(text.replace("stream: {format: binlog}", f"stream: {stream}"), encoding="utf-8")
        self.compile()
        self.lab.create_source()

    def compile(self) -> None:
        self.lab.job.call("compile")

    def in_schema(self, old: str, new: str) -> None:
        """Change the committed schema file, and compile."""
        schema = self.project / "schema" / "lab.sql"
        text = schema.read_text(encoding="utf-8")
        assert old in text
        schema.write_text(text.replace(old, new, 1), encoding="utf-8")
        self.compile()

    def in_spec(self, old: str, new: str, *, then_compile: bool = True) -> None:
        """Change the spec, and compile."""
        spec = self.project / "specs" / "lab.yaml"
        text = spec.read_text(encoding="utf-8")
        assert old in text
        spec.write_text(text.replace(old, new, 1), encoding="utf-8")
        if then_compile:
            self.compile()

    def run(self, *, code: int = 0, saying: str = "", allow: str = "", failpoints: str = "") -> str:
        """A run to the end of the log; it ends with `code` and says so. Returns the end of its log."""
        if failpoints:
            process = self.lab.start(until="caught-up", gated=False, failpoints=failpoints)
            return self.lab.wait_for_end(process, code=code, saying=saying)
        more = ("--allow", allow) if allow else ()
        self.lab.job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", *more, expect=code)
        log = self.lab.job.end_of_log()
        assert saying in log, f"'{saying}' was not said:\n{log}"
        assert "Traceback" not in log, log
        return log

    def place(self, log: str) -> str:
        """The place of the statement that the run has named."""
        found = re.findall(r"SW8114@(\S+:\d+)", log)
        assert found, log
        return found[-1].rstrip(";,.")

    def audit(self) -> list[str]:
        return [
            str(row[0])
            for row in self.lab.at(0, "SELECT what FROM _shardwright_audit WHERE what NOT LIKE 'run:%' ORDER BY id")
        ]

    def columns(self, place: int, table: str) -> list[str]:
        return [str(row[0]) for row in self.lab.at(place, f"SHOW COLUMNS FROM {table}")]


@pytest.fixture
def make_lab(arena: Arena, tmp_path: Path) -> Iterator[MakeLab]:
    yield lambda stream: DdlLab(arena, tmp_path, stream)
