"""The text of findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity, Span
from shardwright.specs.findings.render import MOST_SHOWN, make_line_reader, read_line_from_disk, render


def render_one(line: str | None, diagnostic: Diagnostic) -> str:
    return render([diagnostic], read_line=lambda file, number: line)


def at(column: int, length: int = 1, line: int = 41) -> Span:
    return Span("specs/orders.yaml", line, column, length)


def test_at_most_so_many_findings_are_shown_and_errors_first() -> None:
    warnings = [
        Diagnostic("SW5101", f"warning {n}", Span("a", 1, 1), severity=Severity.WARNING) for n in range(MOST_SHOWN)
    ]
    errors = [Diagnostic("SW1001", f"error {n}", Span("a", 1, 1)) for n in range(7)]
    text = render([*warnings, *errors], read_line=lambda _file, _number: None)
    assert [f"error {n}" for n in range(7) if f"error {n}\n" not in text] == []
    assert (
        text.count("warning 1") > 0
        and f"warning {MOST_SHOWN - 8}\n" in text
        and f"warning {MOST_SHOWN - 7}\n" not in text
    )
    assert text.endswith("7 more are not shown: fix these first, or see all with --report json=PATH\n")


def test_the_whole_format() -> None:
    diagnostic = Diagnostic(
        "SW2104",
        "shard key column 'custmer_id' is not in table 'orders'",
        at(11, 10),
        hint="did you mean 'customer_id'?",
        notes=(Note("columns come from", Span("ddl/orders.sql", 3, 1)), Note("it has 12 columns")),
    )
    assert render_one("    key: [custmer_id]", diagnostic) == (
        "specs/orders.yaml:41:11: error SW2104: shard key column 'custmer_id' is not in table 'orders'\n"
        "   41 |     key: [custmer_id]\n"
        "      |           ^^^^^^^^^^ did you mean 'customer_id'?\n"
        "   note: columns come from ddl/orders.sql:3\n"
        "   note: it has 12 columns\n"
        "   help: shardwright explain SW2104\n"
    )


def test_several_findings_have_a_blank_line_between_them() -> None:
    one = Diagnostic("SW2104", "column 'a' is not in the table", at(1))
    assert render([], read_line=lambda file, number: None) == ""
    assert render([one, one], read_line=lambda file, number: None) == (
        "specs/orders.yaml:41:1: error SW2104: column 'a' is not in the table\n"
        "   help: shardwright explain SW2104\n"
        "\n"
        "specs/orders.yaml:41:1: error SW2104: column 'a' is not in the table\n"
        "   help: shardwright explain SW2104\n"
    )


def test_warnings_of_one_code_are_together_and_only_the_first_is_shown_whole() -> None:
    def numbered(line: int, hint: str) -> Diagnostic:
        span = Span("schema/shop.sql", line, 3)
        return Diagnostic("SW4302", f"column of line {line} is AUTO_INCREMENT", span, Severity.WARNING, hint)

    error = Diagnostic("SW2104", "column 'a' is not in the table", at(1))
    found = [numbered(2, "bring the value"), error, numbered(9, "bring the value"), numbered(14, "give it back later")]
    assert render(found, read_line=lambda file, number: None) == (
        "schema/shop.sql:2:3: warning SW4302: column of line 2 is AUTO_INCREMENT\n"
        "   hint: bring the value\n"
        "   help: shardwright explain SW4302\n"
        "   and 2 more SW4302:\n"
        "      schema/shop.sql:9:3: column of line 9 is AUTO_INCREMENT\n"
        "      schema/shop.sql:14:3: column of line 14 is AUTO_INCREMENT (give it back later)\n"
        "\n"
        "specs/orders.yaml:41:1: error SW2104: column 'a' is not in the table\n"
        "   help: shardwright explain SW2104\n"
    )


def frame(line: str, span: Span, code: str = "SW1101") -> list[str]:
    return render_one(line, Diagnostic(code, "m", span)).splitlines()[1:-1]


def test_a_hint_is_shown_even_without_the_line() -> None:
    diagnostic = Diagnostic("SW1001", "m", at(1), hint="look there")
    assert "   hint: look there\n" in render_one(None, diagnostic)


def test_a_note_that_names_its_place_already() -> None:
    note = Note("defined in a.sql:3", Span("a.sql", 3, 1))
    assert "   note: defined in a.sql:3\n" in render_one(None, Diagnostic("SW1001", "m", at(1), notes=(note,)))


def test_numbers_of_lines_are_aligned() -> None:
    assert frame("a", at(1, line=7)) == ["    7 | a", "      | ^"]
    assert frame("a", at(1, line=12345)) == ["12345 | a", "      | ^"]


def test_wide_and_combining_characters() -> None:
    assert frame("名: [e\u0301x]", at(5, 3)) == ["   41 | 名: [e\u0301x]", "      |      ^^"]


def test_marks_end_with_the_line() -> None:
    assert frame("abc", at(3, 20)) == ["   41 | abc", "      |   ^"]
    assert frame("abc", at(9, 2)) == ["   41 | abc", "      |    ^"]


def test_tabs_and_control_characters_are_harmless() -> None:
    assert frame("a\tb\x1b[2J", at(3)) == ["   41 | a b\\x1b[2J", "      |   ^"]
    text = render_one(None, Diagnostic("SW1101", "unknown key '\x1b[2J\u202e'", at(1)))
    assert "\\x1b[2J\\u202e" in text


def test_long_lines_are_cut_around_the_place() -> None:
    text, marks = frame("x" * 1000 + "HERE" + "y" * 1000, at(1001, 4))
    assert len(text) < 180
    assert text[marks.index("^") : marks.rindex("^") + 1] == "HERE"


@pytest.mark.parametrize(
    "line",
    [
        "  password: hunter2",
        "  a: {host: x, password: hunter2, port: 1}",
        "  Passwort: hunter2",
        "  pasword: 'hunter2'",
        '  "password" : hunter2',
        "  pwd: hunter2",
        "  pw: hunter2",
        "  api_token: hunter2",
        "  client-secret: hunter2",
        "  spark.hadoop.fs.s3a.access.key: hunter2",
        "  password: {vault: hunter2}",
        "  url: mysql://root:hunter2@db/shop",
        "  password: hunter2: [",
        "AWS_SECRET_ACCESS_KEY=hunter2/abc",
        "export API_KEY='hunter2'",
        "password = hunter2",
        "requirepass  =hunter2",
        "Authorization: basic hunter2",
        "SECRET=" + "a" * 300 + "hunter2" + "b" * 300,
    ],
)
def test_what_may_be_a_secret_is_hidden(line: str) -> None:
    for column in (1, 5, len(line) - 3):
        text = render_one(line, Diagnostic("SW1002", "not valid", at(column, 3)))
        assert "hunter2" not in text
        assert "[hidden]" in text


def test_references_are_no_secrets() -> None:
    assert "{env: SHOP_PASSWORD}" in render_one("password: {env: SHOP_PASSWORD}", Diagnostic("SW1101", "m", at(1)))
    assert "{file: /run/x}" in render_one(
        "password: { file: /run/x}".replace("{ ", "{"), Diagnostic("SW1101", "m", at(1))
    )


def test_the_line_of_a_literal_secret_ends_where_the_value_begins() -> None:
    assert frame("    hunter2", at(5, 7), "SW7002") == ["   41 |     [hidden]", "      |     ^^^^^^^^"]


def test_remembered_lines_are_the_lines_on_disk(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(b"one\r\ntwo\n\xff\n")
    read = make_line_reader()
    for number in (-1, 0, 1, 2, 3, 4):
        assert read(str(file), number) == read_line_from_disk(str(file), number)
    assert read(str(tmp_path / "none"), 1) is None
    file.unlink()
    assert read(str(file), 2) == "two"
