"""What a contributor's tools are told is true: hooks, workflow, container, owners, forms."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

ROOT: Final = Path(__file__).parents[2]
GITHUB: Final = ROOT / ".github"
TARGETS: Final = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
FORMS: Final = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
PARTS: Final = {"markdown", "textarea", "input", "dropdown", "checkboxes"}


def _yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def _hooks() -> Any:
    (repository,) = _yaml(ROOT / ".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local", "a hook from elsewhere would be fetched, in another version"
    return repository["hooks"]


def _jobs() -> dict[str, Any]:
    return _yaml(GITHUB / "workflows" / "ci.yml")["jobs"]


def test_hooks_run_every_check_of_make_lint() -> None:
    """`.ci/test` has the checks; a hook may add options, and leaves out the dot that names all files."""
    checks = re.findall(
        r"^  check(?:_beside)? (.+)$", (ROOT / ".ci" / "test").read_text(encoding="utf-8"), re.MULTILINE
    )
    entries = [hook["entry"].removeprefix(".venv/bin/") for hook in _hooks()]
    assert len(checks) == 4
    words = [check.removesuffix(" .").replace(" --check", "") for check in checks]
    assert [check for check in words if not any(entry.startswith(check) for entry in entries)] == []


@pytest.mark.parametrize("hook", _hooks(), ids=lambda hook: hook["id"])
def test_hooks_name_files_that_are_there(hook: dict[str, Any]) -> None:
    program, *arguments = hook["entry"].split()
    assert hook["language"] == "system" and program.startswith(".venv/bin/")
    assert [path for path in arguments if path.startswith("tests/") and not (ROOT / path).exists()] == []


def test_the_workflow_runs_what_is_there() -> None:
    steps = [step for job in _jobs().values() for step in job["steps"]]
    commands = [line for step in steps if "run" in step for line in step["run"].splitlines()]
    assert {"make lint", ".ci/run", "make bench-check"} <= set(commands)
    for command in commands:
        program, *arguments = command.split()
        assert arguments[0] in TARGETS if program == "make" else (ROOT / program).exists(), command


def test_the_workflow_has_few_rights_and_fixed_actions() -> None:
    workflow = _yaml(GITHUB / "workflows" / "ci.yml")
    assert workflow["permissions"] == {}
    for name, job in _jobs().items():
        assert job["permissions"] == {"contents": "read"}, name
        assert job["timeout-minutes"] <= 120, name
        used = [step["uses"] for step in job["steps"] if "uses" in step]
        assert [action for action in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action)] == []
    assert "secrets." not in (GITHUB / "workflows" / "ci.yml").read_text(encoding="utf-8")


def test_the_container_is_set_up_by_the_commands_of_everybody() -> None:
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    assert container["postCreateCommand"].split(" && ")[0] == ".ci/setup"
    assert (ROOT / ".devcontainer" / container["build"]["dockerfile"]).exists()


def test_owners_are_of_files_that_are_there() -> None:
    lines = (GITHUB / "CODEOWNERS").read_text(encoding="utf-8").splitlines()
    rules = [line.split() for line in lines if line and not line.startswith("#")]
    assert rules[0][0] == "*"
    assert [path for path, *_ in rules[1:] if not (ROOT / path.strip("/")).exists()] == []
    assert [path for path, *owners in rules if not owners or not all(owner.startswith("@") for owner in owners)] == []


def test_there_are_three_forms() -> None:
    assert [path.stem for path in FORMS] == ["bug", "feature", "table"]


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_forms_are_as_github_reads_them(path: Path) -> None:
    form = _yaml(path)
    assert (
        {"name", "description", "body"}
        <= form.keys()
        <= {"name", "description", "body", "labels", "title", "assignees"}
    )
    asked = [part for part in form["body"] if part["type"] != "markdown"]
    assert {part["type"] for part in form["body"]} <= PARTS
    assert len({part["id"] for part in asked}) == len(asked) > 0
    assert all(re.fullmatch(r"[\w-]+", part["id"]) and part["attributes"]["label"] for part in asked)
    assert any(part.get("validations", {}).get("required") for part in asked)
    assert all(part["attributes"]["options"] for part in asked if part["type"] in ("dropdown", "checkboxes"))


def test_the_pull_request_form_names_what_is_there() -> None:
    text = (GITHUB / "pull_request_template.md").read_text(encoding="utf-8")
    named = re.findall(r"`make ([a-z-]+)", text)
    assert named and set(named) <= TARGETS
    assert (ROOT / "changelog.d").is_dir() and "`changelog.d/`" in text
