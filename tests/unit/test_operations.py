"""What `examples/operations` says of the command is true of it, and its files are what systemd and Kubernetes accept."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import kubernetes_validate
import pytest
import yaml

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cli.main import build_parser
from tests.e2e.packages import PARTS, PROJECT_FILES

OPERATIONS: Final = Path(__file__).parents[2] / "examples" / "operations"
DOCKERFILE: Final = OPERATIONS / "kubernetes" / "Dockerfile"
UNITS: Final = sorted((OPERATIONS / "systemd").glob("*.service"))
MANIFESTS: Final = [
    (path.stem, document)
    for path in sorted((OPERATIONS / "kubernetes").glob("*.yaml"))
    for document in yaml.safe_load_all(path.read_text(encoding="utf-8"))
]
RESUMED: Final = {Exit.UNREACHABLE, Exit.STOPPED_PART_WAY}
"""Exit codes after which the same command is right."""


@pytest.mark.parametrize(
    ("name", "manifest"), MANIFESTS, ids=lambda item: item if isinstance(item, str) else item["kind"]
)
def test_manifests_are_what_the_api_accepts(name: str, manifest: dict[str, Any]) -> None:
    for version in ("1.31", kubernetes_validate.latest_version()):
        kubernetes_validate.validate(manifest, version, strict=True)


def test_a_manifest_with_a_misspelt_field_is_refused() -> None:
    manifest = {**MANIFESTS[0][1], "metadat": {}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(manifest, "1.31", strict=True)


def test_manifests_call_the_command_as_it_is() -> None:
    containers = [
        container
        for _, manifest in MANIFESTS
        if manifest["kind"] in ("Job", "Deployment")
        for container in manifest["spec"]["template"]["spec"]["containers"]
    ]
    assert len(containers) == 2
    for container in containers:
        build_parser().parse_args(container["args"])


def test_the_job_tries_again_where_the_same_command_helps() -> None:
    (job,) = (manifest for _, manifest in MANIFESTS if manifest["kind"] == "Job")
    (fails,) = (rule for rule in job["spec"]["podFailurePolicy"]["rules"] if rule["action"] == "FailJob")
    assert fails["onExitCodes"]["values"] == _ends()


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_units_call_the_command_as_it_is(unit: Path) -> None:
    (line,) = re.findall(r"^ExecStart=(.*)$", unit.read_text(encoding="utf-8"), re.MULTILINE)
    program, *arguments = line.replace("%i", "production").replace("%L", "/var/log").split()
    assert program == "/opt/shardwright/bin/shardwright"
    build_parser().parse_args(arguments)


def test_the_unit_of_a_run_starts_again_where_the_same_command_helps() -> None:
    text = (OPERATIONS / "systemd" / "shardwright@.service").read_text(encoding="utf-8")
    (prevented,) = re.findall(r"^RestartPreventExitStatus=(.*)$", text, re.MULTILINE)
    assert [int(code) for code in prevented.split()] == _ends()
    assert f"SuccessExitStatus={Exit.INTERRUPTED.value}\n" in text


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="this machine has no systemd-analyze")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        text = unit.read_text(encoding="utf-8").replace("/opt/shardwright/bin/shardwright", "/bin/true")
        (tmp_path / unit.name.replace("@", "@production")).write_text(text, encoding="utf-8")
    command = ["systemd-analyze", "verify", "--man=no", *map(str, sorted(tmp_path.iterdir()))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_image_is_made_of_files_that_are_there_and_ends_as_an_account_without_rights() -> None:
    """As far as that can be said without an engine: instructions, stages, files, shell."""
    steps = _instructions(DOCKERFILE.read_text(encoding="utf-8"))
    assert {name for name, _ in steps} == {"FROM", "LABEL", "RUN", "COPY", "ENV", "USER", "WORKDIR", "ENTRYPOINT"}
    bases = [text for name, text in steps if name == "FROM"]
    assert len(bases) == 2 and bases[0] == f"{bases[1]} AS build", "what builds is what it runs on"
    assert ":" in bases[1] and not bases[1].endswith(":latest")
    assert [text for name, text in steps if name == "USER"] == ["65532"]
    assert json.loads(steps[-1][1])[-1] == "/opt/entrypoint.sh"
    copied = [text.split()[:-1] for name, text in steps if name == "COPY"]
    of_the_tree = [path for paths in copied for path in paths if not paths[0].startswith("--from=")]
    assert [path for path in of_the_tree if not (OPERATIONS.parents[1] / path).exists()] == []
    assert {*PROJECT_FILES, *PARTS, "requirements.lock"} <= {*of_the_tree}, "the wheel is built of all of them"
    assert [paths[0] for paths in copied if paths[0].startswith("--from=")] == ["--from=build"]


def test_steps_of_the_image_are_shell_that_leaves_nothing_behind() -> None:
    shells = [text for name, text in _instructions(DOCKERFILE.read_text(encoding="utf-8")) if name == "RUN"]
    assert len(shells) == 4
    for shell in shells:
        assert subprocess.run(["sh", "-n"], input=shell, text=True, timeout=30, check=False).returncode == 0
        assert "|" not in shell.replace("||", ""), "a failure before the last part of a pipe would not be seen"
        if "apt-get install" in shell:
            assert "--no-install-recommends" in shell and "rm -rf /var/lib/apt/lists/*" in shell
        for line in re.findall(r"^shardwright (\S.*)$", shell.replace("&& ", "\n"), re.MULTILINE):
            build_parser().parse_args(line.split())
    assert "shardwright doctor --for runtime" in shells[-1]


def test_packages_of_the_image_are_those_of_the_lock() -> None:
    text = DOCKERFILE.read_text(encoding="utf-8")
    installed = re.findall(r"pip install ([^&]*)", text.replace("\\\n", ""))
    assert len(installed) == 3
    assert all("--require-hashes" in words or "--constraint requirements.lock" in words for words in installed)
    version = re.search(r"^FROM .*\n(?:.*\n)*?.*openjdk-(\d+)-", text, re.MULTILINE)
    assert version is not None and int(version[1]) >= 17


def _instructions(text: str) -> list[tuple[str, str]]:
    """Of a Dockerfile: each with its words, comments and broken lines taken away."""
    whole = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    return [
        (name, " ".join(rest.split())) for name, _, rest in (line.partition(" ") for line in whole.splitlines() if line)
    ]


def _ends() -> list[int]:
    """After these a person decides. `diff`, `drift` and `status` alone say that there are changes, with exit code 3."""
    success = {Exit.DONE, Exit.INTERRUPTED, Exit.CHANGES_PRESENT}
    return sorted(code.value for code in Exit if code not in success | RESUMED)
