"""`doctor` names what is missing, for which verbs, with a code and a remedy; verbs are listed by their use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shardwright.runtime.cli.extras import GROUPS, PACKAGES, Group, failure_of_import, group_of, modules_of
from shardwright.runtime.cli.help_form import HELP_GROUPS, VERBS_BY_USE
from shardwright.runtime.cli.machine_checks import java_version
from shardwright.runtime.cli.main import VERBS
from tests.unit.cli.conftest import Call


def test_every_verb_is_listed_once_under_a_heading(call: Call) -> None:
    assert sorted(VERBS_BY_USE) == sorted(VERBS)
    lines = call("--help").out.splitlines()
    places = [lines.index(f"  {heading}:") for heading in HELP_GROUPS]
    assert places == sorted(places)
    for verb in VERBS:
        assert len([line for line in lines if line.startswith(f"    {verb} ")]) == 1


def test_needs_are_those_of_verbs_that_there_are() -> None:
    assert [name for name in GROUPS if name.split()[0] not in VERBS] == []
    assert group_of("cutover", "status") is Group.MYSQL and group_of("cutover", "begin") is Group.RUNTIME
    assert group_of("compile") is Group.COMPILE
    assert modules_of(Group.RUNTIME).keys() == {module for packages in PACKAGES.values() for module in packages}


@pytest.mark.parametrize(
    ("module", "extra"),
    [("pyarrow.compute", "[runtime]"), ("pymysql", "[mysql]"), ("py4j.protocol", "[runtime]"), ("yaml", "shardwright")],
)
def test_an_import_that_fails_names_the_extra(module: str, extra: str) -> None:
    failure = failure_of_import(ModuleNotFoundError("none", name=module))
    assert failure is not None and failure.code == "SW8059" and extra in failure.message


def test_a_module_that_is_nobodys_is_a_bug() -> None:
    assert failure_of_import(ModuleNotFoundError("none", name="shardwright.runtime.nothing")) is None


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment (build 17.0.15+6-Debian-1deb12u1)', 17),
        ('java version "1.8.0_202"\nJava(TM) SE Runtime Environment (build 1.8.0_202-b08)', 8),
        ('openjdk version "21" 2023-09-19', 21),
        ('Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "11.0.2" 2019-01-15', 11),
        ("Error: could not find libjava.so", None),
    ],
)
def test_java_says_its_version(said: str, version: int | None) -> None:
    assert java_version(said) == version


def test_a_machine_without_java(call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    for group, code in (("compile", 0), ("mysql", 0), ("runtime", 2), ("dry-run", 2), ("status", 0)):
        assert call("doctor", "--for", group).code == code, group
    data = json.loads(call("doctor", "--for", "run", "--format", "json").out)
    (java,) = (check for check in data["checks"] if check["name"] == "Java")
    assert (data["ready"], java["state"], java["code"]) == (False, "missing", "SW8011")
    assert java["do"] and str(tmp_path) in java["found"]
    assert [(group["group"], group["ready"]) for group in data["groups"]] == [
        ("compile", True), ("mysql", True), ("runtime", False),
    ]  # fmt: skip


def test_a_misspelt_group_gets_a_hint(call: Call) -> None:
    ended = call("doctor", "--for", "rutime")
    assert ended.code == 2 and ended.err.splitlines()[-1].endswith("'rutime': did you mean 'runtime'?")
