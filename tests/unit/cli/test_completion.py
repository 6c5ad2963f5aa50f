"""Completion scripts, asked by the shells themselves. zsh and fish are asked where they are installed."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from shardwright.runtime.cli.main import VERBS, build_parser
from shardwright.runtime.cli.verb_completion import all_actions, script_for
from tests.unit.cli.conftest import Call

SHELLS = ("bash", "zsh", "fish")
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
    "shardwright --color never --project=ddl compile --fail-on=w": {"warning"},
    "shardwright --color ": {"auto", "always", "never"},
    "shardwright run --migration ": {"shop-split", "other"},
    "shardwright verify --env staging --migration o": {"other"},
    "shardwright show u": {"users"},
    "shardwright verify --table us": {"users"},
    "shardwright explain SW210": {f"SW210{digit}" for digit in range(1, 10)},
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


@pytest.fixture(scope="module")
def scripts() -> dict[str, str]:
    return {shell: script_for(shell) for shell in SHELLS}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_verb_prints_the_script(scripts: dict[str, str], call: Call, shell: str) -> None:
    ended = call("completion", shell)
    assert (ended.code, ended.out, ended.err) == (0, scripts[shell], "")


@pytest.fixture
def script(project: Path, scripts: dict[str, str], tmp_path: Path) -> Path:
    """Where scripts are kept; the current folder has environments and a folder with a space in its name."""
    (project / "environments").mkdir()
    for name in ("staging.yaml", "live.yml"):
        (project / "environments" / name).touch()
    for folder in ("my folder", "build/shop-split/users", "build/shop-split/orders", "build/other/items"):
        (project / folder).mkdir(parents=True)
    for shell, text in scripts.items():
        (tmp_path / f"completion.{shell}").write_text(text)
    return tmp_path


def complete(command: list[str], script: Path) -> set[str]:
    done = subprocess.run(
        command, env={**os.environ, "SCRIPT": str(script)}, capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stderr == ""
    return {line.rstrip("/") for line in done.stdout.splitlines() if line}


@pytest.mark.parametrize("typed", TYPED)
def test_bash(script: Path, typed: str) -> None:
    assert complete(["bash", "--norc", "-c", BASH, "bash", typed], script / "completion.bash") == TYPED[typed]


HOSTILE = ("$(touch${IFS}ran;echo${IFS}x)", "`touch ran`", "a;touch ran", "*", "${x[$(touch ran)]}")
"""Names of files that somebody committed."""


@pytest.mark.parametrize(
    "typed", ["run --env ", "run --env $", "compile specs/", "compile specs/$", "compile --output "]
)
def test_bash_runs_nothing_that_is_in_the_name_of_a_file(script: Path, project: Path, typed: str) -> None:
    for name in HOSTILE:
        (project / "environments" / f"{name}.yaml").touch()
        (project / "specs" / f"{name}.yaml").touch()
        (project / name).mkdir()
    reported = complete(["bash", "--norc", "-c", BASH, "bash", f"shardwright {typed}"], script / "completion.bash")
    assert not list(project.rglob("ran")) and not list(script.rglob("ran"))
    if "--env" in typed:
        assert reported == (set() if typed.endswith("$") else {"staging", "live"})
    elif typed == "compile specs/":
        assert reported == {f"specs/{name}.yaml" for name in ("one", "two", *HOSTILE)}
    elif typed == "compile --output ":
        assert {*HOSTILE, "my folder"} <= reported


@pytest.mark.skipif(not shutil.which("fish"), reason="no fish here")
@pytest.mark.parametrize("typed", [typed for typed in TYPED if "=" not in typed.split(" ")[-1]])
def test_fish(script: Path, typed: str) -> None:
    assert complete(["fish", "--no-config", "-c", FISH, typed], script / "completion.fish") == TYPED[typed]


@pytest.mark.skipif(not shutil.which("zsh"), reason="no zsh here")
def test_zsh_reads_the_script(script: Path) -> None:
    assert complete(["zsh", "-n", str(script / "completion.zsh")], script) == set()


@pytest.mark.parametrize("shell", SHELLS)
def test_every_option_of_every_verb_is_in_the_script(scripts: dict[str, str], shell: str) -> None:
    text = scripts[shell]
    long = {name[2:] for action in all_actions(build_parser()) for name in action.option_strings}
    assert len(long) > 50 and [name for name in long if name not in text] == []
    assert [verb for verb in VERBS if verb not in text] == []


RC = {
    "bash": """shardwright() { printf '<%s>' "$@"; echo; }; source "$SCRIPT" """,
    "zsh": """shardwright() { printf '<%s>' "$@"; echo; }; fpath+=("$ZDOTDIR"); autoload -Uz compinit; compinit -uD""",
}
INTERACTIVE = {"bash": ("--rcfile", "{rc}", "-i"), "zsh": ("-o", "no_global_rcs", "-i")}


@pytest.mark.parametrize("shell", RC)
@pytest.mark.parametrize(
    ("typed", "made"),
    [
        ("va\t", "<validate>"),
        ("run --env st\t --until cau\t", "<run><--env><staging><--until><caught-up>"),
        ("verify --table us\t", "<verify><--table><users>"),
        ("compile my\t", "<compile><my folder>"),
        ("compile specs/b\t", "<compile><specs/b$(touch ran).yaml>"),
    ],
)
def test_tab_on_a_terminal(script: Path, project: Path, shell: str, typed: str, made: str) -> None:
    """The shell asks the script, and quotes what it puts into the line."""
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    (project / "specs" / "b$(touch ran).yaml").touch()
    (script / "_shardwright").write_text((script / "completion.zsh").read_text())
    rc = script / ".zshrc"
    rc.write_text(RC[shell])
    primary, secondary = os.openpty()
    environment = {**os.environ, "ZDOTDIR": str(script), "PS1": "", "TERM": "dumb"}
    environment["SCRIPT"] = str(script / f"completion.{shell}")
    command = [shell, *(word.format(rc=rc) for word in INTERACTIVE[shell])]
    with subprocess.Popen(command, stdin=secondary, stdout=secondary, stderr=secondary, env=environment) as asked_shell:
        os.close(secondary)
        os.write(primary, f"shardwright {typed}\nexit\n".encode())
        shown = b""
        with contextlib.suppress(OSError):  # how the end of a terminal shows on Linux
            while part := os.read(primary, 65536):
                shown += part
        assert asked_shell.wait(30) == 0
    os.close(primary)
    assert made in shown.decode().replace("\r", "").replace("/>", ">").splitlines()  # zsh takes the slash away again
    assert not list(project.rglob("ran"))
