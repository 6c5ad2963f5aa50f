"""What a person types who does not know the tool yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.spark import session as spark
from tests.unit.cli.conftest import Call


def test_version_and_help_are_found_where_people_look(project: Path, call: Call) -> None:
    assert call("--version").out == call("version").out != ""
    assert "usage: shardwright" in call("help").out
    assert "usage: shardwright compile" in call("help", "compile").out


@pytest.mark.parametrize(
    ("typed", "meant"),
    [(["complie"], "compile"), (["ddl", "aply"], "apply"), (["run", "--until", "cought-up"], "caught-up")],
)
def test_a_misspelt_word_is_reported_with_the_one_that_was_meant(typed: list[str], meant: str, call: Call) -> None:
    ended = call(*typed)
    assert ended.code == 2 and f"did you mean '{meant}'?" in ended.err and "choose from" not in ended.err


@pytest.mark.parametrize(
    "before",
    [[], ["-q"], ["--project", "run"], ["--project=run"], ["--proj", "run"], ["--color", "never", "-v"], ["-qv"]],
)
def test_what_is_before_the_verb_does_not_change_it(before: list[str], call: Call) -> None:
    """Only the chosen verb's options are made: the value of an option may be the name of another verb."""
    assert call(*before, "explain", "2104").out == call("explain", "2104").out != ""
    assert "did you mean 'explain'?" in call(*before, "explian", "run").err


def test_codes_are_explained_without_their_letters_and_listed(call: Call) -> None:
    assert call("explain", "2104").out == call("explain", "SW2104").out != ""
    assert "SW2104  the column is not in the table\n" in call("explain", "--list").out
    assert call("explain").code == 2


def test_without_a_plan_there_is_nothing_to_refuse(project: Path, call: Call) -> None:
    ended = call("status", "--env", "staging")
    assert ended.code == 2 and "SW8001" in ended.err


@pytest.mark.parametrize("home", [None, "/nope"])
def test_a_missing_java_is_no_bug_of_ours(home: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    if home:
        monkeypatch.setenv("JAVA_HOME", home)
    with pytest.raises(RuntimeFailure, match=r"SW8011: Spark needs Java 17 or newer: .*(/nope|on the PATH)"):
        spark._require_java()
