"""Completion scripts, asked by the shells themselves. zsh and fish are asked where they are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from shardwright.runtime.cli.completion.commands import read_commands
from shardwright.runtime.cli.main import VERBS, build_parser
from shardwright.runtime.cli.verb_completion import SCRIPTS
from tests.unit.cli.conftest import Call

COMMANDS = read_commands(build_parser(), path=("shardwright",))
LEVELS = {"error", "warning", "never"}
REPORTS = {"text", "json", "github", "sarif", "markdown"}

# What is typed, and all that may follow; the last word is being typed.
TYPED = {
    "shardwright ": set(VERBS),
    "shardwright va": {"validate"},
    "shardwright compile --fail-on ": LEVELS,
    "shardwright compile --fail-on=": LEVELS,
    "shardwright compile --fail-on w": {"warning"},
    "shardwright --project ddl compile --fail-on w": {"warning"},
    "shardwright -v compile --fail": {"--fail-on"},
    "shardwright validate --report ": REPORTS,
    "shardwright compile --report sarif=out/compile.sarif --report m": {"markdown"},
    "shardwright ddl ": {"plan", "apply", "status", "new"},
    "shardwright ddl apply --env ": {"staging", "live"},
    "shardwright ddl apply --env s": {"staging"},
    "shardwright run --until c": {"caught-up"},
    "shardwright run --env compile --until c": {"caught-up"},
    "shardwright completion ": {"bash", "zsh", "fish"},
    "shardwright compile --output my": {"my folder"},
    "shardwright compile specs/": {"specs/one.yaml", "specs/two.yaml"},
}

BASH = r"""
source "$SCRIPT"
COMP_WORDBREAKS=$' \t\n"'\''><=;|&(:'
line=$1
IFS=' ' read -ra COMP_WORDS <<<"${line//=/ = }"
[[ $line == *" " || $line == *"=" ]] && COMP_WORDS+=("")
[[ $line == *"=" ]] && unset 'COMP_WORDS[${#COMP_WORDS[@]}-1]'
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_shardwright
printf '%s\n' "${COMPREPLY[@]}"
"""
FISH = 'source $SCRIPT; complete -C "$argv[1]" | string split -f 1 \\t'


@pytest.fixture
def script(project: Path, call: Call, tmp_path: Path) -> Path:
    """Where scripts are kept; the current folder has environments and a folder with a space in its name."""
    (project / "environments").mkdir()
    for name in ("staging.yaml", "live.yml"):
        (project / "environments" / name).touch()
    (project / "my folder").mkdir()
    for shell in SCRIPTS:
        ended = call("completion", shell)
        assert ended.code == 0 and ended.err == ""
        (tmp_path / f"completion.{shell}").write_text(ended.out)
    return tmp_path


def asked(command: list[str], script: Path) -> set[str]:
    done = subprocess.run(
        command, env={**os.environ, "SCRIPT": str(script)}, capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stderr == ""
    return {line.rstrip("/") for line in done.stdout.splitlines() if line}


@pytest.mark.parametrize("typed", TYPED)
def test_bash(script: Path, typed: str) -> None:
    assert asked(["bash", "--norc", "-c", BASH, "bash", typed], script / "completion.bash") == TYPED[typed]


HOSTILE = ("$(touch${IFS}ran;echo${IFS}x)", "`touch ran`", "a;touch ran", "*", "${x[$(touch ran)]}")
"""Names of files that somebody committed."""


@pytest.mark.parametrize(
    "typed", ["run --env ", "run --env $", "compile specs/", "compile specs/$", "compile --output "]
)
def test_bash_runs_nothing_that_stands_in_the_name_of_a_file(script: Path, project: Path, typed: str) -> None:
    for name in HOSTILE:
        (project / "environments" / f"{name}.yaml").touch()
        (project / "specs" / f"{name}.yaml").touch()
        (project / name).mkdir()
    told = asked(["bash", "--norc", "-c", BASH, "bash", f"shardwright {typed}"], script / "completion.bash")
    assert not list(project.rglob("ran")) and not list(script.rglob("ran"))
    if "--env" in typed:
        assert told == (set() if typed.endswith("$") else {"staging", "live"})
    elif typed == "compile specs/":
        assert told == {f"specs/{name}.yaml" for name in ("one", "two", *HOSTILE)}
    elif typed == "compile --output ":
        assert {*HOSTILE, "my folder"} <= told


@pytest.mark.skipif(not shutil.which("fish"), reason="no fish here")
@pytest.mark.parametrize("typed", [typed for typed in TYPED if not typed.endswith("=")])
def test_fish(script: Path, typed: str) -> None:
    assert asked(["fish", "--no-config", "-c", FISH, typed], script / "completion.fish") == TYPED[typed]


@pytest.mark.skipif(not shutil.which("zsh"), reason="no zsh here")
def test_zsh_reads_the_script(script: Path) -> None:
    assert asked(["zsh", "-n", str(script / "completion.zsh")], script) == set()


@pytest.mark.parametrize("shell", SCRIPTS)
def test_every_option_of_every_command_is_in_the_script(shell: str) -> None:
    text = SCRIPTS[shell](COMMANDS)
    long = {name[2:] for command in COMMANDS.everything() for option in command.options for name in option.names}
    assert [name for name in long if name not in text] == []
    assert len(list(COMMANDS.everything())) > len(VERBS)
