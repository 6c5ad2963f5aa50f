"""Every code that is used is explained, once, and every finding about a file has a case that shows it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from shardwright.specs.findings.codes.registry import ALL_CODES, BY_CODE, RANGES, UnknownCode, explain

ROOT = Path(__file__).parents[3]
WITHOUT_A_CASE = {
    "SW1001": "about a file that is not there: test_yaml_source.py",
    "SW1008": "about a file of more than 1 MiB: test_yaml_source.py",
    "SW1013": "about links, pipes and devices: tests/unit/cli/test_foreign_files.py",
    "SW7003": "about a place outside the files: test_secret_references.py",
    "SW7017": "about the name of the file: tests/unit/cli/test_consent.py",
}


def codes_in(*folders: str) -> Iterator[str]:
    for folder in folders:
        for path in (ROOT / folder).rglob("*.py"):
            if path.parent.name != "codes" and path.name != "diagnostics.py":  # which explain and list them
                yield from re.findall(r'"(SW[0-9]{4})"', path.read_text("utf-8"))


def codes_in_advice() -> set[str]:
    path = ROOT / "specs" / "findings" / "diagnostics.py"
    return set(re.findall(r'"(SW[0-9]{4})"', path.read_text("utf-8")))


@pytest.mark.parametrize("folder", ["specs", "compiler", "runtime"])
def test_every_used_code_is_registered(folder: str) -> None:
    assert sorted(set(codes_in(folder)) - set(BY_CODE)) == []


def test_no_code_is_registered_twice() -> None:
    assert [code for code, count in Counter(entry.code for entry in ALL_CODES).items() if count > 1] == []


def test_advice_is_registered() -> None:
    assert sorted(codes_in_advice() - set(BY_CODE)) == []


def test_entries_are_complete_and_in_order() -> None:
    for entry in ALL_CODES:
        assert re.fullmatch(r"SW[1-9][0-9]{3}", entry.code)
        assert entry.code[:3] in RANGES
        assert entry.title and not entry.title.endswith(".")
        assert entry.explanation.endswith("."), entry.code
    for before, after in pairwise(ALL_CODES):
        assert before.code < after.code


def test_every_code_of_this_package_has_a_case() -> None:
    shown = {
        code
        for path in (ROOT / "tests" / "cases" / "invalid").rglob("expected.txt")
        for code in re.findall(r" (SW[0-9]{4}):", path.read_text("utf-8"))
    }
    assert sorted(set(codes_in("specs")) - shown - set(WITHOUT_A_CASE)) == []


@pytest.mark.parametrize("code", sorted(BY_CODE))
def test_explain(code: str) -> None:
    text = explain(code.lower())
    assert text.startswith(f"{code}: {BY_CODE[code].title} ({RANGES[code[:3]]})\n\n")
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert max(map(len, text.splitlines())) <= 120


def test_explain_of_an_unknown_code() -> None:
    with pytest.raises(UnknownCode, match="there is no code 'SW11O1': a code is"):
        explain("SW11O1")
