"""One run, one result: all findings of all specs, the artifact alone on stdout, exit codes by --fail-on."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Call, files_below, write_spec

HALF = "user_id % 2"
SILENCED = "user_id % 2  # shardwright: ignore[SW5004] because the other half comes later"


def test_findings_of_all_specs_in_one_run(project: Path, call: Call) -> None:
    (project / "specs" / "one.yaml").write_text("version: 1\nmigraton: one\n")
    write_spec(project, "two", database="user_id % 8")
    ended = call("compile")
    assert ended.code == 1 and ended.out == ""
    assert "specs/one.yaml:2:1: error SW1101" in ended.err
    assert "specs/two.yaml:8:15: error SW5002" in ended.err
    assert not (project / "build").exists()


def test_one_faulty_spec_does_not_keep_the_other_from_its_plan(project: Path, call: Call) -> None:
    write_spec(project, "one", database="user_id % 8")
    assert call("compile").code == 1
    assert {path.name for path in (project / "build").iterdir() if path.is_dir()} == {"two"}


def test_a_finding_in_a_file_of_two_specs_is_reported_once(project: Path, call: Call) -> None:
    (project / "schema" / "shop.sql").write_text("CREATE TABEL orders (id INT);\n")
    ended = call("compile")
    assert ended.err.count("SW41") == 2, "the finding and its help line"
    assert "schema/shop.sql:1:" in ended.err


def test_a_finding_in_a_ddl_file_names_the_file_and_shows_the_line(project: Path, call: Call) -> None:
    (project / "ddl" / "0001_x.sql").write_text("ALTER TABLE ordres ADD COLUMN a INT NULL;\n")
    ended = call("compile")
    assert "ddl/0001_x.sql:1:13: error SW4217" in ended.err
    assert "    1 | ALTER TABLE ordres" in ended.err


def test_quiet_counts_warnings_and_shows_errors(project: Path, call: Call) -> None:
    write_spec(project, "one", database=HALF)
    write_spec(project, "two", database="user_id % 8")
    ended = call("compile", "-q")
    assert "SW5004" not in ended.err and "error SW5002" in ended.err and "1 error, 1 warning" in ended.err


@pytest.mark.parametrize("database", ["user_id % 4", HALF, SILENCED, "user_id % 8"])
@pytest.mark.parametrize("verb", ["validate", "compile"])
def test_stdout_is_one_json_document(project: Path, call: Call, verb: str, database: str) -> None:
    write_spec(project, "one", database=database)
    ended = call("-vv", verb, "--format", "json", "-vv", "--report", "github")
    result = json.loads(ended.out)
    assert result["format"] == 1 and result["command"] == verb
    assert result["specs"] == ["specs/one.yaml", "specs/two.yaml"]
    found = {} if verb == "validate" else {HALF: (0, 1, 0), SILENCED: (0, 0, 1), "user_id % 8": (1, 0, 0)}
    assert (result["errors"], result["warnings"], result["silenced"]) == found.get(database, (0, 0, 0))
    assert ended.code == (1 if result["errors"] else 0)


@pytest.mark.parametrize(
    ("database", "fail_on", "code"),
    [
        (HALF, "error", 0),
        (HALF, "warning", 1),
        (HALF, "never", 0),
        (SILENCED, "warning", 0),
        ("user_id % 8", "error", 1),
        ("user_id % 8", "never", 0),
    ],
)
def test_fail_on(project: Path, call: Call, database: str, fail_on: str, code: int) -> None:
    write_spec(project, "one", database=database)
    assert call("compile", "--fail-on", fail_on).code == code
    assert (project / "build" / "one").exists() == (database != "user_id % 8")


def test_silenced_findings_are_counted_and_kept(project: Path, call: Call) -> None:
    write_spec(project, "one", database=SILENCED)
    ended = call("compile", "--report", "sarif=out/a.sarif", "--report", "json=out/a.json")
    assert "1 finding silenced" in ended.err and "SW5004" not in ended.err
    (kept,) = json.loads((project / "out" / "a.json").read_text())["findings"]
    assert kept["silenced"] == "the other half comes later"
    (result,) = json.loads((project / "out" / "a.sarif").read_text())["runs"][0]["results"]
    assert result["suppressions"][0]["justification"] == "the other half comes later"


@pytest.mark.parametrize("address", ["https://docs.example/sw", ""])
def test_rules_lead_to_the_documentation_where_it_is_served(
    project: Path, call: Call, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("SHARDWRIGHT_DOCS", address)
    write_spec(project, "one", database=SILENCED)
    call("compile", "--report", "sarif=out/a.sarif")
    rules = json.loads((project / "out" / "a.sarif").read_text())["runs"][0]["tool"]["driver"]["rules"]
    assert [rule.get("helpUri") for rule in rules] == [f"{address}/reference/errors.html#sw5004" if address else None]


def test_an_unused_suppression_is_reported_by_the_verb_that_looked(project: Path, call: Call) -> None:
    write_spec(project, "one", database="user_id % 4  # shardwright: ignore[SW5004] because it was so")
    assert call("validate", "--fail-on", "warning").code == 0
    ended = call("compile", "--fail-on", "warning")
    assert ended.code == 1 and "warning SW1805: SW5004" in ended.err


def test_a_shared_file_is_judged_by_runs_over_the_whole_project(project: Path, call: Call) -> None:
    schema = project / "schema" / "shop.sql"
    schema.write_text("-- shardwright: ignore[SW4001] because nobody searches there\n" + schema.read_text())
    assert "SW1805" not in call("compile", "specs/one.yaml").err
    assert "schema/shop.sql:1:24: warning SW1805" in call("compile").err


def test_annotations_appear_by_themselves_and_leave_stdout_alone(
    project: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_spec(project, "one", database="user_id % 8")
    before = call("compile", "--format", "json")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    after = call("compile", "--format", "json")
    assert after.out == before.out
    assert "::error" not in before.err
    assert after.err.count("::error file=specs/one.yaml,line=8,") == 1
    assert call("compile", "--report", "github").err.count("::error") == 1


def test_paths_for_machines_begin_at_the_repository(project: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    write_spec(project, "one", database="user_id % 8")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(project.parent))
    ended = call("compile", "--report", "github")
    assert "specs/one.yaml:8:15: error" in ended.err
    assert "file=project/specs/one.yaml," in ended.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--report", "sarif", "--format", "json"), "SW8007"),
        (("--report", "sarif", "--report", "markdown"), "SW8007"),
        (("--report", "xml"), "'xml' is no report"),
        (("--report", "sarif="), "'sarif=' is no report"),
        (("--report", "sarif=specs"), "SW8051"),
    ],
)
def test_what_cannot_be_delivered_is_refused(project: Path, call: Call, arguments: tuple[str, ...], words: str) -> None:
    ended = call("validate", *arguments)
    assert ended.code == 2 and ended.out == "" and words in ended.err


def test_nothing_is_written_besides_what_was_asked_for(project: Path, call: Call) -> None:
    before = files_below(project)
    assert call("validate", "--report", "markdown=out/deep/m.md").code == 0
    assert files_below(project) - before == {os.path.join("out", "deep", "m.md")}
