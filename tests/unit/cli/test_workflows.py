"""What we hand out for continuous integration is true: its YAML, its shell, and every command of ours in it."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
import yaml

from shardwright.runtime.cli.main import build_parser
from shardwright.runtime.cli.verb_init import starter_files

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples" / "ci"
ACTION = ROOT / ".github" / "actions" / "shardwright" / "action.yml"
HOOKS = ROOT / ".pre-commit-hooks.yaml"
DOCS = (ROOT / "docs" / "how-to" / "ci.md", *sorted((ROOT / "docs" / "tutorials").glob("*.md")), ROOT / "README.md")


def github() -> dict[str, Any]:
    return yaml.safe_load((EXAMPLES / "github.yml").read_text())  # type: ignore[no-any-return]


def gitlab() -> dict[str, Any]:
    return yaml.safe_load((EXAMPLES / "gitlab.yml").read_text())  # type: ignore[no-any-return]


def steps() -> list[dict[str, Any]]:
    return [step for job in github()["jobs"].values() for step in job["steps"]]


def scripts() -> Iterator[tuple[str, str]]:
    """Where a shell script stands, and its text."""
    for number, step in enumerate(steps()):
        if "run" in step:
            yield f"github step {number}", step["run"]
    for name, job in gitlab().items():
        for key in ("before_script", "script", "after_script"):
            for line in job.get(key, ()):
                yield f"gitlab {name} {key}", line
    for hook in yaml.safe_load(HOOKS.read_text()):
        yield f"hook {hook['id']}", hook["entry"]
    for file in DOCS:
        for block in re.findall(r"```(?:yaml|sh)?\n(.*?)```", file.read_text(), re.DOTALL):
            for line in re.findall(r"^(?:- run: )?(shardwright .*)$", block, re.MULTILINE):
                yield file.name, line


@pytest.mark.parametrize(("where", "script"), [pytest.param(*each, id=each[0]) for each in scripts()])
def test_the_shell_and_the_parser_take_it(where: str, script: str) -> None:
    assert subprocess.run(["bash", "-n"], input=script, text=True, timeout=30, check=False).returncode == 0
    more = re.search(r"\|\| set -- (.*)", script)
    for line in script.replace("\\\n", " ").replace('"$@"', more[1] if more else "").splitlines():
        words = shlex.split(line.removeprefix("[ ! -f ci/statements.sql ] || "), comments=True)
        if words and words[0] == "shardwright":
            build_parser().parse_args(list(takewhile(lambda word: word not in (">", ">>", "|", "&&"), words[1:])))


def test_the_commands_are_there() -> None:
    text = "\n".join(script for _, script in scripts())
    assert text.count("shardwright compile --check") >= 4 and text.count("shardwright conform") >= 2


def test_a_wrong_command_would_be_seen() -> None:
    with pytest.raises(SystemExit):
        build_parser().parse_args(["compile", "--chek"])


def test_github_steps() -> None:
    workflow = github()
    assert set(workflow) == {"name", True, "permissions", "jobs"}, "YAML 1.1 reads the key 'on' as true"
    for step in steps():
        assert ("uses" in step) != ("run" in step)
        assert set(step) <= {"name", "uses", "with", "run", "if", "env", "continue-on-error"}


def test_github_actions_are_named_by_their_content() -> None:
    """A tag may be moved by whoever gets hold of the action's repository."""
    used = [
        line.split("uses:")[1].strip() for line in (EXAMPLES / "github.yml").read_text().splitlines() if "uses:" in line
    ]
    assert len(used) == len([step for step in steps() if "uses" in step])
    for action in used:
        assert re.fullmatch(r"[\w-]+/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)


def test_only_the_job_that_runs_nothing_of_the_pull_request_may_write() -> None:
    workflow = github()
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        writes = "write" in job["permissions"].values()
        runs_ours = any("shardwright " in step.get("run", "") or "pip " in step.get("run", "") for step in job["steps"])
        assert writes != runs_ours, name
    for step in steps():
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_packages_are_installed_by_version_and_hash() -> None:
    installed = [line for _, script in scripts() for line in script.splitlines() if "pip install" in line]
    assert len(installed) == 4
    assert all("pip install --require-hashes -r ci/requirements" in line for line in installed)
    version = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version is not None
    for file in EXAMPLES.iterdir():
        assert set(re.findall(r"shardwright-([\w.]+)-py3-none-any\.whl", file.read_text())) == {version[1]}
        assert "shardwright==" not in file.read_text(), "there is no index that has it"


def test_the_action_installs_what_is_there() -> None:
    text = ACTION.read_text()
    action = yaml.safe_load(text)
    assert set(action) == {"name", "description", "inputs", "runs"} and action["runs"]["using"] == "composite"
    assert all({"description", "default"} == set(one) for one in action["inputs"].values())
    named = [line.split("uses:")[1].strip() for line in text.splitlines() if re.match(r" +(?:- )?uses:", line)]
    assert len(named) == 2 and all(re.fullmatch(r"[\w-]+/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one) for one in named)
    assert set(named) <= {
        line.split("uses:")[1].strip() for line in (EXAMPLES / "github.yml").read_text().splitlines() if "uses:" in line
    }
    (script,) = [step for step in action["runs"]["steps"] if "run" in step]
    assert script["shell"] == "bash" and "${{" not in script["run"], "an input is no part of the script's text"
    assert subprocess.run(["bash", "-n"], input=script["run"], text=True, timeout=30, check=False).returncode == 0
    for path in re.findall(r"\$tree/([\w./]+)", script["run"]):
        assert (ACTION.parents[3] / path).exists(), path
    for extra in ("mysql", "runtime", "compile"):
        build_parser().parse_args(["doctor", "--for", extra])


def test_reports_that_are_read_are_written() -> None:
    for text in ((EXAMPLES / "github.yml").read_text(), (EXAMPLES / "gitlab.yml").read_text()):
        written = set(re.findall(r"(?:--report \w+=|> )(out/\S+)", text))
        read = set(re.findall(r"out/[\w.]+", text))
        assert written and read == written


def test_the_marker_is_the_reports() -> None:
    from shardwright.compiler.review.report.markdown import markdown_text
    from tests.unit.review.results import SOURCES, everything

    first_line = markdown_text(everything(), SOURCES).splitlines()[0]
    assert f"mark='{first_line}'" in (EXAMPLES / "github.yml").read_text()


def test_a_new_project_gets_the_same() -> None:
    starter = starter_files()
    for file in EXAMPLES.iterdir():
        assert starter[f"ci/{file.name}"] == file.read_text()


def test_hooks() -> None:
    for hook in yaml.safe_load(HOOKS.read_text()):
        assert {"id", "name", "entry", "language", "files"} <= set(hook)
        assert hook["language"] == "python" and hook["pass_filenames"] is False
        assert re.search(hook["files"], "specs/orders.yaml")
