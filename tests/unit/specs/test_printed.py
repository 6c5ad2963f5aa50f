"""Whatever is printed is text, for terminals and for the runners of workflows (security review, 14 and 15)."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.specs.findings.safe_output import COLOURED, SafeStream, guard_output, harmless

OWNED = "\x1b]0;owned\x07\x1b[2J\x9b2J\rverify: all equal\u202e\u2028"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text\n\twith ä, 漢\u3000字, 🙂 and \u00a0", None),
        (COLOURED.paint("error", "red"), None),
        ("two\r\nlines", None),
        (OWNED, r"\u001b]0;owned\u0007\u001b[2J\u009b2J\u000dverify: all equal\u202e\u2028"),
        ("\x1b[8mhidden\x1b[0m", "\\u001b[8mhidden\x1b[0m"),
        ("half \ud800", r"half \ud800"),
    ],
)
def test_what_acts_on_a_terminal_is_written_out(text: str, shown: str | None) -> None:
    assert harmless(text) == (text if shown is None else shown)


def test_json_stays_what_it_is() -> None:
    text = json.dumps({"said": OWNED}, ensure_ascii=False)
    assert json.loads(harmless(text)) == {"said": OWNED}


def test_workflows_are_sent_no_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    out = io.StringIO()
    stream = SafeStream(out)
    for part in ("::error::x\n", "a ::b\n", "  ", "::stop-commands::x", "\n", "spec ##[error]y ##vso[z]", "::no\n"):
        stream.write(part)
    assert out.getvalue() == (
        "\\u003a:error::x\na ::b\n  \\u003a:stop-commands::x\nspec ##\\u005berror]y ##vso\\u005bz]::no\n"
    )


def test_elsewhere_such_lines_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_ACTIONS", "TF_BUILD"):
        monkeypatch.delenv(name, raising=False)
    out = io.StringIO()
    SafeStream(out).write("::error::x ##[y]\n")
    assert out.getvalue() == "::error::x ##[y]\n"


@given(st.lists(st.sampled_from([":", "::", "#", "##", "[", "vso", " ", "\n", "\t", "a", "##[", "\n:"]), max_size=12))
def test_no_line_begins_with_a_command_however_it_is_written(parts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GITHUB_ACTIONS", "true")
        out = io.StringIO()
        stream = SafeStream(out)
        for part in parts:
            stream.write(part)
    assert not any(line.strip().startswith("::") for line in out.getvalue().split("\n"))
    assert "##[" not in out.getvalue() and "##vso[" not in out.getvalue()


def test_the_process_prints_through_it(capsys: pytest.CaptureFixture[str]) -> None:
    with guard_output():
        print("\x1b[2Jout")
    print("\x1b[2Jout")
    assert capsys.readouterr().out == "\\u001b[2Jout\n\x1b[2Jout\n"
