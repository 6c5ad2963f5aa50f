"""Reports within the limits of what shows them: nothing is dropped without being counted."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwright.compiler.review.report.github import github_text
from shardwright.compiler.review.report.markdown import markdown_text
from shardwright.compiler.review.report.result import FailOn, RunResult
from tests.unit.review.results import SOURCES, everything, many

GITHUB_COMMENT_LIMIT = 65_535


def annotations(result: RunResult) -> list[str]:
    return github_text(result, SOURCES).splitlines()


def test_at_most_ten_of_a_kind_the_most_severe_first_and_the_rest_counted() -> None:
    lines = annotations(many(30, 27))
    assert [line.split(" ")[0].strip(":") for line in lines] == ["error"] * 10 + ["warning"] * 10 + ["notice::and"]
    assert lines[-1] == "::notice::and 37 more, see report"


def test_nothing_is_counted_when_all_is_shown() -> None:
    assert len(annotations(many(10, 10))) == 20
    assert annotations(many(0, 0)) == []


def test_a_silenced_finding_is_no_annotation() -> None:
    assert not [line for line in annotations(everything()) if "SW5004" in line]


@given(st.text(alphabet="%:,\r\n;é`<>x"))
def test_an_annotation_is_one_line_whatever_the_message(message: str) -> None:
    (line,) = annotations(many(1, 0, message=message))
    assert "\n" not in line and "\r" not in line
    _, properties, text = re.fullmatch(r"::(error) ([^:]*)::(.*)", line).groups()  # type: ignore[union-attr]
    assert len(properties.split(",")) == 6
    assert text.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%").startswith(message)


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 3000), st.integers(1, 40), st.text(min_size=1, max_size=300))
def test_a_comment_fits_and_says_what_it_leaves_out(count: int, files: int, message: str) -> None:
    text = markdown_text(many(count, count, files=files, message=message), SOURCES)
    assert len(text.encode("utf-16-le")) // 2 <= GITHUB_COMMENT_LIMIT
    shown = len(re.findall(r"^specs/s\d+\.yaml:\d+:1: (?:error|warning) SW5004: ", text, re.MULTILINE))
    left = re.search(r"\*\*Truncated here:\*\* (\d+) more finding", text)
    assert shown + (int(left[1]) if left else 0) == 2 * count
    assert text.count("<details>") == text.count("</details>")


def test_warnings_of_a_rule_are_one_section_and_a_line_each() -> None:
    text = markdown_text(many(2, 49, files=7), SOURCES)
    assert re.findall(r"<summary>(.*?)</summary>", text) == [
        "team/specs/s0.yaml: 1 finding",
        "team/specs/s1.yaml: 1 finding",
        "SW5004 some shards stay empty: 49 findings",
    ]
    assert text.count("help: shardwright explain SW5004") == 2 + 1
    assert text.count(": warning SW5004") == 49


def test_errors_are_what_stays_of_a_long_comment() -> None:
    text = markdown_text(many(100, 3000, files=5), SOURCES)
    assert text.count(": error SW5004") == 100
    assert 0 < text.count(": warning SW5004") < 3000


@pytest.mark.parametrize(
    ("errors", "warnings", "fails"),
    [(1, 0, {"error", "warning"}), (0, 1, {"warning"}), (0, 0, set())],
)
def test_fail_on(errors: int, warnings: int, fails: set[str]) -> None:
    assert {level for level in FailOn if many(errors, warnings).fails(level)} == fails
