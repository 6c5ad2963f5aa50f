"""`shardwright test`: findings before Spark starts, exit codes, JUnit."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from shardwright.runtime.cli.main import main

FAILING = Path(__file__).parent / "failing"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for folder, names in (("specs", ["spec.yaml"]), ("tests", ["tests.yaml"]), (".", ["schema.sql"])):
        (tmp_path / folder).mkdir(exist_ok=True)
        for name in names:
            shutil.copy(FAILING / name, tmp_path / folder / name)
    return tmp_path


def test_tests_of_an_unknown_migration(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = project / "tests" / "tests.yaml"
    file.write_text(file.read_text("utf-8").replace("migration: split", "migration: spilt"), "utf-8")
    assert main(["--project", str(project), "test"]) == 1
    reported = capsys.readouterr().err
    assert "SW8852: no spec of this project makes migration 'spilt'" in reported
    assert "did you mean 'split'?" in reported


def test_no_tests(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "tests" / "tests.yaml").unlink()
    assert main(["--project", str(project), "test"]) == 2
    assert "SW8863" in capsys.readouterr().err


@pytest.mark.spark
def test_exit_code_and_junit(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = project / "out" / "junit.xml"
    assert main(["--project", str(project), "test", "--junit", str(report)]) == 1
    assert "test: 1 of 4 cases pass" in capsys.readouterr().err
    root = ElementTree.parse(report).getroot()
    assert (root.get("tests"), root.get("failures")) == ("4", "3")
    assert [case.find("failure") is None for case in root.iter("testcase")] == [False, False, False, True]
