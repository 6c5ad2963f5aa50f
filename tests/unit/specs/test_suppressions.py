"""Comments that silence: which texts are comments, what line they speak about, and what they may do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.specs.findings.diagnostics import Diagnostic, Findings, Severity, Span
from shardwright.specs.suppressions.apply import find_unused, read_suppressions, silence

MARK = "shardwright: ignore[SW5004] because it is so"


def lines_silenced(text: str, file: str = "spec.yaml") -> list[tuple[int, int]]:
    findings = Findings()
    found = read_suppressions(text, file, findings)
    assert findings.items == []
    return [(item.first, item.last) for item in found]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(f"a: 1  # {MARK}\nb: 2\n", [(1, 1)], id="on the line"),
        pytest.param(f"# {MARK}\na: 1\n", [(2, 2)], id="alone above"),
        pytest.param(f"  #{MARK}\r\na: 1\r\n", [(2, 2)], id="windows line ends"),
        pytest.param(f"# {MARK}\n# another comment\na: 1\n", [(3, 3)], id="above another comment"),
        pytest.param(f"a: 1 # {MARK}", [(1, 1)], id="at the end of the file"),
        pytest.param(f"a: |  # {MARK}\n  one\n  two\nb: 2\n", [(1, 3)], id="beside a block scalar's sign"),
        pytest.param(f"# {MARK}\na: >-\n  one\n\n  two\n\nb: 2\n", [(2, 6)], id="above a folded text"),
        pytest.param(f'a: "one\n  two"  # {MARK}\n', [(2, 2)], id="after a quoted text of two lines"),
        pytest.param(f"a: {{b: 1,  # {MARK}\n  c: 2}}\n", [(1, 1)], id="within braces"),
        pytest.param(f"a: |\n  # {MARK}\n", [], id="within a block scalar"),
        pytest.param(f"a: 'x # {MARK}'\n", [], id="within single quotes"),
        pytest.param(f'a: "x\n  # {MARK}"\n', [], id="within double quotes"),
        pytest.param(f"a: x#{MARK}\n", [], id="no space before the sign"),
        pytest.param(f"# see {MARK}\na: 1\n", [], id="a comment that speaks of it"),
        pytest.param(f"a: 1  # {MARK}\nb: 'x\n", [], id="not YAML"),
    ],
)
def test_yaml(text: str, lines: list[tuple[int, int]]) -> None:
    assert lines_silenced(text) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(f"a INT, -- {MARK}\nb INT\n", [(1, 1)], id="on the line"),
        pytest.param(f"  -- {MARK}\n-- why\na INT,\n", [(3, 3)], id="alone above"),
        pytest.param(f"a INT, # {MARK}\n", [(1, 1)], id="the other sign"),
        pytest.param(f"a TEXT DEFAULT '-- {MARK}',\n", [], id="within a string"),
        pytest.param(f"a TEXT DEFAULT 'it''s \\' -- {MARK}',\n", [], id="within a string with quotes"),
        pytest.param(f"`-- {MARK}` INT,\n", [], id="within a name"),
        pytest.param(f"/*\n-- {MARK}\n*/\n", [], id="within a block comment"),
        pytest.param("a INT DEFAULT 1--shardwright\n", [], id="two minus signs"),
    ],
)
def test_sql(text: str, lines: list[tuple[int, int]]) -> None:
    assert lines_silenced(text, "schema.sql") == lines


def test_several_codes_with_their_places() -> None:
    findings = Findings()
    found = read_suppressions("a: 1 # shardwright: ignore[SW5004,  SW5005] because so", "s.yaml", findings)
    assert [(item.code, str(item.span), item.reason) for item in found] == [
        ("SW5004", "s.yaml:1:28", "so"),
        ("SW5005", "s.yaml:1:37", "so"),
    ]


def finding(code: str, line: int, file: str = "spec.yaml") -> Diagnostic:
    return Diagnostic(code, "of no matter", Span(file, line, 1), Severity.WARNING)


def test_only_the_named_code_on_the_line_is_silenced() -> None:
    found = [finding("SW5004", 2), finding("SW5004", 3), finding("SW5005", 2), finding("SW5004", 2, "other.yaml")]
    suppressions = read_suppressions(f"# {MARK}\na: 1", "spec.yaml", Findings())
    assert [item.suppressed for item in silence(found, suppressions)] == ["it is so", None, None, None]


def test_what_may_not_be_silenced_stays() -> None:
    findings = Findings()
    text = "a: 1 # shardwright: ignore[SW2101] because I want it"
    suppressions = read_suppressions(text, "spec.yaml", findings)
    assert [item.code for item in findings.items] == ["SW1804"]
    assert silence([finding("SW2101", 1)], suppressions)[0].suppressed is None


def test_unused_only_when_the_pass_was_through() -> None:
    suppressions = read_suppressions(f"# {MARK}\na: 1", "spec.yaml", Findings())
    assert [item.code for item in find_unused([], suppressions, finished={"spec.yaml": {"validate", "compile"}})] == [
        "SW1805"
    ]
    assert find_unused([], suppressions, finished={"spec.yaml": {"validate"}}) == ()
    assert find_unused([], suppressions, finished={}) == ()
    assert find_unused([finding("SW5004", 2)], suppressions, finished={"spec.yaml": {"compile"}}) == ()


@given(st.text(alphabet="#-'\"`\\|>:[]{}, \n*/shardwrightignoe5SW04becau"))
def test_any_text(text: str) -> None:
    for file in ("spec.yaml", "schema.sql"):
        read_suppressions(f"# shardwright\n{text}\n# {MARK}", file, Findings())
