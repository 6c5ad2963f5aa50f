"""Old names of verbs and options: taken with a warning, and shown nowhere; misspelt ones get a hint."""

from __future__ import annotations

import pytest

from shardwright.runtime.cli.main import VERBS as NOW
from shardwright.runtime.cli.main import build_parser, main
from shardwright.runtime.cli.renamed import GONE, OPTIONS, VERBS, current_words
from shardwright.runtime.cli.verb_completion import all_actions
from tests.unit.cli.conftest import Call


def test_new_names_are_there_and_old_ones_are_hidden() -> None:
    assert not VERBS.keys() & NOW.keys() and set(VERBS.values()) <= NOW.keys()
    for verb, options in OPTIONS.items():
        known = {name for action in all_actions(build_parser(verb)) for name in action.option_strings}
        assert not options.keys() & known and set(options.values()) <= known
    for verb, gone in GONE.items():
        assert not gone & {name for action in all_actions(build_parser(verb)) for name in action.option_strings}


@pytest.mark.parametrize(
    ("words", "made", "warned"),
    [
        ("schema spec", "jsonschema spec", ["schema"]),
        ("verify --env a --patience 3", "verify --env a --timeout 3", ["--patience"]),
        ("repair x --patience=3 --at-most=9", "repair x --timeout=3 --max-rows=9", ["--patience", "--at-most"]),
        ("ddl plan --strays --env a", "ddl plan --drift --env a", ["--strays"]),
        ("verify --state=a.json", "verify --checkpoint=a.json", ["--state"]),
        ("dry-run --rehearsals 9", "dry-run --histories 9", ["--rehearsals"]),
        ("ddl apply --apart --env a", "ddl apply --env a", ["--apart"]),
        ("ddl apply --env a -- --apart", "ddl apply --env a -- --apart", []),
        ("run --apart", "run --apart", []),
        ("compile -- --patience", "compile -- --patience", []),
        ("verify -- --patience", "verify -- --patience", []),
        ("run --patience 3", "run --patience 3", []),
        ("-q verify --patience 3", "-q verify --timeout 3", []),
        ("route --key=--patience=3", "route --key=--patience=3", []),
    ],
)
def test_words_of_the_last_release(
    capsys: pytest.CaptureFixture[str], words: str, made: str, warned: list[str]
) -> None:
    given = words.split()
    assert current_words(given, verb_at=int(given[0] == "-q")) == made.split()
    lines = capsys.readouterr().err.splitlines()
    assert [line.split("'")[1] for line in lines] == warned
    assert all(line.startswith("warning: ") for line in lines)


@pytest.mark.parametrize("before", [(), ("--project", "schema"), ("--project=.", "--color=never"), ("-vv", "--debug")])
def test_an_old_verb_does_what_the_new_one_does(call: Call, before: tuple[str, ...]) -> None:
    new, old = call("jsonschema", "spec"), call(*before, "schema", "spec")
    assert (old.code, old.out) == (new.code, new.out) and new.err == ""
    assert old.err == "warning: 'schema' is now called 'jsonschema'; the next release does not know 'schema'\n"


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
