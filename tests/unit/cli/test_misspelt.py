"""Misspelt verbs and options get a hint. Options that are accepted everywhere may come before the verb."""

from __future__ import annotations

import pytest

from shardwright.runtime.cli.main import main
from tests.unit.cli.conftest import Call


@pytest.mark.parametrize("before", [("--project", "verify"), ("--project=.", "--color=never"), ("-vv", "--debug")])
def test_options_come_before_the_verb_or_behind_it(call: Call, before: tuple[str, ...]) -> None:
    first, last = call(*before, "jsonschema", "spec"), call("jsonschema", "spec", *before)
    assert first == last and (first.code, first.err) == (0, "")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("verfy", "'verfy': did you mean 'verify'?"),
        ("ddl aply --env a", "'aply': did you mean 'apply'?"),
        ("compile --fial-on error", "unrecognized arguments: --fial-on: did you mean '--fail-on'?"),
        ("compile --fial-on=error", "unrecognized arguments: --fial-on: did you mean '--fail-on'?"),
        ("ddl plan --drfit", "unrecognized arguments: --drfit: did you mean '--drift'?"),
        ("compile --fail-on eror", "'eror': did you mean 'error'?"),
        ("compile --xyz", "unrecognized arguments: --xyz"),
    ],
)
def test_a_misspelt_word_gets_a_hint(capsys: pytest.CaptureFixture[str], words: str, hint: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith(hint)
