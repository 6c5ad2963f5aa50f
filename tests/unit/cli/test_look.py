"""Colour where it is wanted, and never where it is not: a report is the same text with and without."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Call, write_spec

_COLOUR = re.compile("\x1b\\[[0-9;]*m")


def test_colours_change_nothing_else(project: Path, call: Call) -> None:
    write_spec(project, "one", database="user_idd % 8")
    call("compile")
    plain, painted = call("compile", "--color", "never"), call("compile", "--color", "always")
    assert "\x1b" not in plain.err and "\x1b[1;31merror SW3004\x1b[0m" in painted.err
    assert _COLOUR.sub("", painted.err) == plain.err
    assert call("compile").err == plain.err, "no terminal, no colours"


def test_a_failure_is_painted_too(project: Path, call: Call) -> None:
    painted = call("explain", "SW0", "--color", "always")
    assert painted.err.startswith("\x1b[1;31merror SW8008\x1b[0m: there is no code 'SW0'")


@pytest.mark.parametrize(
    ("arguments", "environ", "coloured"),
    [
        ((), {}, True),
        ((), {"NO_COLOR": "1"}, False),
        ((), {"NO_COLOR": ""}, True),
        ((), {"TERM": "dumb"}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
        (("--color", "never"), {}, False),
    ],
)
def test_on_a_terminal(project: Path, arguments: tuple[str, ...], environ: dict[str, str], coloured: bool) -> None:
    write_spec(project, "one", database="user_id % 8")
    (project / "specs" / "two.yaml").write_text("version: 1\n# " + "x" * 300 + "\nx: {" + " " * 200 + "y: 1}\n")
    text = on_terminal(project, "validate", *arguments, environ={"TERM": "xterm", "COLUMNS": "80", **environ})
    assert ("\x1b[" in text) == coloured
    frames = [line for line in _COLOUR.sub("", text).splitlines() if " | " in line]
    assert 70 < max(map(len, frames)) <= 80 + 2 * len("...")


def on_terminal(folder: Path, *arguments: str, environ: dict[str, str]) -> str:
    """What a command writes to a terminal."""
    master, slave = pty.openpty()
    code = "import sys; from shardwright.runtime.cli.main import main; sys.exit(main())"
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | environ
    command = [sys.executable, "-c", code, *arguments]
    subprocess.run(command, cwd=folder, env=environment, stdout=slave, stderr=slave, check=False, timeout=60)
    os.close(slave)
    written = b""
    try:
        while chunk := os.read(master, 65536):
            written += chunk
    except OSError:
        pass  # Linux tells the end of a terminal this way
    os.close(master)
    return written.decode()
