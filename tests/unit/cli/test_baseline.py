"""A baseline folds away what the project had already: what is new is shown and judged, and what stops a plan always
is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.compiler.review.report.baseline import baseline_text, read_baseline
from shardwright.compiler.review.report.result import Sources, run_result
from shardwright.specs.findings.diagnostics import Diagnostic, Severity, Span, suppressible
from tests.unit.cli.conftest import Call, write_spec

HALF = "user_id % 2"
FILE = "known.json"


@pytest.fixture
def known(project: Path, call: Call) -> Path:
    """The project with a warning of one spec, which the baseline knows."""
    write_spec(project, "one", database=HALF)
    before = call("compile", "--fail-on", "warning")
    assert before.code == 1 and "1 warning" in before.err
    written = call("compile", "--write-baseline", FILE, "--fail-on", "warning")
    assert written.code == 0 and "1 finding known" in written.err and "SW5004" not in written.err
    return project


def test_what_is_known_is_one_line(known: Path, call: Call) -> None:
    ended = call("compile", "--baseline", FILE, "--fail-on", "warning")
    assert ended.code == 0 and "1 finding known" in ended.err and "SW5004" not in ended.err
    assert "gone" not in ended.err


def test_it_stays_known_when_lines_move_and_is_new_when_its_text_changes(known: Path, call: Call) -> None:
    spec = known / "specs" / "one.yaml"
    spec.write_text("# a line\n" + spec.read_text())
    assert call("compile", "--baseline", FILE, "--fail-on", "warning").code == 0
    write_spec(known, "one", database="user_id % 3")
    ended = call("compile", "--baseline", FILE, "--fail-on", "warning")
    assert ended.code == 1 and "warning SW5004" in ended.err
    assert f"1 known finding is gone: --write-baseline {FILE} takes" in ended.err


def test_a_new_finding_is_shown_alone_in_every_report(known: Path, call: Call) -> None:
    write_spec(known, "two", database=HALF)
    reports = [f"--report={name}=out/{name}" for name in ("json", "markdown", "sarif", "github")]
    ended = call("compile", "--baseline", FILE, *reports)
    assert ended.err.count("warning SW5004") == 1 and "specs/two.yaml" in ended.err
    assert (known / "out" / "github").read_text().count("title=SW5004") == 1
    assert "1 warning, 1 finding known" in (known / "out" / "markdown").read_text()
    data = json.loads((known / "out" / "json").read_text())
    assert (data["warnings"], data["silenced"], data["known"]) == (1, 0, 1)
    results = json.loads((known / "out" / "sarif").read_text())["runs"][0]["results"]
    kinds = [[one["kind"] for one in result["suppressions"]] for result in results]
    assert sorted(kinds) == [[], ["external"]]


def test_what_stops_a_plan_is_never_known(project: Path, call: Call) -> None:
    (project / "specs" / "one.yaml").write_text("version: 1\nmigraton: one\n")
    assert call("compile", "--write-baseline", FILE).code == 1
    assert json.loads((project / FILE).read_text()) == {"format": 1, "findings": []}
    assert call("compile", "--baseline", FILE).code == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (None, "SW8065"),
        ("{", "SW8065"),
        ("[]", "SW8065"),
        ('{"format": 1}', "SW8065"),
        ('{"format": 1, "findings": [{"code": "SW5004"}]}', "SW8065"),
        ('{"format": true, "findings": []}', "SW8065"),
        ('{"format": 2, "findings": []}', "SW8066"),
    ],
)
def test_a_file_that_is_no_baseline_is_named(project: Path, call: Call, text: str | None, code: str) -> None:
    if text is not None:
        (project / FILE).write_text(text)
    ended = call("compile", "--baseline", FILE)
    assert ended.code == 1 and f"error {code}: {FILE} cannot be read: " in ended.err


def test_a_baseline_of_the_other_command_is_named(known: Path, call: Call) -> None:
    (known / "conform.json").write_text('{"format": 1, "statements": []}')
    ended = call("compile", "--baseline", "conform.json")
    assert ended.code == 1 and "error SW8065: conform.json cannot be read: it is a baseline of `conform`" in ended.err
    (known / "app.sql").write_text("SELECT 1;")
    ended = call("conform", "--statements", "app.sql", "--baseline", FILE)
    assert (
        ended.code == 1 and f"error SW5211: cannot read the baseline {FILE}: it is a baseline of `compile`" in ended.err
    )


_FINDINGS = st.lists(
    st.builds(
        lambda code, line, warning, message: Diagnostic(
            code, message, Span("specs/a.yaml", line, 1), Severity.WARNING if warning else Severity.ERROR
        ),
        st.sampled_from(["SW5004", "SW2104", "SW1101"]),
        st.integers(1, 5),
        st.booleans(),
        st.sampled_from(["one", 'two "quoted"', "drei\nZeilen ä"]),
    ),
    max_size=12,
)


@given(had=_FINDINGS, has=_FINDINGS)
def test_exactly_the_findings_that_were_there_and_stop_nothing_are_folded(
    had: list[Diagnostic], has: list[Diagnostic]
) -> None:
    """Lines have the same text here, so a finding is its code and message, and its number among those that are alike."""
    sources = Sources(lambda file, number: "same", lambda file: file)
    before, after = run_result("compile", [], had), run_result("compile", [], has)
    folded = read_baseline(baseline_text(before, sources)).fold(after, sources)

    def numbered(findings: tuple[Diagnostic, ...]) -> list[tuple[str, str, int]]:
        alike = [(item.code, item.message) for item in findings]
        return [(*pair, alike[:place].count(pair)) for place, pair in enumerate(alike)]

    old = {key for key, item in zip(numbered(before.findings), before.findings, strict=True) if not item.stops}
    expected = [
        key in old and not item.stops for key, item in zip(numbered(after.findings), after.findings, strict=True)
    ]
    assert [item.suppressed is not None for item in folded.findings] == expected
    assert suppressible("SW1101") is None, "an error that stops a plan is among the examples"
